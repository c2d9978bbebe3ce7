package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// counted follows the %n of printf, which sets the variable its operand names to
// the number of characters printed so far.
func (w *walker) counted(args []shell.Word, span shell.Span, st *state) {
	for i := range args {
		if strings.HasPrefix(args[i].Text, "-") || i > 0 && args[i-1].Text == "-v" {
			continue
		}
		if format := &args[i]; !format.Known || commands.CountsCharacters(format.Text) {
			w.countedInto(args[i+1:], span, st)
		}
		return
	}
}

// countedInto follows the operands of a format with a %n.
func (w *walker) countedInto(operands []shell.Word, span shell.Span, st *state) {
	for i := range operands {
		a := &operands[i]
		if !a.Known || !shell.ValidName(a.Text) {
			continue
		}
		if _, set := st.lookup(a.Text); set || commands.RunsCode(a.Text) || w.mayReach(a.Text) {
			w.assigned(a, span, st)
		}
	}
}

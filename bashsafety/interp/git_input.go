package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// gitInput reads what git is told on standard input: names it makes entries of,
// and objects it prints.
func (w *walker) gitInput(at int, found *commands.Invocation, c *ctx, st *state) {
	kind := commands.GitInputOf(found)
	if kind == 0 {
		return
	}
	sub := &w.s.Subcommands[at]
	text, fed := w.fedText(found, c, st)
	if !fed || !text.Known && kind == commands.GitObjectNames {
		return
	}
	from := len(found.Facts.Effects)
	for line := range strings.FieldsFuncSeq(text.Text, func(r rune) bool { return r == '\n' || r == 0 }) {
		found.GitLine(kind, line, &text)
	}
	if kind == commands.GitEntries && text.Known { // what was said to be unknown is not
		for i := range sub.Effects {
			if e := &sub.Effects[i]; e.Kind == shell.Write && e.Path == shell.HoleMark {
				sub.Effects = append(sub.Effects[:i:i], sub.Effects[i+1:]...)
				break
			}
		}
	}
	sub.Effects = append(sub.Effects, found.Facts.Effects[from:]...)
}

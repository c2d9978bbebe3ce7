package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// gitVariables adds what git writes where variables tell it to: those in front
// of the command, and those the text has set before it.
func (w *walker) gitVariables(at int, found *commands.Invocation, st *state) {
	if found.Cmd == nil || found.Cmd.Name() != "git" {
		return
	}
	sub := &w.s.Subcommands[at]
	from := len(found.Facts.Effects)
	for i := range sub.Assigns {
		found.GitVariable(sub.Assigns[i].Name, &sub.Assigns[i].Value)
	}
	if len(sub.PatternBlockers) > 0 {
		for _, name := range sub.SetBefore() {
			if text, known := st.lookup(name); known {
				value := shell.Literal(text, &sub.Argv[0])
				found.GitVariable(name, &value)
			}
		}
	}
	if len(found.Facts.Effects) > from {
		sub.Effects = append(sub.Effects, found.Facts.Effects[from:]...)
		sub.ReadOnly = false
	}
}

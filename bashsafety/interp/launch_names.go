package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// doubtIfRedefined doubts a command whose name is a function or alias of the text.
func (w *walker) doubtIfRedefined(sub *analysis.Subcommand, st *state) {
	name := sub.Argv[0].Text
	w.zshBuiltin(sub)
	if slices.Contains(w.funcs, name) {
		w.doubt(analysis.DoubtShadow, sub.Span, name)
		st.forget()
		if w.moves {
			st.cwd = st.cwd.Lost()
		}
	} else if slices.Contains(st.aliases, name) {
		w.doubt(analysis.DoubtShadow, sub.Span, name)
	}
}

// launched reports whether a command is run by a program or by exec, for which a
// word of the shell is the name of a file.
func launched(via []string) bool {
	if len(via) == 0 {
		return false
	}
	last := via[len(via)-1]
	e := commands.Find(last)
	return last == "exec" || e.Program() && !commands.IsShell(e.As)
}

// leavesLoop reports whether a command is break or continue as it is written in
// a loop: like the loop it runs nothing.
func leavesLoop(argv []shell.Word) bool {
	switch argv[0].Text {
	case "break", "continue":
		return len(argv) == 1 || len(argv) == 2 && argv[1].Known && shell.Number(argv[1].Text)
	}
	return false
}

// runsBehindOptions names the builtins that run the command after their
// options in the shell itself.
func runsBehindOptions(name string) bool {
	return name == "exec" || name == "command" || name == "builtin"
}

// openOption reports whether a word in the place of an option is not known.
func openOption(argv []shell.Word) bool {
	for i := range argv[1:] {
		a := &argv[i+1]
		if !a.Known && shell.LiteralPrefix(a) != "" && shell.LiteralPrefix(a)[0] == '-' {
			return true
		}
		if !strings.HasPrefix(a.Text, "-") || a.Text == "--" {
			return false
		}
	}
	return false
}

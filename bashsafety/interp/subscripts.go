package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// subscripts doubts the builtins that evaluate the subscript of a name they are
// given, although it was quoted: test -v 'a[$(cmd)]'.
func (w *walker) subscripts(sub *Subcommand, st *state) {
	args := sub.Argv[1:]
	switch sub.Program {
	case "test", "[":
		w.testedNames(args, sub.Span, st)
	case "printf":
		for _, name := range commands.PrintfNames(args) {
			w.name(name, sub.Span, st)
		}
		for i := range args { // %d takes an expression in zsh and ksh
			if a := &args[i]; i > 0 && arithmeticLike(a.Text) && runsInSubscript(a.Text) {
				w.name(a, sub.Span, st)
			}
		}
	case "let":
		for i := range args {
			if runsInSubscript(args[i].Text) {
				w.name(&args[i], sub.Span, st)
			}
		}
	case "read", "unset", "declare", "typeset", "local", "readonly", "export", "mapfile", "readarray", "wait",
		"getopts":
		for i := range args {
			w.name(&args[i], sub.Span, st)
		}
	}
}

// testedNames follows the names after the -v and -R of a test.
func (w *walker) testedNames(args []shell.Word, span shell.Span, st *state) {
	for i := range args {
		a := &args[i]
		if a.Text != "-v" && a.Text != "-R" && (a.Known || !mayTestName(args, i)) {
			continue
		}
		w.name(a, span, st)
		if i+1 < len(args) {
			w.name(&args[i+1], span, st)
		}
	}
}

// mayTestName reports whether the unknown word at i may be the -v or -R of a
// test: it is unquoted, or in the place of an operator.
func mayTestName(args []shell.Word, i int) bool {
	if !args[i].Single {
		return true
	}
	if shell.LiteralPrefix(&args[i]) != "" || i+1 >= len(args) {
		return false
	}
	switch next := args[i+1].Text; next {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o", "]", ")":
		return false
	}
	if i == 0 {
		return true
	}
	switch args[i-1].Text {
	case "!", "(", "-a", "-o":
		return true
	}
	return false
}

package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// subscripts doubts the builtins that evaluate the subscript of a name they are
// given, although it was quoted: test -v 'a[$(cmd)]'.
func (w *walker) subscripts(sub *analysis.Subcommand, st *state) {
	args := sub.Argv[1:]
	switch sub.Program {
	case "test", "[":
		w.testedNames(args, sub.Span, st)
	case "printf":
		for _, name := range commands.PrintfNames(args) {
			w.evaluatesName(name, st)
			w.name(name, sub.Span, st)
		}
		w.printedNumbers(args, st)
		for i := range args { // %d takes an expression in zsh and ksh
			if a := &args[i]; i > 0 && arithmeticLike(a.Text) && runsInSubscript(a.Text) {
				w.name(a, sub.Span, st)
			}
		}
	case "print": // zsh: with -f it is printf
		format := slices.IndexFunc(args, mayBeFormat)
		for i := max(format, 0); format >= 0 && i < len(args); i++ {
			if a := &args[i]; i > format || !a.Known && !a.Single {
				w.evaluates(a, st)
			}
		}
	case "let":
		for i := range args {
			w.evaluates(&args[i], st)
			if runsInSubscript(args[i].Text) {
				w.name(&args[i], sub.Span, st)
			}
		}
	case "shift", "return", "exit", "break", "continue", "logout": // an expression in zsh
		for i := range args {
			w.evaluates(&args[i], st)
		}
	case "unset", "declare", "typeset", "local", "readonly", "export":
		for i := range args {
			w.evaluatesName(&args[i], st)
			w.name(&args[i], sub.Span, st)
		}
	case "read", "mapfile", "readarray", "wait", "getopts":
		for _, name := range commands.SetNames(sub.Program, args) {
			w.evaluatesName(name, st)
		}
		for i := range args {
			if t := args[i].Text; strings.HasPrefix(t, "-") && strings.Contains(t, shell.HoleMark) {
				w.evaluates(&args[i], st) // -t$x: an expression in zsh
			} else if i > 0 && shell.Among("-t -n -rt -rn", args[i-1].Text) {
				w.evaluates(&args[i], st)
			}
			w.name(&args[i], sub.Span, st)
		}
	}
}

func mayBeFormat(a shell.Word) bool {
	return !a.Known || strings.HasPrefix(a.Text, "-") && strings.Contains(a.Text, "f")
}

// printedNumbers follows what printf is given for a format of numbers: zsh takes it
// for an expression.
func (w *walker) printedNumbers(args []shell.Word, st *state) {
	for i := range args {
		if strings.HasPrefix(args[i].Text, "-") || i > 0 && args[i-1].Text == "-v" {
			continue
		}
		for j := i + 1; j < len(args) && (!args[i].Known || commands.PrintsNumbers(args[i].Text)); j++ {
			if a := &args[j]; !a.Known || st.bound(a.Text) != nil {
				w.evaluates(a, st)
			}
		}
		return
	}
}

// testedNames follows the names after the -v and -R of a test.
func (w *walker) testedNames(args []shell.Word, span shell.Span, st *state) {
	for i := range args {
		a := &args[i]
		if a.Text == "-t" && i+1 < len(args) && !args[i+1].Known {
			w.evaluates(&args[i+1], st)
		}
		if a.Text != "-v" && a.Text != "-R" && (a.Known || !mayTestName(args, i)) {
			continue
		}
		w.evaluatesName(a, st)
		w.name(a, span, st)
		if i+1 < len(args) {
			w.evaluatesName(&args[i+1], st)
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

package bashsafety

import (
	"strings"
)

// builtin brings the state up to date after a builtin of the shell ran.
func (w *walker) builtin(sub *Subcommand, d *description, o outcome, st *state) outcome {
	if d.chdir != nil {
		was := st.cwd
		st.cwd = *moved(&was, d.chdir)
		if st.cdpath && !strings.HasPrefix(d.chdir.Text, "/") {
			st.cwd = cwdState{moved: true}
		}
		was.moved = true
		return outcome{fails: true, cwd: was}
	}
	args := sub.Argv[1:]
	switch sub.Program {
	case "exit", "return", "break", "continue", "logout":
		return outcome{never: true}
	case "exec":
		return outcome{never: len(args) > 0}
	case "command", "builtin":
		return o
	case "set":
		w.setOptions(args, st)
	case "source", ".":
		st.forget()
	case "eval":
		if len(args) > 0 && !allKnown(args) {
			st.forget()
		}
		return o
	case "alias":
		for _, a := range args {
			if name, _, ok := strings.Cut(a.Text, "="); ok && !strings.HasPrefix(name, "-") {
				st.aliases = append(st.aliases, name)
			}
		}
	case "hash":
		if len(args) > 2 && strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "p") {
			for _, a := range args[2:] {
				st.aliases = append(st.aliases, a.Text)
			}
		}
	default:
		if setsVariables(sub.Program) {
			for i := range args {
				w.assigned(&args[i], st)
				if name := strings.TrimPrefix(args[i].Text, "-v"); setsName(sub.Program, args, i) {
					st.steered(name)
				}
			}
		}
	}
	return outcome{}
}

// setsName reports whether a builtin sets the variable that its i-th argument
// names: printf only behind -v, unset not at all.
func setsName(program string, args []Word, i int) bool {
	switch program {
	case "printf":
		return i == 0 && args[0].Text != "-v" && strings.HasPrefix(args[0].Text, "-v") || i == 1 && args[0].Text == "-v"
	case "unset":
		return false
	}
	return true
}

// assigned makes the variable that a builtin was told to set unknown.
func (w *walker) assigned(a *Word, st *state) {
	if !a.Known {
		st.forget()
		return
	}
	name := strings.TrimPrefix(a.Text, "-v")
	if i := strings.IndexByte(name, '['); i > 0 {
		name = name[:i]
	}
	if !validName(name) {
		return
	}
	st.bind(name, HoleMark)
	switch name {
	case "IFS":
		st.ifs = true
	case "CDPATH":
		st.cdpath = true
	}
}

func (w *walker) setOptions(args []Word, st *state) {
	for i, a := range args {
		t := a.Text
		if t == "--" {
			return
		}
		switch {
		case len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "e"):
			st.errexit = true
		case len(t) > 1 && t[0] == '+' && strings.Contains(t, "e"):
			st.errexit = false
		}
		if len(t) > 1 && t[0] == '-' && t[1] != '-' && strings.Contains(t, "a") {
			st.allexport = true
		}
		if t == "errexit" && i > 0 {
			st.errexit = strings.HasPrefix(args[i-1].Text, "-")
		}
		if t == "allexport" {
			st.allexport = true
		}
	}
}

func allKnown(argv []Word) bool {
	for i := range argv {
		if !argv[i].Known {
			return false
		}
	}
	return true
}

// subscripts doubts the builtins that evaluate the subscript of a name they are
// given, although it was quoted: test -v 'a[$(cmd)]'.
func (w *walker) subscripts(sub *Subcommand) {
	switch sub.Program {
	case "test", "[", "printf":
		for i, a := range sub.Argv {
			if strings.HasPrefix(a.Text, "-v") || a.Text == "-R" {
				w.subscript(&a, sub.Span)
				if i+1 < len(sub.Argv) {
					w.subscript(&sub.Argv[i+1], sub.Span)
				}
			}
		}
	case "read", "unset", "declare", "typeset", "local", "readonly", "export", "let", "mapfile", "readarray", "wait", "getopts":
		for i := range sub.Argv {
			w.subscript(&sub.Argv[i], sub.Span)
		}
	}
}

func (w *walker) subscript(a *Word, span Span) {
	if runsInSubscript(a.Text) {
		w.doubt(dHiddenEval, span, "the subscript runs a command")
	}
}

// runsInSubscript reports whether arithmetic on the text would run a command:
// a subscript that holds a substitution.
func runsInSubscript(text string) bool {
	_, sub, ok := strings.Cut(text, "[")
	return ok && (strings.Contains(sub, "$(") || strings.Contains(sub, "`") || strings.Contains(sub, "${"))
}

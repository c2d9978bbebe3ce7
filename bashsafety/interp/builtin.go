package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// builtin brings the state up to date after a builtin of the shell ran.
func (w *walker) builtin(sub *analysis.Subcommand, d *commands.Facts, o outcome, st *state) outcome {
	if !isBuiltin(sub) {
		return outcome{}
	}
	if d.Chdir != nil {
		was := st.cwd
		st.cwd = *shell.Moved(&was, d.Chdir)
		if st.cdpath && !strings.HasPrefix(d.Chdir.Text, "/") {
			st.cwd = st.cwd.Lost()
		}
		was.Moved = true
		if w.opaque {
			st.cwd = st.cwd.Lost()
			return outcome{}
		}
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
	case "shopt":
		for i := range args {
			st.nullglob = st.nullglob || args[i].Text == "nullglob"
		}
	case "source", ".":
		w.anyOther = true
		st.forget()
	case "eval":
		if len(args) > 0 && !allKnown(args) {
			st.forget()
		}
		for i := range sub.Assigns { // some shells undo them, whatever eval made of them
			st.bind(sub.Assigns[i].Name, shell.HoleMark)
		}
		return o
	case "alias":
		for _, a := range args {
			if name, _, ok := strings.Cut(a.Text, "="); ok && !strings.HasPrefix(name, "-") {
				st.aliases = append(st.aliases, name)
			}
		}
	case "hash":
		for i := range args {
			if strings.Contains(args[i].Text, "=") {
				w.doubt(analysis.DoubtZsh, sub.Span, "hash NAME=PATH chooses the program in zsh")
			}
		}
		if len(args) > 2 && strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "p") {
			for _, a := range args[2:] {
				st.aliases = append(st.aliases, a.Text)
			}
		}
	default:
		w.setsByName(sub, args, st)
	}
	return outcome{}
}

// setsByName follows the builtins that set the variables whose names they are
// given. Values of options are taken for names, too: that only forgets more.
func (w *walker) setsByName(sub *analysis.Subcommand, args []shell.Word, st *state) {
	switch sub.Program {
	case "declare", "export", "local", "readonly", "typeset":
		w.declaredWords(sub.Argv, sub.Span, st)
	case "printf":
		for _, name := range commands.PrintfNames(args) {
			w.assigned(name, sub.Span, st)
		}
		w.counted(args, sub.Span, st)
	case "let":
		for i := range args {
			w.number(args[i].Text, sub.Span, st)
			w.letTarget(&args[i], sub.Span, st)
		}
	case "unset":
		for i := range args {
			w.unset(&args[i], st)
		}
	case "read", "mapfile", "readarray", "getopts", "wait":
		for i := range args {
			if args[i].Known {
				w.assigned(&args[i], sub.Span, st)
			}
		}
		for _, name := range commands.SetNames(sub.Program, args) {
			w.assigned(name, sub.Span, st)
		}
	case "compgen", "complete":
		st.forget() // -F runs a function
	}
}

// assigned makes the variable that a builtin was told to set unknown.
func (w *walker) assigned(a *shell.Word, span shell.Span, st *state) {
	name, _, _ := strings.Cut(a.Text, "[")
	name, _, _ = strings.Cut(name, "?") // zsh: read NAME?PROMPT
	switch {
	case strings.Contains(name, shell.HoleMark):
		w.anyVariable(name, span, st)
	case shell.ValidName(name):
		w.touched(name, span, st)
		w.holdsOther(name)
		if slices.Contains(w.refs, name) { // what is read may be the name it refers to
			w.refersTo(&shell.Word{Text: shell.HoleMark}, span, st)
		}
		st.bind(name, shell.HoleMark)
		if !w.keeps(name) {
			w.unknownNumber(inIndex, span, st)
		}
	}
}

// unset makes a variable unknown: the text may set it again.
func (w *walker) unset(a *shell.Word, st *state) {
	name, _, _ := strings.Cut(a.Text, "[")
	switch {
	case strings.Contains(name, shell.HoleMark):
		st.anyName()
		st.ifs, st.cdpath = true, true
		if commands.CouldSteer(name) {
			st.addBlocker("a variable whose name is only known at run time was unset earlier")
		}
	case shell.ValidName(name):
		if slices.Contains(w.refs, name) { // what it refers to
			st.anyName()
			st.ifs, st.cdpath = true, true
		}
		st.ifs = st.ifs || name == "IFS"
		st.cdpath = st.cdpath || name == "CDPATH" || name == "cdpath"
		st.bind(name, shell.HoleMark)
		if name == "PATH" || name == "path" { // bash then takes programs from the working directory
			st.addBlocker(analysis.SetEarlier(name))
		}
	}
}

func allKnown(argv []shell.Word) bool {
	return !slices.ContainsFunc(argv, func(w shell.Word) bool { return !w.Known })
}

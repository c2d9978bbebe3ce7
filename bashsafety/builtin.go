package bashsafety

import "strings"

// builtin brings the state up to date after a builtin of the shell ran.
func (w *walker) builtin(sub *Subcommand, d *description, o outcome, st *state) outcome {
	if !isBuiltin(sub) {
		return outcome{}
	}
	if d.chdir != nil {
		was := st.cwd
		st.cwd = *moved(&was, d.chdir)
		if st.cdpath && !strings.HasPrefix(d.chdir.Text, "/") {
			st.cwd = cwdState{moved: true}
		}
		was.moved = true
		if w.opaque {
			st.cwd = cwdState{moved: true}
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
		st.forget()
	case "eval":
		if len(args) > 0 && !allKnown(args) {
			st.forget()
		}
		for i := range sub.Assigns { // some shells undo them, whatever eval made of them
			st.bind(sub.Assigns[i].Name, HoleMark)
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
				w.doubt(dZsh, sub.Span, "hash NAME=PATH chooses the program in zsh")
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
func (w *walker) setsByName(sub *Subcommand, args []Word, st *state) {
	switch sub.Program {
	case "declare", "export", "local", "readonly", "typeset":
		w.declaredWords(sub.Argv, sub.Span, st)
	case "printf":
		if name := printfName(args); name != nil {
			w.assigned(name, sub.Span, st)
		}
		w.counted(args, sub.Span, st)
	case "let":
		for i := range args {
			w.number(args[i].Text, sub.Span, st)
		}
	case "unset":
		for i := range args {
			w.unset(&args[i], st)
		}
	case "read", "mapfile", "readarray", "getopts", "wait":
		for i := range args {
			w.assigned(&args[i], sub.Span, st)
		}
	case "compgen", "complete":
		st.forget() // -F runs a function
	}
}

// printfName is the word that names the variable printf -v sets, nil without
// one.
func printfName(args []Word) *Word {
	for i := range args {
		switch t := args[i].Text; {
		case t == "-v" && i+1 < len(args):
			return &args[i+1]
		case strings.HasPrefix(t, "-v"):
			name := suffix(&args[i], len("-v"))
			return &name
		case !args[i].Known && literalPrefix(&args[i]) == "" && len(args) > 2:
			return &args[i+1] // it may be -v
		default:
			return nil
		}
	}
	return nil
}

// counted follows the %n of printf, which sets the variable its operand names to
// the number of characters printed so far.
func (w *walker) counted(args []Word, span Span, st *state) {
	for i := range args {
		if strings.HasPrefix(args[i].Text, "-") || i > 0 && args[i-1].Text == "-v" {
			continue
		}
		if format := &args[i]; format.Known && !countsCharacters(format.Text) {
			return
		}
		for j := range args[i+1:] {
			if a := &args[i+1+j]; a.Known && validName(a.Text) {
				if _, set := st.lookup(a.Text); set || runsCode(a.Text) || steers(a.Text) {
					w.assigned(a, span, st)
				}
			}
		}
		return
	}
}

// countsCharacters reports whether a format holds %n, flags and width between.
func countsCharacters(format string) bool {
	for {
		_, rest, ok := strings.Cut(format, "%")
		if !ok {
			return false
		}
		rest = strings.TrimLeft(rest, "#-+ 0123456789.*'")
		if strings.HasPrefix(rest, "n") {
			return true
		}
		format = strings.TrimPrefix(rest, "%")
	}
}

// assigned makes the variable that a builtin was told to set unknown.
func (w *walker) assigned(a *Word, span Span, st *state) {
	name, _, _ := strings.Cut(a.Text, "[")
	switch {
	case strings.Contains(name, HoleMark):
		w.unknownName(name, span)
		st.anyName()
	case validName(name):
		w.touched(name, span, st)
		st.bind(name, HoleMark)
		if !w.keeps(name) {
			w.unknownNumber(inIndex, span, st)
		}
	}
}

// unset makes a variable unknown: the text may set it again.
func (w *walker) unset(a *Word, st *state) {
	name, _, _ := strings.Cut(a.Text, "[")
	switch {
	case strings.Contains(name, HoleMark):
		st.anyName()
		st.ifs, st.cdpath = true, true
	case validName(name):
		st.ifs = st.ifs || name == "IFS"
		st.cdpath = st.cdpath || name == "CDPATH"
		st.bind(name, HoleMark)
		if name == "PATH" { // bash then takes programs from the working directory
			st.addNarrow(setBefore(name))
		}
	}
}

func (w *walker) setOptions(args []Word, st *state) {
	for i, a := range args {
		t := a.Text
		if t == "--" || !strings.HasPrefix(t, "-") && !strings.HasPrefix(t, "+") && (i == 0 || !strings.HasSuffix(args[i-1].Text, "o")) {
			return // the rest are positional parameters
		}
		if strings.Contains(t, "e") {
			w.errexits++
		}
		switch {
		case len(t) > 1 && t[0] == '-' && strings.Trim(t[1:], "abefhkmnptuvxBCEHPTo") != "":
			return // an option that is none: nothing is set
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
func (w *walker) subscripts(sub *Subcommand, st *state) {
	args := sub.Argv[1:]
	switch sub.Program {
	case "test", "[":
		for i := range args {
			if a := &args[i]; a.Text == "-v" || a.Text == "-R" || !a.Known && mayTestName(args, i) {
				w.name(a, sub.Span, st)
				if i+1 < len(args) {
					w.name(&args[i+1], sub.Span, st)
				}
			}
		}
	case "printf":
		if name := printfName(args); name != nil {
			w.name(name, sub.Span, st)
		}
		for i := range args { // %d takes an expression in zsh and ksh
			if a := &args[i]; i > 0 && a.Known && arithmeticLike(a.Text) && runsInSubscript(a.Text) {
				w.name(a, sub.Span, st)
			}
		}
	case "let":
		for i := range args {
			if runsInSubscript(args[i].Text) {
				w.name(&args[i], sub.Span, st)
			}
		}
	case "read", "unset", "declare", "typeset", "local", "readonly", "export", "mapfile", "readarray", "wait", "getopts":
		for i := range args {
			w.name(&args[i], sub.Span, st)
		}
	}
}

// mayTestName reports whether the unknown word at i may be the -v or -R of a
// test: it is unquoted, or it stands where an operator does.
func mayTestName(args []Word, i int) bool {
	if !args[i].Single {
		return true
	}
	if literalPrefix(&args[i]) != "" || i+1 >= len(args) {
		return false
	}
	switch next := args[i+1].Text; next {
	case "=", "==", "!=", "<", ">", "-eq", "-ne", "-lt", "-le", "-gt", "-ge", "-nt", "-ot", "-ef", "-a", "-o", "]", ")":
		return false
	}
	return i == 0 || args[i-1].Text == "!" || args[i-1].Text == "(" || args[i-1].Text == "-a" || args[i-1].Text == "-o"
}

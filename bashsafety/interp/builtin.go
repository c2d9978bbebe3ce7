package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
)

// builtin brings the state up to date after a builtin of the shell ran.
func (w *walker) builtin(sub *analysis.Subcommand, d *commands.Facts, o outcome, st *words.State) outcome {
	if !isBuiltin(sub) {
		return outcome{}
	}
	if d.Chdir != nil {
		was := st.Cwd
		st.Cwd = *shell.Moved(&was, d.Chdir)
		if st.CDPath && !strings.HasPrefix(d.Chdir.Text, "/") {
			st.Cwd = st.Cwd.Lost()
		}
		was.Moved = true
		if w.opaque {
			st.Cwd = st.Cwd.Lost()
			return outcome{}
		}
		if w.enters(sub, d.Chdir, &st.Cwd) {
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
			st.Nullglob = st.Nullglob || args[i].Text == "nullglob"
			st.Allexport = st.Allexport || args[i].Text == "allexport"
		}
	case "source", ".":
		w.anyOther = true
		st.Forget()
	case "eval":
		if len(args) > 0 && !shell.AllKnown(args) {
			st.Forget()
		}
		for i := range sub.Assigns { // some shells undo them, whatever eval made of them
			st.Bind(sub.Assigns[i].Name, shell.HoleMark)
		}
		return o
	case "alias":
		for _, a := range args {
			if name, _, ok := strings.Cut(a.Text, "="); ok && !strings.HasPrefix(name, "-") {
				st.Aliases = append(st.Aliases, name)
			}
		}
	case "hash":
		for i := range args {
			if strings.Contains(args[i].Text, "=") {
				w.Doubt(analysis.DoubtZsh, sub.Span, "hash NAME=PATH chooses the program in zsh")
			}
		}
		if len(args) > 2 && strings.HasPrefix(args[0].Text, "-") && strings.Contains(args[0].Text, "p") {
			for _, a := range args[2:] {
				st.Aliases = append(st.Aliases, a.Text)
			}
		}
	default:
		w.setsByName(sub, args, st)
	}
	return outcome{}
}

// enters reports whether a cd that leads to a state is known to work.
func (w *walker) enters(sub *analysis.Subcommand, dir *shell.Word, to *shell.CwdState) bool {
	ask := w.Env.Enters
	return ask != nil && ask(&analysis.Entering{Dir: dir, Dirs: to.Dirs, Settled: w.settled(sub)})
}

// settled reports whether a cd is a plain one, before which the text does nothing but read, write
// through redirects and go to folders, and which nothing runs at the same time as.
func (w *walker) settled(sub *analysis.Subcommand) bool {
	again := w.tangled || w.pipes > 0 || w.loops > 0
	if again || len(sub.Via) > 0 || len(w.s.Doubts) > 0 || !plainCd(sub) {
		return false
	}
	for i := range w.s.Subcommands {
		s := &w.s.Subcommands[i]
		harmless := s.ReadOnly || s.Redirected || s.Program == "cd"
		if !harmless || s.Program == "set" && !plainSet(s) {
			return false
		}
	}
	return true
}

// plainCd reports whether a command is cd and one word that is a name in every shell.
func plainCd(sub *analysis.Subcommand) bool {
	if len(sub.Argv) != 2 || sub.Argv[0].Text != "cd" || sub.Outer != nil || len(sub.Assigns) > 0 {
		return false
	}
	name := &sub.Argv[1]
	return name.Known && name.Text != "" && strings.IndexByte("-+=", name.Text[0]) < 0
}

// plainSet reports whether a set only switches options by which no command means something else.
func plainSet(s *analysis.Subcommand) bool {
	return !slices.ContainsFunc(s.Argv[1:], func(a shell.Word) bool {
		return !a.Known || !shell.Among("-e -u -x -eu -ex -ux -eux -euo -euxo -o +e +u +x pipefail errexit nounset", a.Text)
	})
}

// setsByName follows the builtins that set variables by name, values of options among them.
func (w *walker) setsByName(sub *analysis.Subcommand, args []shell.Word, st *words.State) {
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
		st.Forget() // -F runs a function
	}
}

// readName follows read of one variable where a command that lists files is in front of the pipe.
func (w *walker) readName(sub *analysis.Subcommand, c *ctx, st *words.State) {
	args, raw, null := sub.Argv[1:], false, false
	other := func(a shell.Assign) bool { return a.Name != "IFS" || !a.Value.Known || a.Value.Text != "" }
	for ; len(args) > 1; args = args[1:] {
		if args[0].Text == "-r" {
			raw = true
			continue
		}
		if null = shell.Among("-d -rd", args[0].Text) && args[1].Known && args[1].Text == ""; !null {
			break
		}
		raw, args = raw || args[0].Text == "-rd", args[1:]
	}
	if c.stdin.kind != stdinPipe || len(args) != 1 || slices.ContainsFunc(sub.Assigns, other) {
		return
	}
	name, l := args[0].Text, w.Listed(c.stdin.front, c.fr, c.stdin.state)
	if l == nil || l.Null != null {
		return
	}
	if args[0].Known && shell.ValidName(name) && w.keeps(name) {
		l.Split = !null || !raw || len(sub.Assigns) == 0
		st.Push(words.Binding{Name: name, Text: shell.HoleMark, Listing: l, Sure: true})
	}
}

// assigned makes the variable that a builtin was told to set unknown.
func (w *walker) assigned(a *shell.Word, span shell.Span, st *words.State) {
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
		st.Bind(name, shell.HoleMark)
		if !w.keeps(name) {
			w.unknownNumber(inIndex, span, st)
		}
	}
}

// unset makes a variable unknown: the text may set it again.
func (w *walker) unset(a *shell.Word, st *words.State) {
	name, _, _ := strings.Cut(a.Text, "[")
	switch {
	case strings.Contains(name, shell.HoleMark):
		st.AnyName()
		st.IFS, st.CDPath = true, true
		if commands.CouldSteer(name) {
			st.AddBlocker("a variable whose name is only known at run time was unset earlier")
		}
	case shell.ValidName(name):
		if slices.Contains(w.refs, name) { // what it refers to
			st.AnyName()
			st.IFS, st.CDPath = true, true
		}
		st.IFS = st.IFS || name == "IFS"
		st.CDPath = st.CDPath || name == "CDPATH" || name == "cdpath"
		st.Bind(name, shell.HoleMark)
		if name == "PATH" || name == "path" { // bash then takes programs from the working directory
			st.AddBlocker(analysis.SetEarlier(name))
		}
	}
}

// setOptions follows the options of set that matter here: -e and -a.
func (w *walker) setOptions(args []shell.Word, st *words.State) {
	before := ""
	for i := range args {
		a := &args[i]
		if a.Text == "--" || !isOption(a) && !strings.HasSuffix(before, "o") {
			return // the rest are positional parameters
		}
		if strings.Contains(a.Text, "e") {
			w.errexits++
		}
		if strings.HasPrefix(a.Text, "-") && !setLetters(a.Text) {
			return // bash has no such option: nothing is set
		}
		st.SetOption(a.Text, before)
		before = a.Text
	}
}

// setLetters reports whether bash knows all options in a word like -eu of set.
func setLetters(option string) bool {
	return strings.Trim(option[1:], "abefhkmnptuvxBCEHPTo") == ""
}

// bashOption names the options of set -o. Source: bash 5.2.
func bashOption(name string) bool {
	return shell.Among("allexport braceexpand emacs errexit errtrace functrace hashall histexpand history ignoreeof "+
		"interactive-comments keyword monitor noclobber noexec noglob nolog notify nounset onecmd physical pipefail posix "+
		"privileged verbose vi xtrace", name)
}

// counted follows %n of printf, which puts the number of characters so far into a variable.
func (w *walker) counted(args []shell.Word, span shell.Span, st *words.State) {
	format, operands := formatted(args)
	if format == nil || format.Known && !commands.CountsCharacters(format.Text) {
		return
	}
	for i := range operands {
		a := &operands[i]
		if !a.Known || !shell.ValidName(a.Text) {
			continue
		}
		if _, set := st.Lookup(a.Text); set || commands.RunsCode(a.Text) || w.mayReach(a.Text) {
			w.assigned(a, span, st)
		}
	}
}

// formatted are the format of printf, nil for none, and its operands.
func formatted(args []shell.Word) (format *shell.Word, operands []shell.Word) {
	for i := range args {
		if !strings.HasPrefix(args[i].Text, "-") && (i == 0 || args[i-1].Text != "-v") {
			return &args[i], args[i+1:]
		}
	}
	return nil, nil
}

// zshBuiltin doubts builtins of zsh that run the rest of the line, set variables or change how zsh
// reads on. Bash has no such commands.
func (w *walker) zshBuiltin(sub *analysis.Subcommand) {
	what := ""
	switch name := sub.Argv[0].Text; name {
	case "noglob", "nocorrect", "repeat", "foreach", "-":
		what = name + " runs the rest of the line in zsh"
	case "setopt", "unsetopt", "emulate", "disable", "unhash", "unfunction", "functions", "autoload", "zmodload":
		what = name + " changes how zsh reads what follows"
	case "integer", "float", "private", "vared", "getln", "zparseopts", "zformat", "zstyle", "zregexparse":
		what = name + " sets variables in zsh"
	case "zcompile":
		what = name + " writes files in zsh"
	case "pushln", "sched", "zle", "bindkey", "compctl":
		what = name + " makes zsh run its operands later"
	case "print":
		if hasLetter(sub.Argv[1:], "vzsS") {
			what = "print sets a variable or the history in zsh"
		}
	case "command", "exec", "builtin":
		if strangeOption(name, sub.Argv[1:]) {
			what = name + " runs a word that starts with - in zsh"
		}
	case "trap":
		if len(sub.Argv) > 2 && trapText(sub.Argv[1].Text) {
			what = "in zsh, trap runs this as code"
		}
	case "set":
		if zshOption(sub.Argv[1:]) {
			what = "in zsh, set reads this as an option"
		}
	case "declare", "typeset", "local", "export", "readonly":
		if len(sub.Argv) == 2 && sub.Argv[1].Text == "-F" {
			break // lists functions, or floats
		}
		if d := newDeclaration(sub.Argv); strings.Trim(d.letters+d.off, "aAcfgiIlnprtux") != "" {
			what = name + " reads this as an option in zsh"
		}
	}
	if what != "" {
		w.Doubt(analysis.DoubtZsh, sub.Span, what)
	}
}

// strangeOption reports an option of command, exec or builtin that zsh does not have.
func strangeOption(name string, args []shell.Word) bool {
	letters := ""
	switch name {
	case "command":
		letters = "pvV"
	case "exec":
		letters = "cla"
	}
	if len(args) == 0 || !args[0].Known || args[0].Text == "--" {
		return false
	}
	option, ok := strings.CutPrefix(args[0].Text, "-")
	if name == "exec" && strings.HasPrefix(option, "a") {
		return false // the rest is the name the program gets
	}
	return ok && (option == "" || strings.Trim(option, letters) != "")
}

// trapText reports a word after trap that bash takes for an option and zsh for text.
func trapText(word string) bool {
	return len(word) > 1 && word[0] == '-' && word != "--" && strings.Trim(word[1:], "lp") != ""
}

// hasLetter reports whether an option in front holds one of the letters, or may.
func hasLetter(args []shell.Word, any string) bool {
	for i := range args {
		t := args[i].Text
		if t == "-" || t == "--" || args[i].Known && !strings.HasPrefix(t, "-") {
			return false
		}
		if strings.ContainsAny(t, any) || !args[i].Known && shell.LiteralPrefix(&args[i]) == "" {
			return true
		}
	}
	return false
}

// zshOption reports whether an option of set means nothing in bash, or something else.
func zshOption(args []shell.Word) bool {
	for i := range args {
		a := &args[i]
		switch {
		case i > 0 && args[i-1].Known && strings.HasSuffix(args[i-1].Text, "o"):
			if a.Known && !bashOption(a.Text) {
				return true
			}
		case len(a.Text) < 2 || a.Text == "--" || !isOption(a): // no letters after - or +
			return false
		case a.Known && (!setLetters(a.Text) || strings.ContainsAny(a.Text, "PT")):
			return true
		}
	}
	return false
}

// nullCommand reports variables by which zsh finds a program to run for a bare redirect or in front
// of all others, its own parts, or the character of comments.
func nullCommand(name string) bool {
	return shell.Among("NULLCMD READNULLCMD PROMPT4 STTY MODULE_PATH HISTCHARS histchars", name)
}

// madeInteger notes what arithmetic assigns: zsh makes a new variable an integer, which evaluates
// what it is given later.
func (w *walker) madeInteger(name string, st *words.State) {
	if v, ok := st.Lookup(name); !ok || v == shell.HoleMark {
		w.addAttr(&w.attrs, name)
		w.addAttr(&w.typed, name)
	}
}

// hookFunction reports a function that zsh runs by itself: TRAPINT and the like for signals.
func hookFunction(name string) bool {
	signal, trap := strings.CutPrefix(name, "TRAP")
	if trap && signal != "" && strings.Trim(signal, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
		return true
	}
	return shell.Among("preexec precmd chpwd periodic zshaddhistory zshexit zsh_directory_name "+
		"command_not_found_handler", name)
}

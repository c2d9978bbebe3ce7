package words

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/crosscheck"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// LiteralOutput is what a command in front of a pipe certainly prints: echo and
// printf of literal words, and cat of a here-document.
func (r *Reader) LiteralOutput(s *syntax.Stmt, fr *Frame, st *State) (shell.Word, bool) {
	if s == nil || !InForeground(s) {
		return shell.Word{}, false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return shell.Word{}, false
	}
	argv := r.spelled(call.Args, fr, st)
	switch {
	case len(argv) == 0 || r.Replaced(argv[0].Text, st):
		return shell.Word{}, false
	case len(s.Redirs) == 0:
		return echoed(argv)
	case len(s.Redirs) == 1 && catsHeredoc(argv, s.Redirs[0]):
		return r.Heredoc(s.Redirs[0], fr, st), true
	}
	return shell.Word{}, false
}

// catsHeredoc reports whether a command prints the here-document it is given.
func catsHeredoc(argv []shell.Word, r *syntax.Redirect) bool {
	return len(argv) == 1 && argv[0].Text == "cat" && r.N == nil && crosscheck.IsHeredoc(r)
}

// echoed is the output of echo or printf with literal arguments.
func echoed(argv []shell.Word) (shell.Word, bool) {
	out := shell.Word{Known: true, Single: true, Quoted: true, Span: argv[0].Span}
	args := argv[1:]
	switch argv[0].Text {
	case "echo":
		for len(args) > 0 && args[0].Text == "-n" {
			args = args[1:]
		}
		if len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
			return out, false
		}
		if out.Text = shell.JoinText(args); strings.IndexByte(out.Text, '\\') >= 0 {
			return out, false // some shells decode it
		}
	case "printf":
		text, ok := printed(args)
		if !ok {
			return out, false
		}
		out.Text = text
	default:
		return out, false
	}
	if len(args) > 0 {
		out.Span.End = args[len(args)-1].Span.End
	}
	return out, true
}

// printed is the output of printf where its format holds %s and plain text alone.
func printed(args []shell.Word) (string, bool) {
	if len(args) == 0 {
		return "", true
	}
	format := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(args[0].Text)
	verbs := strings.Count(format, "%")
	if verbs != strings.Count(format, "%s") || strings.HasPrefix(format, "-") || strings.ContainsRune(format, '\\') {
		return "", false
	}
	if len(args) > 1 && verbs == 0 {
		return "", false
	}
	return shell.Printf(format, args[1:]), true
}

// makesTemp reports whether a substitution is one plain mktemp that makes a file
// or folder in a temporary folder, while the text has not set TMPDIR: without a
// template, -p, --tmpdir or -u, or by a template directly in $TMPDIR or /tmp.
func (x *expander) makesTemp(stmts []*syntax.Stmt) bool {
	if _, set := x.st.Lookup("TMPDIR"); set || len(stmts) != 1 {
		return false
	}
	if _, set := x.st.Lookup("PATH"); set {
		return false // it may be another program
	}
	argv := make([]shell.Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		argv = append(argv, Known(x.template(word.Parts), shell.Span{}))
	}
	if len(argv) == 0 || !x.r.system(argv[0].Text, x.st) ||
		commands.TableName(commands.ProgramName(argv)) != "mktemp" {
		return false
	}
	c := commands.Describe(argv, &shell.CwdState{}, "")
	for i := range c.Opts {
		switch c.Opts[i].Name {
		case "d", "directory", "q", "quiet", "t":
		default:
			return false
		}
	}
	switch len(c.Operands) {
	case 0:
		return true
	case 1:
		return x.tempTemplate(c.LiteralOperand(0), c.Has("t"))
	}
	return false
}

// tempTemplate reports whether mktemp makes a file of this template in a
// temporary folder. A plain name is one of the working directory, except after -t.
func (x *expander) tempTemplate(t string, named bool) bool {
	dir, name := path.Split(t)
	if name == "" || strings.Contains(name, "..") {
		return false
	}
	switch dir = path.Clean(dir); dir {
	case ".":
		return named && !strings.Contains(t, "/")
	case "/tmp", "/var/tmp":
		return !named
	}
	return !named && x.r.Env.Temp != "" && dir == path.Clean(x.r.Env.Temp)
}

// template is a literal word in which $TMPDIR may be its value, "" for
// every other word.
func (x *expander) template(parts []syntax.WordPart) string {
	text, ok := Spelled(parts, x.tempFolder)
	if !ok || strings.ContainsAny(text, "\\*?[{~") {
		return "*"
	}
	return text
}

// tempFolder is the value of an expansion of $TMPDIR, where that is known.
func (x *expander) tempFolder(p *syntax.ParamExp) (string, bool) {
	if x.tempDefault(p) {
		return "/tmp", true
	}
	known := ParamName(p) == "TMPDIR" && x.r.Env.Temp != "" && (simpleParam(p) || x.defaulted(p))
	return x.r.Env.Temp, known
}

// Spelled is a word whose variables have the values that fill knows; false where the rest is not literal.
func Spelled(parts []syntax.WordPart, fill func(*syntax.ParamExp) (string, bool)) (text string, ok bool) {
	for _, part := range parts {
		value, known := "", true
		switch p := part.(type) {
		case *syntax.Lit:
			value = p.Value
		case *syntax.SglQuoted:
			value = p.Value
		case *syntax.DblQuoted:
			value, known = Spelled(p.Parts, fill)
		case *syntax.ParamExp:
			value, known = fill(p)
		default:
			known = false
		}
		if text += value; !known {
			return "", false
		}
	}
	return text, true
}

// tempDefault reports whether the expansion is ${TMPDIR:-/tmp}, and the variable
// is not set.
func (x *expander) tempDefault(p *syntax.ParamExp) bool {
	if !x.r.Env.TempUnset || p.Param.Value != "TMPDIR" || !onlyDefault(p) || p.Exp.Word == nil {
		return false
	}
	if _, set := x.st.Lookup("TMPDIR"); set {
		return false
	}
	unset := p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull
	return unset && strings.TrimRight(p.Exp.Word.Lit(), "/") == "/tmp"
}

// printsIntegers reports whether what a list prints is integers, or nothing.
func (r *Reader) printsIntegers(stmts []*syntax.Stmt, fr *Frame, st *State) bool {
	other := func(s *syntax.Stmt) bool { return !r.printsInteger(s, fr, st) }
	return len(stmts) > 0 && !slices.ContainsFunc(stmts, other)
}

func (r *Reader) printsInteger(s *syntax.Stmt, fr *Frame, st *State) bool {
	loud := func(to *syntax.Redirect) bool { // 2>&1: what it says of errors names files
		return !discardsErrors(to) && to.Op != syntax.RdrIn && to.Op != syntax.WordHdoc
	}
	if slices.ContainsFunc(s.Redirs, loud) {
		return false
	}
	if cmd, ok := s.Cmd.(*syntax.BinaryCmd); ok {
		silent := cmd.Op == syntax.Pipe
		return (silent || r.printsInteger(cmd.X, fr, st)) && r.printsInteger(cmd.Y, fr, st)
	}
	cmd, ok := s.Cmd.(*syntax.CallExpr)
	return ok && len(cmd.Assigns) == 0 && len(cmd.Args) > 0 && r.callPrintsInteger(cmd.Args, s, fr, st)
}

func (r *Reader) callPrintsInteger(words []*syntax.Word, s *syntax.Stmt, fr *Frame, st *State) bool {
	name := words[0].Lit()
	if !r.system(name, st) {
		return false
	}
	switch name {
	case "true", ":", "false":
		return true
	case "echo":
		out, ok := r.LiteralOutput(s, fr, st)
		return ok && r.Walk.Integral(&out, &State{})
	}
	if !commands.MayPrintIntegers(name) {
		return false
	}
	var argv []shell.Word
	for _, word := range words {
		argv = r.Fields(word, fr, st, argv)
	}
	return commands.PrintsIntegers(argv)
}

// Listed is what the stages of a pipe list: names of files, one a line or more than one. It is nil where that is not
// known. Filters of lines leave them what they are.
func (r *Reader) Listed(stages []*syntax.Stmt, fr *Frame, st *State) *shell.Listing {
	n := len(stages)
	if n == 0 || !InForeground(stages[n-1]) || st.CDPath || len(st.Cwd.Dirs) != 1 {
		return nil
	}
	pipe, ok := stages[n-1].Cmd.(*syntax.BinaryCmd)
	if ok && n == 1 && pipe.Op == syntax.Pipe && len(stages[0].Redirs) == 0 {
		return r.Listed([]*syntax.Stmt{pipe.X, pipe.Y}, fr, st)
	}
	argv := r.spelled(plainCall(stages[n-1]), fr, st)
	if len(argv) == 0 || !r.system(argv[0].Text, st) {
		return nil
	}
	c := commands.Describe(argv, &st.Cwd, r.Env.Home)
	if n == 1 {
		return c.Lists()
	}
	l := r.Listed(stages[:n-1], fr, st)
	if l == nil || l.Null || !commands.FiltersLines(c) {
		return nil
	}
	l.Split = true
	return l
}

// spelled returns the arguments that words make in every shell; nil where one is not known.
func (r *Reader) spelled(list []*syntax.Word, fr *Frame, st *State) (argv []shell.Word) {
	outer := r.UnlikeZsh
	r.UnlikeZsh = false
	for _, a := range list {
		argv = r.Fields(a, fr, st, argv)
	}
	unlike := r.UnlikeZsh
	r.UnlikeZsh = outer
	if unlike || !shell.AllKnown(argv) {
		return nil
	}
	return argv
}

// Replaced reports whether the text may have put something in the place of a program.
func (r *Reader) Replaced(program string, st *State) bool {
	return slices.Contains(r.Funcs, program) || slices.Contains(st.Aliases, program)
}

// system reports whether a command word finds the program of that name that the tables know, and nothing of the text.
func (r *Reader) system(name string, st *State) bool {
	return commands.SystemProgram(name) && !r.Replaced(name, st)
}

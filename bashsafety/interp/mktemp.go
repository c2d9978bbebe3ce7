package interp

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// makesTemp reports whether a substitution is one plain mktemp that makes a file
// or folder in a temporary folder, while the text has not set TMPDIR: without a
// template, -p, --tmpdir or -u, or by a template directly in $TMPDIR or /tmp.
func (x *expander) makesTemp(stmts []*syntax.Stmt) bool {
	if _, set := x.st.lookup("TMPDIR"); set || len(stmts) != 1 {
		return false
	}
	if _, set := x.st.lookup("PATH"); set {
		return false // it may be another program
	}
	argv := make([]shell.Word, 0, 4)
	for _, word := range plainCall(stmts[0]) {
		argv = append(argv, knownWord(x.template(word.Parts), shell.Span{}))
	}
	if len(argv) == 0 || !commands.SystemProgram(argv[0].Text) ||
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
	return !named && x.w.env.Temp != "" && dir == path.Clean(x.w.env.Temp)
}

// template is a literal word in which $TMPDIR may be its value, "" for
// every other word.
func (x *expander) template(parts []syntax.WordPart) string {
	text := ""
	for _, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
			text += p.Value
		case *syntax.SglQuoted:
			text += p.Value
		case *syntax.DblQuoted:
			text += x.template(p.Parts)
		case *syntax.ParamExp:
			switch {
			case x.tempDefault(p):
				text += "/tmp"
			case paramName(p) == "TMPDIR" && x.w.env.Temp != "" && (simpleParam(p) || x.defaulted(p)):
				text += x.w.env.Temp
			default:
				return "*"
			}
		default:
			return "*"
		}
	}
	if strings.ContainsAny(text, "\\*?[{~") {
		return "*"
	}
	return text
}

// tempDefault reports whether the expansion is ${TMPDIR:-/tmp}, and the variable
// is not set.
func (x *expander) tempDefault(p *syntax.ParamExp) bool {
	if !x.w.env.TempUnset || p.Param.Value != "TMPDIR" || !onlyDefault(p) || p.Exp.Word == nil {
		return false
	}
	if _, set := x.st.lookup("TMPDIR"); set {
		return false
	}
	unset := p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull
	return unset && strings.TrimRight(p.Exp.Word.Lit(), "/") == "/tmp"
}

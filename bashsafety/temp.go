package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// makesTemp reports whether a substitution is one plain mktemp that makes a file
// or folder in the temporary folder: without a path in its template, -p,
// --tmpdir or -u, and while the text has not set TMPDIR.
func makesTemp(stmts []*syntax.Stmt, st *state) bool {
	if _, set := st.lookup("TMPDIR"); set {
		return false
	}
	argv := plainArgv(stmts)
	if len(argv) == 0 || argv[0].Text != "mktemp" && !systemProgram(argv[0].Text) || tableName(programName(argv)) != "mktemp" {
		return false
	}
	c := describe(argv, &cwdState{}, "")
	for i := range c.opts {
		switch c.opts[i].name {
		case "d", "directory", "q", "quiet", "t":
		default:
			return false
		}
	}
	switch len(c.operands) {
	case 0:
		return true
	case 1: // a template is a file of the working directory, but behind -t
		return c.has("t") && !strings.Contains(c.literalOperand(0), "/")
	}
	return false
}

// belowTemp reports whether what follows the output of mktemp in a word stays
// below it.
func belowTemp(text string) bool {
	rest, ok := strings.CutPrefix(text, HoleMark)
	return ok && (rest == "" || rest[0] == '/') && !upward(rest)
}

// upward reports whether a path has a component "..".
func upward(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if part == ".." {
			return true
		}
	}
	return false
}

// tempDefault reports whether the expansion is ${TMPDIR:-/tmp}, and the variable
// is not set.
func (x *expander) tempDefault(p *syntax.ParamExp) bool {
	if !x.w.env.TempUnset || p.Param.Value != "TMPDIR" || p.Exp == nil || p.Exp.Word == nil ||
		p.Index != nil || p.Excl || p.Slice != nil || p.Repl != nil {
		return false
	}
	if _, set := x.st.lookup("TMPDIR"); set {
		return false
	}
	return (p.Exp.Op == syntax.DefaultUnset || p.Exp.Op == syntax.DefaultUnsetOrNull) && strings.TrimRight(p.Exp.Word.Lit(), "/") == "/tmp"
}

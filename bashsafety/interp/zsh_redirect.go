package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"mvdan.cc/sh/v3/syntax"
)

// zshRedirects notes what zsh makes of redirects and bash does not: it runs a
// program for those without a command, and reads all that feed one command,
// where bash reads the last.
func (w *walker) zshRedirects(s *syntax.Stmt, in *input, c *ctx, st *state) {
	if len(s.Redirs) == 0 {
		return
	}
	if len(st.blockers) > 0 && noCommand(s) {
		w.doubt(analysis.DoubtZsh, c.span(s), "zsh runs cat or more for a redirect without a command")
	}
	if in.kind != stdinInherited && feedCount(s.Redirs, c) > 1 {
		*in = input{kind: stdinPipe}
	}
}

// noCommand reports whether a statement is redirects and assignments alone.
func noCommand(s *syntax.Stmt) bool {
	call, ok := s.Cmd.(*syntax.CallExpr)
	return s.Cmd == nil || ok && len(call.Args) == 0
}

// feedCount counts what gives a command something to read: a pipe and redirects.
func feedCount(list []*syntax.Redirect, c *ctx) (n int) {
	if c.stdin.kind == stdinPipe && c.stdin.left != nil {
		n++
	}
	for _, r := range list {
		if (r.N == nil || r.N.Value == "0") && reads(r.Op) {
			n++
		}
	}
	return n
}

// reads reports whether a redirect gives a command something to read.
func reads(op syntax.RedirOperator) bool {
	switch op {
	case syntax.RdrIn, syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc, syntax.DplIn:
		return true
	}
	return false
}

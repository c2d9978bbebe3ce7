package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// timeClause walks what time measures. time is taken off like the other
// wrappers, so it only shows in Outer.
func (w *walker) timeClause(cl *syntax.TimeClause, c *ctx, st *state) outcome {
	at := c.fr.at(int(cl.Time.Offset()), int(cl.Time.Offset())+len("time"))
	time := knownWord("time", at)
	switch name := firstAssigned(cl.Stmt); {
	case name != "": // which the program of that name then takes for a program that does not exist
		w.add(analysis.Subcommand{
			Span: at, Program: "time", Argv: []shell.Word{time, knownWord(name, at)}, Via: c.via, From: c.from,
			Remote: true,
		})
	case startsAssigned(cl.Stmt):
		w.doubt(analysis.DoubtParserDiff, c.span(cl), "bash 3.2 runs time before an assignment as a program")
	}
	if cl.Stmt == nil { // after a pipe, and in other shells, it is a program
		w.add(analysis.Subcommand{Span: at, Program: "time", Argv: []shell.Word{time}, Via: c.via, From: c.from})
		return outcome{}
	}
	if w.depth++; w.depth > shell.MaxNesting {
		w.depth--
		w.doubt(analysis.DoubtTooDeep, shell.Span{Start: 0, End: len(w.s.Text)}, "")
		return outcome{}
	}
	defer func() { w.depth-- }()
	n := *c
	n.outer = append(slices.Clip(n.outer), time)
	if cl.PosixFormat {
		n.outer = append(n.outer, knownWord("-p", at))
	}
	if _, ok := cl.Stmt.Cmd.(*syntax.TimeClause); ok {
		w.doubt(analysis.DoubtZsh, c.span(cl), "the second time is a program in zsh")
	}
	branch := st.clone() // the shell itself, or in zsh a shell of its own
	o := w.stmt(cl.Stmt, &n, branch)
	st.join(branch, st.vars)
	return o
}

// startsAssigned reports whether a statement starts with an assignment.
func startsAssigned(s *syntax.Stmt) bool {
	if s == nil {
		return false
	}
	call, ok := s.Cmd.(*syntax.CallExpr)
	return ok && (len(call.Args) == 0 || len(call.Assigns) > 0)
}

// firstAssigned is the first assignment of a command as it is written, if that is
// the name of no file: "" where it may be one.
func firstAssigned(s *syntax.Stmt) string {
	if !startsAssigned(s) {
		return ""
	}
	call := s.Cmd.(*syntax.CallExpr)
	if len(call.Args) == 0 || !plainAssign(call.Assigns[0]) {
		return ""
	}
	a := call.Assigns[0]
	if value := plainLit(a.Value); value != "" && !strings.Contains(value, "/") {
		return a.Name.Value + "=" + value
	}
	return ""
}

// plainAssign reports NAME=value.
func plainAssign(a *syntax.Assign) bool {
	return a.Name != nil && a.Value != nil && a.Index == nil && !a.Append
}

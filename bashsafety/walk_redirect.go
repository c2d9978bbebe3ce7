package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// mayFail reports whether a redirect opens a file that may not be there or may
// not be written.
func mayFail(list []*syntax.Redirect) bool {
	for _, r := range list {
		switch r.Op {
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			continue
		}
		if !duplicates(r.Word) && r.Word.Lit() != "/dev/null" {
			return true
		}
	}
	return false
}

// holdRedirects notes what redirects feed to a command, and the variables that
// {name}> sets.
func (w *walker) holdRedirects(list []*syntax.Redirect, in *input, c *ctx, st *state) {
	if in.kind == stdinText {
		w.hold(in.text.Text)
	}
	for _, r := range list {
		if r.N == nil && w.fdSubscript(r, c) {
			w.doubt(dParserDiff, c.span(r), "bash takes the word in front for the variable of the descriptor")
		}
		if r.Op == syntax.WordHdoc && r.N != nil {
			v := w.single(r.Word, c, st, false)
			w.hold(v.Text)
		}
		if r.Hdoc != nil && r.N != nil {
			v := w.heredoc(r, c, st)
			w.hold(v.Text)
		}
		if name, ok := fdVariable(r); ok {
			w.touched(name, c.span(r), st)
			st.bind(name, HoleMark)
		}
	}
}

// fdSubscript reports whether {NAME[SUBSCRIPT]} stands in front of a redirect,
// which the parser takes for an argument.
func (w *walker) fdSubscript(r *syntax.Redirect, c *ctx) bool {
	at := int(r.OpPos.Offset())
	if at < 2 || at > len(c.fr.src) || c.fr.src[at-1] != '}' || c.fr.src[at-2] != ']' {
		return false
	}
	open := strings.LastIndexByte(c.fr.src[:at], '{')
	return open == 0 || open > 0 && strings.IndexByte(" \t\n;&|()", c.fr.src[open-1]) >= 0
}

// fdVariable returns the variable of a redirect {name}>.
func fdVariable(r *syntax.Redirect) (string, bool) {
	if r.N == nil || !strings.HasPrefix(r.N.Value, "{") {
		return "", false
	}
	name, _, _ := strings.Cut(strings.Trim(r.N.Value, "{}"), "[")
	return name, true
}

// coprocVariable forgets the array that a coproc sets.
func (w *walker) coprocVariable(name *syntax.Word, c *ctx, st *state) {
	if name == nil {
		return
	}
	w.walkWord(name, c, st)
	v := w.single(name, c, st, false)
	if !validName(v.Text) {
		st.forget()
		return
	}
	w.touched(v.Text, c.span(name), st)
	st.bind(v.Text, HoleMark)
	st.bind(v.Text+"_PID", HoleMark)
}

// bareExec reports whether a command is exec without a program, which makes its
// redirects those of the shell.
func bareExec(cmd syntax.Command) bool {
	call, ok := cmd.(*syntax.CallExpr)
	if !ok {
		return false
	}
	exec := false
	for _, a := range call.Args {
		switch text := rawText(a.Parts); {
		case text == "exec":
			exec = true
		case text == "command" || text == "builtin" || strings.HasPrefix(text, "-") || strings.Contains(text, HoleMark):
		default:
			return false
		}
	}
	return exec
}

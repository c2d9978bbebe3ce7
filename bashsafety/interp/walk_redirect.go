package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
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
// {name}> sets; own says that they are those of the shell itself.
func (w *walker) holdRedirects(list []*syntax.Redirect, own bool, in *input, c *ctx, st *state) {
	if in.kind == stdinText {
		w.noteLiteral(in.text.Text)
	}
	for _, r := range list {
		if r.N == nil && w.fdSubscript(r, c) {
			w.doubt(analysis.DoubtParserDiff, c.span(r), "bash reads the word before it as a descriptor variable")
		}
		if r.Op == syntax.WordHdoc && r.N != nil {
			v := w.single(r.Word, c, st, false)
			w.noteLiteral(v.Text)
		}
		if r.Hdoc != nil && r.N != nil {
			v := w.heredoc(r, c, st)
			w.noteLiteral(v.Text)
		}
		if name, ok := fdVariable(r); ok {
			if !own {
				w.doubt(analysis.DoubtParserDiff, c.span(r), "bash 3.2 and sh read {"+name+"} as an argument")
			}
			w.touched(name, c.span(r), st)
			st.bind(name, shell.HoleMark)
		}
	}
}

// fdSubscript reports whether {NAME[SUBSCRIPT]} is in front of a redirect,
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
	if !shell.ValidName(v.Text) {
		w.anyVariable(v.Text, c.span(name), st)
		return
	}
	w.touched(v.Text, c.span(name), st)
	st.bind(v.Text, shell.HoleMark)
	st.bind(v.Text+"_PID", shell.HoleMark)
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
		case text == "command", text == "builtin", strings.HasPrefix(text, "-"), strings.Contains(text, shell.HoleMark):
		default:
			return false
		}
	}
	return exec
}

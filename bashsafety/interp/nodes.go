package interp

import (
	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

func (w *walker) ifClause(cl *syntax.IfClause, c *ctx, st *state) outcome {
	end := (*state)(nil) // every way out merged
	never := true
	merge := func(branch *state, since *binding, o outcome) {
		if o.never {
			return
		}
		never = false
		if o.fails {
			branch.cwd = branch.cwd.Or(o.cwd)
		}
		if end == nil {
			end = branch
			end.forgetSince(branch.vars, since)
			return
		}
		end.join(branch, since)
	}
	since := st.vars
	cur := st.clone()
	for ; cl != nil; cl = cl.Else {
		then, failed := cur, cur
		if cl.ThenPos.IsValid() {
			heed := cur.withoutErrexit()
			o := w.body(cl.Cond, c, cur)
			heed()
			failed = cur.clone()
			failed.cwd = o.failed(cur)
			then = cur.clone()
		}
		merge(then, since, w.body(cl.Then, c, then))
		cur = failed
		if !cl.ThenPos.IsValid() {
			cur = nil
		}
	}
	if cur != nil {
		merge(cur, since, outcome{})
	}
	if end != nil {
		*st = *end
	}
	return outcome{never: never}
}

func (w *walker) caseClause(cl *syntax.CaseClause, c *ctx, st *state) {
	w.walkWord(cl.Word, c, st)
	since := st.vars
	out := st.clone() // no item may match
	for _, item := range cl.Items {
		for _, p := range item.Patterns {
			w.walkWord(p, c, st)
		}
		branch := st.clone()
		o := w.body(item.Stmts, c, branch)
		if o.never {
			continue
		}
		if o.fails {
			branch.cwd = branch.cwd.Or(o.cwd)
		}
		if item.Op != syntax.Break { // ;& and ;;& fall through
			st.join(branch, since)
		}
		out.join(branch, since)
	}
	*st = *out
}

// funcDecl walks the body as if it ran. When it really runs, variables and
// directory may be others.
func (w *walker) funcDecl(fn *syntax.FuncDecl, c *ctx, st *state) {
	name := ""
	if fn.Name != nil {
		name = fn.Name.Value
	} else {
		w.doubt(analysis.DoubtZsh, c.span(fn), "")
	}
	if hookFunction(name) {
		w.doubt(analysis.DoubtZsh, c.span(fn), "zsh runs the function "+name+" by itself")
	}
	n := c.through("function " + name)
	n.stdin, n.from = input{kind: stdinPipe}, nil
	body := st.clone()
	body.fresh()
	body.keepSure(st)
	body.errexit = false // it may be called where failure is tested
	if w.moves {
		body.cwd = body.cwd.Lost()
	}
	w.body([]*syntax.Stmt{fn.Body}, n, body)
	w.forgetAssigned(fn.Body, st)
}

func knownWord(text string, span shell.Span) shell.Word {
	return shell.Word{Text: text, Known: true, Single: true, Span: span}
}

package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"mvdan.cc/sh/v3/syntax"
)

// An outcome says how a command can end.
type outcome struct {
	fails bool           // the working directory is another one when it fails
	cwd   shell.CwdState // that directory
	never bool           // nothing after it runs: exit, return, exec
	// caught says that set -e does not end the text when it fails.
	caught bool
	front  *state // the shell before the last command of a chain in the background
}

// failed is the working directory after the command failed.
func (o outcome) failed(st *state) shell.CwdState {
	if o.fails {
		return o.cwd
	}
	return st.cwd
}

// stmts walks a list. The outcome is that of its last command.
func (w *walker) stmts(list []*syntax.Stmt, c *ctx, st *state) (o outcome) {
	never := false
	for i, s := range list {
		if o.fails && (!st.errexit || o.caught) {
			st.cwd = st.cwd.Or(o.cwd)
		}
		topLevel := w.depth == 0 && w.runs == 0
		if i > 0 && topLevel && s.Pos().Line() > list[i-1].Pos().Line() {
			w.nextLine(st)
		}
		o = w.stmt(s, c, st)
		never = never || o.never
	}
	o.never = never
	return o
}

// body walks a list in a level of its own.
func (w *walker) body(list []*syntax.Stmt, c *ctx, st *state) outcome {
	if w.depth++; w.depth > shell.MaxNesting {
		w.depth--
		w.doubt(analysis.DoubtTooDeep, shell.Span{Start: 0, End: len(w.s.Text)}, "")
		return outcome{}
	}
	o := w.stmts(list, c, st)
	w.depth--
	return o
}

// stmt walks one statement: its redirects, then its command.
func (w *walker) stmt(s *syntax.Stmt, c *ctx, st *state) outcome {
	w.steps++
	if w.full || w.tired() {
		return outcome{}
	}
	outer := st
	if s.Background || s.Coprocess || s.Disown {
		w.tangled = true
		if s.Coprocess || s.Disown {
			w.doubt(analysis.DoubtZsh, c.span(s), "")
		}
		st = st.clone()
		w.loops++
		defer func() { w.loops-- }()
	}
	fails := mayFail(s.Redirs)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(s.Redirs) > 0 && len(call.Args) == 0 {
		for _, a := range call.Assigns { // some shells expand the redirects first, some the values
			st.bind(a.Name.Value, shell.HoleMark)
		}
	}
	effects, in := w.redirects(s.Redirs, c, st)
	w.zshRedirects(s, &in, c, st)
	if in.kind != stdinInherited {
		n := *c
		n.stdin, n.from = in, nil
		c = &n
	}
	w.holdRedirects(s.Redirs, bareExec(s.Cmd), &in, c, st)
	mark, since, pre := len(w.s.Subcommands), st.vars, st
	if len(s.Redirs) > 0 {
		pre = st.clone() // the words of redirects are expanded before the command runs
	}
	heed := func() {}
	if s.Negated {
		heed = st.withoutErrexit()
	}
	o := w.command(s, c, st)
	heed()
	if s.Background && (w.endless > 0 || repeats(c.via)) {
		w.spawns(mark)
	}
	if o.front != nil { // zsh runs all but the last command in the shell itself
		outer.join(o.front, outer.vars)
	}
	w.attach(effects, mark, s, c)
	if len(s.Redirs) > 0 {
		after := len(w.s.Subcommands)
		w.walkRedirects(s.Redirs, c, pre)
		for k := after; k < len(w.s.Subcommands); k++ {
			w.s.Subcommands[k].Ahead = max(w.s.Subcommands[k].Ahead, k-mark)
		}
		st.sawEffects(pre, since)
	}
	if fails { // then nothing of the command happened
		st.forgetSince(st.vars, since)
		st.errexit = st.errexit && pre.errexit
		o = outcome{fails: true, cwd: o.failed(st).Or(pre.cwd), caught: o.caught}
	}
	if in.kind != stdinInherited && bareExec(s.Cmd) {
		st.fed = true
	}
	if s.Negated {
		was := st.cwd
		st.cwd = o.failed(st)
		o.cwd, o.fails, o.caught = was, true, true
	}
	if st != outer { // whatever becomes of it, the shell goes on
		return outcome{}
	}
	return o
}

// attach hangs the redirects of a statement on the command that has them: the
// first subcommand of the statement itself. A statement without one becomes a
// subcommand that only binds.
func (w *walker) attach(effects []shell.Effect, at int, s *syntax.Stmt, c *ctx) {
	if len(effects) == 0 {
		return
	}
	if c.remote {
		if at < len(w.s.Subcommands) {
			w.s.Subcommands[at].Away = effects
		}
		return
	}
	if at >= len(w.s.Subcommands) {
		at = w.add(analysis.Subcommand{Span: c.span(s), Structural: true, Via: c.via, From: c.from})
	}
	if at >= 0 {
		sub := &w.s.Subcommands[at]
		sub.Effects = append(effects, sub.Effects...)
		sub.Redirected = sub.ReadOnly && analysis.Changes(effects)
		sub.ReadOnly = sub.ReadOnly && !sub.Redirected
	}
}

// add appends a subcommand and returns its index, -1 when there are too many.
func (w *walker) add(s analysis.Subcommand) int {
	if len(w.s.Subcommands) >= shell.MaxSubcommands {
		if !w.full {
			w.full = true
			w.doubt(analysis.DoubtTooMany, s.Span, "")
		}
		return -1
	}
	s.Script = w.source
	if w.s.Subcommands == nil {
		w.s.Subcommands = make([]analysis.Subcommand, 0, 4)
	}
	w.s.Subcommands = append(w.s.Subcommands, s)
	return len(w.s.Subcommands) - 1
}

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

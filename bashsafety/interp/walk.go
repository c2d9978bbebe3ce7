package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// An outcome says how a command can end.
type outcome struct {
	fails bool           // the working directory is another one when it fails
	cwd   shell.CwdState // that directory
	never bool           // nothing after it runs: exit, return, exec
	// caught says that set -e does not end the text when it fails.
	caught bool
	front  *words.State // the shell before the last command of a chain in the background
}

// failed is the working directory after the command failed.
func (o outcome) failed(st *words.State) shell.CwdState {
	if o.fails {
		return o.cwd
	}
	return st.Cwd
}

// stmts walks a list. The outcome is that of its last command.
func (w *walker) stmts(list []*syntax.Stmt, c *ctx, st *words.State) (o outcome) {
	never := false
	for i, s := range list {
		if o.fails && (!st.Errexit || o.caught) {
			st.Cwd = st.Cwd.Or(o.cwd)
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
func (w *walker) body(list []*syntax.Stmt, c *ctx, st *words.State) outcome {
	if w.depth++; w.depth > shell.MaxNesting {
		w.depth--
		w.Doubt(analysis.DoubtTooDeep, shell.Span{Start: 0, End: len(w.s.Text)}, "")
		return outcome{}
	}
	o := w.stmts(list, c, st)
	w.depth--
	return o
}

// stmt walks one statement: its redirects, then its command.
func (w *walker) stmt(s *syntax.Stmt, c *ctx, st *words.State) outcome {
	w.Steps++
	if w.full || w.tired() {
		return outcome{}
	}
	outer := st
	if s.Background || s.Coprocess || s.Disown {
		w.tangled = true
		if s.Coprocess || s.Disown {
			w.Doubt(analysis.DoubtZsh, c.span(s), "")
		}
		st = st.Clone()
		w.loops++
		defer func() { w.loops-- }()
	}
	fails := mayFail(s.Redirs)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(s.Redirs) > 0 && len(call.Args) == 0 {
		for _, a := range call.Assigns { // some shells expand the redirects first, some the values
			st.Bind(a.Name.Value, shell.HoleMark)
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
	mark, since, pre := len(w.s.Subcommands), st.Vars, st
	if len(s.Redirs) > 0 {
		pre = st.Clone() // the words of redirects are expanded before the command runs
	}
	heed := func() {}
	if s.Negated {
		heed = st.WithoutErrexit()
	}
	o := w.command(s, c, st)
	heed()
	if s.Background && (w.endless > 0 || repeats(c.via)) {
		w.spawns(mark)
	}
	if o.front != nil { // zsh runs all but the last command in the shell itself
		outer.Join(o.front, outer.Vars)
	}
	w.attach(effects, mark, s, c)
	if len(s.Redirs) > 0 {
		after := len(w.s.Subcommands)
		w.walkRedirects(s.Redirs, c, pre)
		for k := after; k < len(w.s.Subcommands); k++ {
			w.s.Subcommands[k].When.Ahead = max(w.s.Subcommands[k].When.Ahead, k-mark)
		}
		st.SawEffects(pre, since)
	}
	if fails { // then nothing of the command happened
		st.ForgetSince(st.Vars, since)
		st.Errexit = st.Errexit && pre.Errexit
		o = outcome{fails: true, cwd: o.failed(st).Or(pre.Cwd), caught: o.caught}
	}
	if in.kind != stdinInherited && bareExec(s.Cmd) {
		st.Fed = true
	}
	if s.Negated {
		was := st.Cwd
		st.Cwd = o.failed(st)
		o.cwd, o.fails, o.caught = was, true, true
	}
	if st != outer { // whatever becomes of it, the shell goes on
		return outcome{}
	}
	return o
}

// attach hangs redirects on the first subcommand of their statement. A statement without one
// becomes a subcommand that only binds.
func (w *walker) attach(effects []shell.Effect, at int, s *syntax.Stmt, c *ctx) {
	if len(effects) == 0 {
		return
	}
	w.puts = w.puts || analysis.Changes(effects)
	if !c.Here() {
		if at < len(w.s.Subcommands) {
			sub := &w.s.Subcommands[at]
			if sub.Away = effects; c.Box != nil {
				sub.Effects = append(sub.Effects, c.Box.Here(effects, w.s.Env.Home)...)
			}
		}
		return
	}
	if at >= len(w.s.Subcommands) {
		at = w.Add(analysis.Subcommand{Span: c.span(s), Structural: true, Via: c.via, From: c.from})
	}
	if at >= 0 {
		sub := &w.s.Subcommands[at]
		sub.Effects = append(effects, sub.Effects...)
		sub.Redirected = sub.ReadOnly && analysis.Changes(effects)
		sub.ReadOnly = sub.ReadOnly && !sub.Redirected
		w.around(effects, at, c)
	}
}

// around notes a redirect of a list, or of a call of a function, where it takes what the rest of the commands print.
func (w *walker) around(effects []shell.Effect, at int, c *ctx) {
	if len(w.s.Subcommands) == at+1 || !analysis.Changes(effects) {
		return
	}
	elsewhere := map[int]bool{} // it is piped into another one
	for k := len(w.s.Subcommands) - 1; k > at; k-- {
		sub := &w.s.Subcommands[k]
		for _, from := range sub.From {
			elsewhere[from] = true
		}
		inWord := len(sub.Via) > len(c.via) && shell.Among("$() <()", sub.Via[len(c.via)])
		if !elsewhere[k] && !inWord {
			sub.Around = append(slices.Clip(effects), sub.Around...)
		}
	}
}

// Add appends a subcommand and returns its index, -1 when there are too many.
func (w *walker) Add(s analysis.Subcommand) int {
	if len(w.s.Subcommands) >= shell.MaxSubcommands {
		if !w.full {
			w.full = true
			w.Doubt(analysis.DoubtTooMany, s.Span, "")
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

func (w *walker) ifClause(cl *syntax.IfClause, c *ctx, st *words.State) outcome {
	end := (*words.State)(nil) // every way out merged
	never := true
	merge := func(branch *words.State, since *words.Binding, o outcome) {
		if o.never {
			return
		}
		never = false
		if o.fails {
			branch.Cwd = branch.Cwd.Or(o.cwd)
		}
		if end == nil {
			end = branch
			end.ForgetSince(branch.Vars, since)
			return
		}
		end.Join(branch, since)
	}
	since := st.Vars
	cur := st.Clone()
	for ; cl != nil; cl = cl.Else {
		then, failed := cur, cur
		if cl.ThenPos.IsValid() {
			heed := cur.WithoutErrexit()
			o := w.body(cl.Cond, c, cur)
			heed()
			failed = cur.Clone()
			failed.Cwd = o.failed(cur)
			then = cur.Clone()
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

func (w *walker) caseClause(cl *syntax.CaseClause, c *ctx, st *words.State) {
	w.walkWord(cl.Word, c, st)
	since := st.Vars
	out := st.Clone() // no item may match
	for _, item := range cl.Items {
		for _, p := range item.Patterns {
			w.walkWord(p, c, st)
		}
		branch := st.Clone()
		o := w.body(item.Stmts, c, branch)
		if o.never {
			continue
		}
		if o.fails {
			branch.Cwd = branch.Cwd.Or(o.cwd)
		}
		if item.Op != syntax.Break { // ;& and ;;& fall through
			st.Join(branch, since)
		}
		out.Join(branch, since)
	}
	*st = *out
}

// funcDecl walks the body as if it ran, where variables and directory may differ.
func (w *walker) funcDecl(fn *syntax.FuncDecl, c *ctx, st *words.State) {
	name := ""
	if fn.Name != nil {
		name = fn.Name.Value
	} else {
		w.Doubt(analysis.DoubtZsh, c.span(fn), "")
	}
	if hookFunction(name) {
		w.Doubt(analysis.DoubtZsh, c.span(fn), "zsh runs the function "+name+" by itself")
	}
	n := c.through("function " + name)
	n.stdin, n.from = input{kind: stdinPipe}, nil
	body := st.Clone()
	body.Fresh()
	body.KeepSure(st)
	w.keepTemps(body, st)
	body.Errexit, body.Open = false, true // it may be called where failure is tested
	if w.moves {
		body.Cwd = body.Cwd.Lost()
	}
	w.body([]*syntax.Stmt{fn.Body}, n, body)
	was := st.Cwd
	w.forgetAssigned(fn.Body, st)
	if !w.moves && len(st.Cwd.Dirs) == 0 { // only the words of a call may change the directory
		st.Cwd, w.movers = was, append(w.movers, name)
	}
	w.declareFunction(fn, c)
}

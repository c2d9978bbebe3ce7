package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// An outcome says how a command can end.
type outcome struct {
	fails bool     // the working directory is another one when it fails
	cwd   cwdState // that directory
	never bool     // nothing behind it runs: exit, return, exec
	// caught says that set -e does not end the text when it fails.
	caught bool
}

// failed is the working directory after the command failed.
func (o outcome) failed(st *state) cwdState {
	if o.fails {
		return o.cwd
	}
	return st.cwd
}

// stmts walks a list. The outcome is that of its last command.
func (w *walker) stmts(list []*syntax.Stmt, c *ctx, st *state) (o outcome) {
	never := false
	for i, s := range list {
		if i > 0 && o.fails && (!st.errexit || o.caught) {
			st.cwd = st.cwd.or(o.cwd)
		}
		if i > 0 && w.depth == 0 && w.runs == 0 && s.Pos().Line() > list[i-1].Pos().Line() {
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
	if w.depth++; w.depth > MaxNesting {
		w.depth--
		w.doubt(dTooDeep, Span{0, len(w.s.Text)}, "")
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
	if s.Background || s.Coprocess || s.Disown {
		if s.Coprocess || s.Disown {
			w.doubt(dZsh, c.span(s), "")
		}
		st = st.clone()
	}
	fails := mayFail(s.Redirs)
	if call, ok := s.Cmd.(*syntax.CallExpr); ok && len(s.Redirs) > 0 && len(call.Args) == 0 {
		for _, a := range call.Assigns { // some shells expand the redirects first, some the values
			st.bind(a.Name.Value, HoleMark)
		}
	}
	effects, in := w.redirects(s.Redirs, c, st)
	if in.kind != stdinInherited {
		n := *c
		n.stdin, n.from = in, nil
		c = &n
	}
	w.holdRedirects(s.Redirs, &in, c, st)
	mark, since, pre := len(w.s.Subcommands), st.vars, st
	if len(s.Redirs) > 0 {
		pre = st.clone() // the words of redirects are expanded before the command runs
	}
	heed := func() {}
	if s.Negated {
		heed = st.heedless()
	}
	o := w.command(s, c, st)
	heed()
	w.attach(effects, mark, s, c)
	if len(s.Redirs) > 0 {
		w.walkRedirects(s.Redirs, c, pre)
		st.blur(pre.vars, since)
	}
	if fails { // then nothing of the command happened
		st.blur(st.vars, since)
		st.errexit = st.errexit && pre.errexit
		o = outcome{fails: true, cwd: o.failed(st).or(pre.cwd), caught: o.caught}
	}
	if in.kind != stdinInherited && bareExec(s.Cmd) {
		st.fed = true
	}
	if s.Negated {
		was := st.cwd
		st.cwd = o.failed(st)
		o.cwd, o.fails, o.caught = was, true, true
	}
	return o
}

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

// attach hangs the redirects of a statement on the command that has them: the
// first subcommand of the statement itself. A statement without one becomes a
// subcommand that only binds.
func (w *walker) attach(effects []Effect, at int, s *syntax.Stmt, c *ctx) {
	if len(effects) == 0 || c.remote {
		return
	}
	if at >= len(w.s.Subcommands) {
		at = w.add(Subcommand{Span: c.span(s), Structural: true, Via: c.via, From: c.from})
	}
	if at >= 0 {
		sub := &w.s.Subcommands[at]
		sub.Effects = append(effects, sub.Effects...)
		sub.ReadOnly = sub.ReadOnly && !changes(effects)
	}
}

// changes reports whether an effect is more than reading.
func changes(effects []Effect) bool {
	for i := range effects {
		if effects[i].Kind != Read && effects[i].Kind != GitRead {
			return true
		}
	}
	return false
}

// add appends a subcommand and returns its index, -1 when there are too many.
func (w *walker) add(s Subcommand) int {
	if len(w.s.Subcommands) >= MaxSubcommands {
		if !w.full {
			w.full = true
			w.doubt(dTooMany, s.Span, "")
		}
		return -1
	}
	if w.s.Subcommands == nil {
		w.s.Subcommands = make([]Subcommand, 0, 4)
	}
	w.s.Subcommands = append(w.s.Subcommands, s)
	return len(w.s.Subcommands) - 1
}

// command walks a command by its kind. Every kind the parser knows is named
// here: a new one is a Doubt until somebody thought about it.
func (w *walker) command(s *syntax.Stmt, c *ctx, st *state) outcome {
	if c.posix {
		w.posixCommand(s, c)
	}
	switch cmd := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		return w.call(cmd, s, c, st)
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			return w.pipeline(cmd, c, st)
		}
		return w.andOr(cmd, c, st)
	case *syntax.Block:
		return w.body(cmd.Stmts, c.through(""), st)
	case *syntax.Subshell:
		w.body(cmd.Stmts, c.through(""), st.clone())
	case *syntax.IfClause:
		return w.ifClause(cmd, c.through(""), st)
	case *syntax.WhileClause:
		w.whileClause(cmd, c.through(""), st)
	case *syntax.ForClause:
		w.forClause(cmd, c.through(""), st)
	case *syntax.CaseClause:
		w.caseClause(cmd, c.through(""), st)
	case *syntax.FuncDecl:
		w.funcDecl(cmd, c, st)
	case *syntax.ArithmCmd:
		w.arithm(cmd.X, c, st)
	case *syntax.LetClause:
		w.letClause(cmd, c, st)
	case *syntax.TestClause:
		w.test(cmd.X, c, st)
	case *syntax.DeclClause:
		w.declClause(cmd, c, st)
	case *syntax.TimeClause:
		return w.timeClause(cmd, c, st)
	case *syntax.CoprocClause:
		w.coprocVariable(cmd.Name, c, st)
		n := c.through("coproc")
		n.stdin, n.from = input{kind: stdinPipe}, nil
		w.stmt(cmd.Stmt, n, st.clone())
	case *syntax.TestDecl:
		w.doubt(dUnknownNode, c.span(cmd), "")
		w.walkWord(cmd.Description, c, st)
		w.stmt(cmd.Body, c.through(""), st.clone())
	default:
		w.doubt(dUnknownNode, c.span(s), "")
	}
	return outcome{}
}

// andOr walks a chain of && and ||. What is bound behind the first command may
// not have happened when the chain is over; inside an && chain it has.
func (w *walker) andOr(b *syntax.BinaryCmd, c *ctx, st *state) outcome {
	errexit, touched := st.errexit, w.errexits
	st.errexit = false
	defer func() { st.errexit = errexit && w.errexits == touched }()
	list := chain(b)
	o := w.stmt(list[0].stmt, c, st)
	never := o.never
	since := st.vars
	sure := true // no failure behind us gets past the chain
	for _, l := range list[1:] {
		ok, failed := st.cwd, o.failed(st)
		if l.op == syntax.AndStmt {
			next := w.stmt(l.stmt, c, st)
			o, sure = outcome{fails: true, cwd: failed.or(next.failed(st)), caught: true}, false
			if next.never { // a && exit: what follows is the failure of a
				st.cwd, o.cwd = failed, failed
			}
			continue
		}
		alt := st.clone()
		alt.blur(st.vars, since)
		alt.cwd = failed
		next := w.stmt(l.stmt, c, alt)
		if next.never { // a || exit: what follows is the success of a
			o, sure = outcome{}, true
			continue
		}
		st.join(alt, st.vars)
		st.cwd = ok.or(alt.cwd)
		o, sure = outcome{fails: true, cwd: next.failed(alt), caught: true}, false
	}
	if !sure {
		st.blur(st.vars, since)
	}
	o.never = never
	return o
}

// A link is one command of a chain and the operator in front of it.
type link struct {
	op   syntax.BinCmdOperator
	stmt *syntax.Stmt
}

// chain flattens a && b || c, which the parser nests to the left.
func chain(b *syntax.BinaryCmd) []link {
	n := 2
	for x := inChain(b.X); x != nil; x = inChain(x.X) {
		n++
	}
	list := make([]link, n)
	for x := b; x != nil; x = inChain(x.X) {
		n--
		list[n] = link{x.Op, x.Y}
		list[0].stmt = x.X
	}
	return list
}

func inChain(s *syntax.Stmt) *syntax.BinaryCmd {
	b, ok := s.Cmd.(*syntax.BinaryCmd)
	if !ok || !bare(s) || b.Op != syntax.AndStmt && b.Op != syntax.OrStmt {
		return nil
	}
	return b
}

// bare reports whether a statement is nothing but its command.
func bare(s *syntax.Stmt) bool {
	return !s.Negated && !s.Background && !s.Coprocess && !s.Disown && len(s.Redirs) == 0
}

// pipeline walks the stages of a | b | c, each in a subshell of its own.
func (w *walker) pipeline(b *syntax.BinaryCmd, c *ctx, st *state) outcome {
	stages := stages(&syntax.Stmt{Cmd: b}, nil)
	start := len(w.s.Subcommands)
	for i, s := range stages {
		if w.full {
			break
		}
		n := c.through("")
		n.outer = c.outer
		if i > 0 {
			n.outer = nil
			n.stdin = input{kind: stdinPipe, left: stages[i-1], state: st}
			n.from = indexes(start, len(w.s.Subcommands), c.from)
		}
		w.stmt(s, n, st.clone())
	}
	return outcome{}
}

func stages(s *syntax.Stmt, out []*syntax.Stmt) []*syntax.Stmt {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && bare(s) && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		return stages(b.Y, stages(b.X, out))
	}
	return append(out, s)
}

func indexes(from, to int, more []int) []int {
	out := append(make([]int, 0, len(more)+to-from), more...)
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

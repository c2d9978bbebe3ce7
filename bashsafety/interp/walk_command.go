package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/words"
	"mvdan.cc/sh/v3/syntax"
)

// command walks a command by its kind. A kind that is not named here is a Doubt.
func (w *walker) command(s *syntax.Stmt, c *ctx, st *words.State) outcome {
	if c.posix {
		w.posixCommand(s, c)
	}
	switch s.Cmd.(type) {
	case *syntax.WhileClause, *syntax.ForClause, *syntax.FuncDecl, *syntax.CoprocClause, *syntax.TestDecl:
		w.tangled = true
	}
	switch cmd := s.Cmd.(type) {
	case nil:
	case *syntax.CallExpr:
		return w.call(cmd, c, st)
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.Pipe || cmd.Op == syntax.PipeAll {
			return w.pipeline(cmd, c, st)
		}
		return w.andOr(s, chain(cmd), c, st)
	case *syntax.Block:
		return w.body(cmd.Stmts, c.through(""), st)
	case *syntax.Subshell:
		w.body(cmd.Stmts, c.through(""), st.Clone())
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
		surelyAssigns(cmd.X, st)
	case *syntax.LetClause:
		w.letClause(cmd, c, st)
	case *syntax.TestClause:
		w.test(cmd.X, c, st)
	case *syntax.DeclClause:
		w.declClause(cmd, c, st)
	case *syntax.TimeClause:
		return w.timeClause(cmd, c, st)
	case *syntax.CoprocClause:
		if cmd.Name != nil {
			w.Doubt(analysis.DoubtZsh, c.span(cmd), "the name of a coprocess is a program in zsh")
		}
		w.coprocVariable(cmd.Name, c, st)
		n := c.through("coproc")
		n.stdin, n.from = input{kind: stdinPipe}, nil
		w.stmt(cmd.Stmt, n, st.Clone())
	case *syntax.TestDecl:
		w.Doubt(analysis.DoubtUnknownNode, c.span(cmd), "")
		w.walkWord(cmd.Description, c, st)
		w.stmt(cmd.Body, c.through(""), st.Clone())
	default:
		w.Doubt(analysis.DoubtUnknownNode, c.span(s), "")
	}
	return outcome{}
}

// andOr walks a chain of && and ||. What is bound after the first command may
// not have happened when the chain is over; inside an && chain it has.
func (w *walker) andOr(s *syntax.Stmt, list []link, c *ctx, st *words.State) outcome {
	errexit, touched := st.Errexit, w.errexits
	st.Errexit = false
	defer func() { st.Errexit = errexit && w.errexits == touched }()
	var front *words.State
	o := w.stmt(list[0].stmt, c, st)
	never := o.never
	since := st.Vars
	sure := true // no failure so far gets past the chain
	for i, l := range list[1:] {
		ok, failed := st.Cwd, o.failed(st)
		if s.Background && i == len(list)-2 {
			front = st.Clone()
			front.ForgetSince(st.Vars, since)
			front.Cwd, front.Errexit = ok.Or(failed), errexit && w.errexits == touched
		}
		if l.op == syntax.AndStmt {
			next := w.stmt(l.stmt, c, st)
			o, sure = outcome{fails: true, cwd: failed.Or(next.failed(st)), caught: true}, false
			if next.never { // a && exit: what follows is the failure of a
				st.Cwd, o.cwd = failed, failed
			}
			continue
		}
		alt := st.Clone()
		alt.ForgetSince(st.Vars, since)
		alt.Cwd = failed
		next := w.stmt(l.stmt, c, alt)
		if next.never { // a || exit: what follows is the success of a
			o, sure = outcome{}, true
			continue
		}
		st.Join(alt, st.Vars)
		st.Cwd = ok.Or(alt.Cwd)
		o, sure = outcome{fails: true, cwd: next.failed(alt), caught: true}, false
	}
	if !sure {
		st.ForgetSince(st.Vars, since)
	}
	o.never, o.front = never, front
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
func bare(s *syntax.Stmt) bool { return words.InForeground(s) && len(s.Redirs) == 0 }

// pipeline walks a | b | c, each in a subshell; what the last one does may last.
func (w *walker) pipeline(b *syntax.BinaryCmd, c *ctx, st *words.State) (o outcome) {
	stages := stages(&syntax.Stmt{Cmd: b}, nil)
	start := len(w.s.Subcommands)
	w.pipes++
	defer func() { w.pipes-- }()
	for i, s := range stages {
		if w.full {
			break
		}
		n := c.through("")
		n.outer = c.outer
		if i > 0 {
			n.outer = nil
			n.stdin = input{kind: stdinPipe, left: stages[i-1], state: st}
			n.from = analysis.Indexes(start, len(w.s.Subcommands), c.from)
		}
		stage := st.Clone()
		last := w.stmt(s, n, stage)
		if i == len(stages)-1 { // zsh runs it in the shell itself
			o = outcome{fails: last.fails, cwd: st.Cwd.Or(last.failed(stage))}
			st.Join(stage, st.Vars)
		}
	}
	return o
}

func stages(s *syntax.Stmt, out []*syntax.Stmt) []*syntax.Stmt {
	if b, ok := s.Cmd.(*syntax.BinaryCmd); ok && bare(s) && (b.Op == syntax.Pipe || b.Op == syntax.PipeAll) {
		return stages(b.Y, stages(b.X, out))
	}
	return append(out, s)
}

// posixCommand doubts what sh runs as several commands: ((a)), [[ a || b ]], [[ a > b ]], a &> f b.
func (w *walker) posixCommand(s *syntax.Stmt, c *ctx) {
	differs := false
	switch cmd := s.Cmd.(type) {
	case *syntax.ArithmCmd:
		differs = true
	case *syntax.TestClause:
		differs = listInTest(cmd.X)
	case *syntax.CallExpr:
		for _, r := range s.Redirs {
			if n := len(cmd.Args); n > 0 && (r.Op == syntax.RdrAll || r.Op == syntax.AppAll) {
				differs = differs || cmd.Args[n-1].Pos().Offset() > r.OpPos.Offset()
			}
		}
	}
	if differs {
		w.Doubt(analysis.DoubtParserDiff, c.span(s), "sh reads this as several commands")
	}
}

func listInTest(x syntax.TestExpr) bool {
	switch x := x.(type) {
	case *syntax.BinaryTest:
		switch x.Op {
		case syntax.AndTest, syntax.OrTest, syntax.TsBefore, syntax.TsAfter, syntax.TsReMatch:
			return true
		}
	case *syntax.UnaryTest:
		return listInTest(x.X)
	case *syntax.ParenTest:
		return true
	}
	return false
}

// posixQuote doubts $'...' with an escaped quote: to sh the quote ends there.
func (w *walker) posixQuote(q *syntax.SglQuoted, c *ctx) {
	if c.posix && q.Dollar && strings.Contains(q.Value, `\'`) {
		w.Doubt(analysis.DoubtParserDiff, c.span(q), "sh ends this quotation at the first quote inside it")
	}
}

// laterQuotes doubts $'...' of which bash 3.2 makes another value: \u, its own escape characters.
func (w *walker) laterQuotes(q *syntax.SglQuoted, c *ctx) {
	if words.NamedASCII(q.Value) {
		w.Doubt(analysis.DoubtParserDiff, c.span(q), "bash 3.2 does not know \\u")
	} else if text, _ := words.AnsiC(q.Value); strings.ContainsAny(text, "\x01\x7f") {
		w.Doubt(analysis.DoubtControl, c.span(q), "")
	}
}

package interp

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/bashsafety/words"
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
		outer := w.calling
		w.calling = cmd
		o := w.call(cmd, c, st)
		w.calling = outer
		return o
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
			n.stdin = input{kind: stdinPipe, left: stages[i-1], front: front(b, stages[:i]), state: st}
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

// front is what is in front of a pipe, nil where what it says of errors may come along.
func front(b *syntax.BinaryCmd, stages []*syntax.Stmt) []*syntax.Stmt {
	for b.Op == syntax.Pipe {
		next, piped := b.X.Cmd.(*syntax.BinaryCmd)
		if !piped {
			return stages
		}
		b = next
	}
	return nil
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

// walkWords walks what the words of a command run.
func (w *walker) walkWords(list []*syntax.Word, c *ctx, st *words.State) {
	for _, word := range list {
		w.walkWord(word, c, st)
	}
}

func (w *walker) walkWord(word *syntax.Word, c *ctx, st *words.State) {
	if word != nil {
		w.walkParts(word.Parts, false, c, st)
	}
}

// walkParts follows every substitution in the parts of a word.
func (w *walker) walkParts(parts []syntax.WordPart, quoted bool, c *ctx, st *words.State) {
	w.Steps += len(parts)
	for i, part := range parts {
		switch p := part.(type) {
		case *syntax.Lit:
		case *syntax.SglQuoted:
			w.posixQuote(p, c)
			if p.Dollar {
				w.laterQuotes(p, c)
			}
		case *syntax.DblQuoted:
			w.walkParts(p.Parts, true, c, st)
		case *syntax.ParamExp:
			w.zshSubscript(p, parts[i+1:], c, st)
			w.walkParam(p, quoted, c, st)
		case *syntax.CmdSubst:
			w.cmdSubst(p, c, st)
		case *syntax.ArithmExp:
			if word, ok := p.X.(*syntax.Word); !ok || !shell.Number(word.Lit()) {
				w.MayFail(st)
			}
			w.arithm(p.X, c, st)
		case *syntax.ProcSubst:
			n := c.through(p.Op.String() + ")")
			if p.Op != syntax.CmdIn {
				n.stdin, n.from = input{kind: stdinPipe}, nil
			}
			w.body(p.Stmts, n, st.Clone())
		case *syntax.ExtGlob:
			w.Doubt(analysis.DoubtExtGlob, c.span(p), "")
		case *syntax.BraceExp: // made by braces only, never part of a parsed word
			w.Doubt(analysis.DoubtUnknownNode, c.span(p), "")
		default:
			w.Doubt(analysis.DoubtUnknownNode, c.span(part), "")
		}
	}
}

// cmdSubst walks a command substitution. Where shells end one at different places,
// crosscheck has found that.
func (w *walker) cmdSubst(p *syntax.CmdSubst, c *ctx, st *words.State) {
	if p.TempFile || p.ReplyVar {
		w.Doubt(analysis.DoubtZsh, c.span(p), "")
	}
	inner := st.Clone()
	inner.Errexit = false // bash leaves set -e outside
	w.body(p.Stmts, c.through("$()"), inner)
}

// walkParam walks a parameter expansion and doubts forms that run text not seen here.
func (w *walker) walkParam(p *syntax.ParamExp, quoted bool, c *ctx, st *words.State) {
	name, span := words.ParamName(p), c.span(p)
	if p.Param == nil || p.Width || words.ZshOnly(p) || words.ZshPrefixed(p) {
		w.Doubt(analysis.DoubtZsh, span, "an expansion that only other shells know")
	}
	if p.Excl && words.StarIndex(p) == 0 && p.Names == 0 {
		w.Doubt(analysis.DoubtHiddenEval, span, "${!"+name+"} expands the variable that another one names")
	}
	if name == "IFS" && !quoted {
		w.Doubt(analysis.DoubtIFS, span, "")
	}
	w.walkIndexes(p, c, st)
	if p.Repl != nil {
		w.walkOperand(p.Repl.Orig, quoted, c, st)
		w.walkOperand(p.Repl.With, quoted, c, st)
		w.holdOperand(p.Repl.With, c, st)
	}
	if p.Exp == nil {
		return
	}
	w.walkOperand(p.Exp.Word, quoted, c, st)
	w.holdOperand(p.Exp.Word, c, st)
	switch p.Exp.Op {
	case syntax.DefaultUnset, syntax.DefaultUnsetOrNull, syntax.AlternateUnset, syntax.AlternateUnsetOrNull:
		if !quoted && opensBracket(p.Exp.Word) {
			w.Doubt(analysis.DoubtZsh, span, "zsh takes brackets in a default for a pattern, whose qualifiers run commands")
		}
	case syntax.AssignUnset, syntax.AssignUnsetOrNull:
		w.Doubt(analysis.DoubtHiddenEval, span, "${"+name+":=...} assigns while it expands")
		st.Bind(name, shell.HoleMark)
	case syntax.OtherParamOps:
		if lit := p.Exp.Word.Lit(); lit == "P" || lit == "" {
			w.Doubt(analysis.DoubtHiddenEval, span, "${"+name+"@P} runs the value as a prompt string")
		}
	}
}

// opensBracket reports a ( that is neither quoted nor a process substitution.
func opensBracket(word *syntax.Word) bool {
	other := strings.NewReplacer(`\\`, "", `\(`, "", "<(", "", ">(", "")
	return word != nil && slices.ContainsFunc(word.Parts, func(part syntax.WordPart) bool {
		lit, ok := part.(*syntax.Lit)
		return ok && strings.Contains(other.Replace(lit.Value), "(")
	})
}

// walkIndexes walks the arithmetic in a parameter expansion.
func (w *walker) walkIndexes(p *syntax.ParamExp, c *ctx, st *words.State) {
	if p.Index != nil && words.StarIndex(p) == 0 {
		if word, ok := p.Index.(*syntax.Word); !ok || !shell.Number(word.Lit()) {
			w.MayFail(st)
		}
		w.arithm(p.Index, c, st)
	}
	if p.Slice != nil {
		w.MayFail(st)
		w.arithm(p.Slice.Offset, c, st)
		w.arithm(p.Slice.Length, c, st)
	}
}

// holdOperand notes what a word inside an expansion brings into its value.
func (w *walker) holdOperand(word *syntax.Word, c *ctx, st *words.State) {
	if word != nil {
		w.noteLiteral(w.Single(word, c.fr, st, false).Text)
	}
}

// walkOperand walks a word inside an expansion, where the parser takes <( for text and bash does
// not.
func (w *walker) walkOperand(word *syntax.Word, quoted bool, c *ctx, st *words.State) {
	if word != nil && !quoted {
		for _, part := range word.Parts {
			lit, ok := part.(*syntax.Lit)
			if ok && (strings.Contains(lit.Value, "<(") || strings.Contains(lit.Value, ">(")) {
				w.Doubt(analysis.DoubtParserDiff, c.span(lit), "a process substitution inside an expansion")
			}
		}
	}
	w.walkWord(word, c, st)
}

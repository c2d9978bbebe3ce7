package crosscheck

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

func (p *painter) stmts(list []*syntax.Stmt) {
	for _, s := range list {
		p.stmt(s)
	}
}

func (p *painter) stmt(s *syntax.Stmt) {
	if s == nil {
		return
	}
	p.comments(s.Comments)
	if s.Cmd != nil {
		p.command(s.Cmd)
	}
	for _, r := range s.Redirs {
		p.redirect(r)
	}
	if s.Semicolon.IsValid() {
		p.token(s.Semicolon, 1, classOperator)
	}
}

func (p *painter) command(cmd syntax.Command) {
	switch n := cmd.(type) {
	case *syntax.CallExpr:
		for _, a := range n.Assigns {
			p.assign(a)
		}
		p.words(n.Args)
		p.note(n)
	case *syntax.BinaryCmd:
		p.stmt(n.X)
		p.token(n.OpPos, len(n.Op.String()), classOperator)
		if _, ok := n.Y.Cmd.(*syntax.TimeClause); ok && (n.Op == syntax.Pipe || n.Op == syntax.PipeAll) {
			p.doubt(int(n.Y.Pos().Offset()), "time after a pipe, where it is a program")
		}
		p.stmt(n.Y)
	case *syntax.Block:
		p.stmts(n.Stmts)
		p.comments(n.Last)
	case *syntax.Subshell:
		p.token(n.Lparen, 1, classOperator)
		p.stmts(n.Stmts)
		p.comments(n.Last)
		p.token(n.Rparen, 1, classOperator)
	case *syntax.IfClause:
		for ; n != nil; n = n.Else {
			p.list(n.Cond, n.CondLast)
			p.list(n.Then, n.ThenLast)
			p.comments(n.Last)
		}
	case *syntax.WhileClause:
		p.list(n.Cond, n.CondLast)
		p.list(n.Do, n.DoLast)
	case *syntax.ForClause:
		p.loop(n.Loop)
		p.list(n.Do, n.DoLast)
	case *syntax.CaseClause:
		p.caseClause(n)
	case *syntax.FuncDecl:
		p.function(n)
	case *syntax.ArithmCmd:
		p.fill(int(n.Left.Offset()), int(n.Right.Offset())+2, classArith)
		p.arithm(n.X, classArith)
	case *syntax.TestClause:
		p.token(n.Left, 2, classUnquoted)
		p.test(n.X)
		p.token(n.Right, 2, classUnquoted)
	case *syntax.DeclClause:
		p.token(n.Variant.ValuePos, len(n.Variant.Value), classUnquoted)
		for _, a := range n.Args {
			p.assign(a)
		}
	case *syntax.LetClause:
		p.token(n.Let, 3, classUnquoted)
		for _, x := range n.Exprs {
			p.fill(int(x.Pos().Offset()), int(x.End().Offset()), classUnquoted)
			p.arithm(x, classUnquoted)
			p.start(int(x.Pos().Offset()))
		}
	case *syntax.TimeClause:
		if n.Stmt != nil && strings.HasPrefix(p.src[min(int(n.Stmt.Pos().Offset()), len(p.src)):], "-") {
			p.doubt(int(n.Time.Offset()), "an option of time")
		}
		p.stmt(n.Stmt)
	case *syntax.CoprocClause:
		if _, ok := n.Stmt.Cmd.(*syntax.Block); !ok {
			p.doubt(int(n.Coproc.Offset()), "coproc without braces")
		}
		if n.Name != nil {
			p.word(n.Name, classUnquoted, true)
		}
		p.stmt(n.Stmt)
	default:
		p.doubt(int(cmd.Pos().Offset()), "an unknown command")
	}
}

func (p *painter) list(list []*syntax.Stmt, last []syntax.Comment) {
	p.stmts(list)
	p.comments(last)
}

// note remembers what the walk needs to know before it starts.
func (p *painter) note(n *syntax.CallExpr) {
	for _, word := range n.Args {
		switch word.Lit() {
		case "cd", "pushd", "popd", "eval", "source", ".":
			p.moves = true
		}
	}
}

func (p *painter) loop(loop syntax.Loop) {
	switch n := loop.(type) {
	case *syntax.WordIter:
		p.token(n.Name.ValuePos, len(n.Name.Value), classUnquoted)
		p.words(n.Items)
	case *syntax.CStyleLoop:
		p.fill(int(n.Lparen.Offset()), int(n.Rparen.Offset())+2, classArith)
		p.arithm(n.Init, classArith)
		p.arithm(n.Cond, classArith)
		p.arithm(n.Post, classArith)
	default:
		p.doubt(int(loop.Pos().Offset()), "an unknown loop")
	}
}

func (p *painter) caseClause(n *syntax.CaseClause) {
	p.word(n.Word, classUnquoted, true)
	for _, item := range n.Items {
		p.comments(item.Comments)
		for i, pattern := range item.Patterns {
			if open := p.before(int(pattern.Pos().Offset())); i == 0 && open >= 0 && p.src[open] == '(' {
				p.fill(open, open+1, classOperator)
			}
			p.word(pattern, classUnquoted, true)
			closer := byte('|')
			if i == len(item.Patterns)-1 {
				closer = ')'
			}
			p.expect(int(pattern.End().Offset()), closer)
		}
		p.list(item.Stmts, item.Last)
		if item.OpPos.IsValid() && int(item.OpPos.Offset()) < int(n.Esac.Offset()) {
			p.token(item.OpPos, len(item.Op.String()), classOperator)
		}
	}
	p.comments(n.Last)
}

func (p *painter) function(n *syntax.FuncDecl) {
	if n.Name == nil {
		p.doubt(int(n.Position.Offset()), "a function without a name")
		return
	}
	p.funcs = append(p.funcs, n.Name.Value)
	at := int(n.Name.ValuePos.Offset())
	p.fill(at, int(n.Name.ValueEnd.Offset()), classUnquoted)
	p.same(at, n.Name.Value)
	p.start(at)
	if n.Parens {
		p.expect(p.expect(int(n.Name.ValueEnd.Offset()), '('), ')')
	}
	p.stmt(n.Body)
}

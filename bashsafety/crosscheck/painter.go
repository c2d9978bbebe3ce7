package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
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

// IsHeredoc reports whether a redirect is a here-document: << or <<-.
func IsHeredoc(r *syntax.Redirect) bool { return r.Op == syntax.Hdoc || r.Op == syntax.DashHdoc }

// redirect paints a redirection and, when it is one, its here-document.
func (p *painter) redirect(r *syntax.Redirect) {
	if r.N != nil {
		p.token(r.N.ValuePos, len(r.N.Value), classOperator)
		p.start(int(r.N.ValuePos.Offset()))
	}
	p.token(r.OpPos, len(r.Op.String()), classOperator)
	p.same(int(r.OpPos.Offset()), r.Op.String())
	p.word(r.Word, classUnquoted, true)
	if IsHeredoc(r) {
		p.heredoc(r)
	}
}

// heredoc paints the lines of a here-document, the delimiter included. The
// tree says nothing of an empty one: its place is looked for when everything
// else is painted.
func (p *painter) heredoc(r *syntax.Redirect) {
	if r.Hdoc == nil {
		p.empty = append(p.empty, r)
		return
	}
	from, to := p.bodyOf(r)
	p.fill(from, to, classHeredoc)
	if !shell.QuotedDelimiter(r.Word) {
		for i := from; i < to && strings.HasPrefix(p.src[i:], "\\\n"); i += 2 {
			p.fill(i, i+2, classEscape) // the parser leaves them out
		}
		p.parts(r.Hdoc.Parts, classHeredoc)
	}
	p.delimiterLine(to)
}

func (p *painter) delimiterLine(at int) {
	end := len(p.src)
	if n := strings.IndexByte(p.src[at:], '\n'); n >= 0 {
		end = at + n + 1
	}
	p.fill(at, end, classHeredoc)
}

func (p *painter) bodyOf(r *syntax.Redirect) (from, to int) {
	to = min(int(r.Hdoc.End().Offset()), len(p.src))
	from = min(int(r.Hdoc.Pos().Offset()), to)
	for r.Op == syntax.DashHdoc && from > 0 && p.src[from-1] == '\t' {
		from--
	}
	// The node ends after the delimiter line.
	to = from + strings.LastIndexByte(p.src[from:to], '\n') + 1
	for from >= 2 && p.src[from-2:from] == "\\\n" && !p.sameLine(r, from-2) {
		from -= 2
	}
	return from, to
}

// emptyDocs paints the here-documents without lines: the delimiter follows the
// first newline after the operator that belongs to no word, or the lines of
// another here-document there.
func (p *painter) emptyDocs() {
	const most = 50 // each looks at the text again
	for n, r := range p.empty {
		if n == most {
			p.doubt(int(r.OpPos.Offset()), "here-documents without a body")
			return
		}
		i := int(r.Word.End().Offset())
		for i < len(p.src) && (p.class[i] != classGap || p.src[i] != '\n') {
			i++
		}
		for i++; i < len(p.src) && p.class[i] == classHeredoc; i++ {
		}
		if i >= len(p.src) {
			p.doubt(int(r.OpPos.Offset()), "an unterminated here-document")
			return
		}
		p.delimiterLine(i)
	}
}

// sameLine reports whether the place is still on the line of the operator.
func (p *painter) sameLine(r *syntax.Redirect, at int) bool {
	return strings.IndexByte(p.src[min(int(r.OpPos.Offset()), at):at], '\n') < 0
}

func (p *painter) words(list []*syntax.Word) {
	for _, word := range list {
		p.word(word, classUnquoted, true)
	}
}

// word paints a word; base is the class of what it holds outside quotes of its
// own, and token says whether it is one of the words of a command.
func (p *painter) word(word *syntax.Word, base byteClass, token bool) {
	if word == nil {
		return
	}
	p.parts(word.Parts, base)
	if token {
		p.start(int(word.Pos().Offset()))
	}
}

func (p *painter) parts(parts []syntax.WordPart, base byteClass) {
	for _, part := range parts {
		from, to := int(part.Pos().Offset()), int(part.End().Offset())
		switch n := part.(type) {
		case *syntax.Lit:
			p.lit(n, base)
		case *syntax.SglQuoted:
			p.fill(from, to, classSingle)
			p.same(int(n.Right.Offset())-len(n.Value), n.Value+"'")
		case *syntax.DblQuoted:
			p.fill(from, to, classDouble)
			p.same(int(n.Right.Offset()), `"`)
			p.parts(n.Parts, classDouble)
			p.dropped(from, to)
		case *syntax.ParamExp:
			p.fill(from, to, base)
			p.param(n, base)
		case *syntax.CmdSubst:
			p.fill(from, to, classGap)
			open := 2
			if n.Backquotes {
				open = 1
			}
			p.token(n.Left, open, classOperator)
			p.list(n.Stmts, n.Last)
			p.token(n.Right, 1, classOperator)
		case *syntax.ProcSubst:
			p.fill(from, to, classGap)
			p.token(n.OpPos, 2, classOperator)
			p.list(n.Stmts, n.Last)
			p.token(n.Rparen, 1, classOperator)
		case *syntax.ArithmExp:
			p.fill(from, to, classArith)
			p.arithm(n.X, classArith)
		case *syntax.ExtGlob:
			p.fill(from, to, classUnquoted)
		default:
			p.doubt(from, "an unknown part of a word")
		}
	}
}

// dropped paints the line continuations in double quotes for which the tree has
// no literal.
func (p *painter) dropped(from, to int) {
	for i := from; i+1 < min(to, len(p.src)); i++ {
		if p.class[i] == classDouble && p.class[i+1] == classDouble && p.src[i:i+2] == "\\\n" {
			p.fill(i, i+2, classEscape)
		}
	}
}

// param paints what is inside ${...}.
func (p *painter) param(n *syntax.ParamExp, base byteClass) {
	if n.Flags != nil || n.NestedParam != nil || len(n.Modifiers) > 0 {
		p.doubt(int(n.Pos().Offset()), "an expansion from another shell")
	}
	p.arithm(n.Index, base)
	if n.Slice != nil {
		p.arithm(n.Slice.Offset, base)
		p.arithm(n.Slice.Length, base)
	}
	if n.Repl != nil {
		p.word(n.Repl.Orig, base, false)
		p.word(n.Repl.With, base, false)
	}
	if n.Exp != nil {
		p.word(n.Exp.Word, base, false)
	}
}

// arithm paints the words of an expression; its operators are part of what is
// around.
func (p *painter) arithm(x syntax.ArithmExpr, base byteClass) {
	switch n := x.(type) {
	case nil:
	case *syntax.BinaryArithm:
		p.arithm(n.X, base)
		p.arithm(n.Y, base)
	case *syntax.UnaryArithm:
		p.arithm(n.X, base)
	case *syntax.ParenArithm:
		p.arithm(n.X, base)
	case *syntax.Word:
		p.word(n, base, false)
	default:
		p.doubt(int(x.Pos().Offset()), "an expression from another shell")
	}
}

// lit paints a literal, escape by escape, and checks that the tree kept it as
// it is written, except for line continuations.
func (p *painter) lit(n *syntax.Lit, base byteClass) {
	from, to := int(n.ValuePos.Offset()), min(int(n.ValueEnd.Offset()), len(p.src))
	if from <= to && p.src[from:to] == n.Value && strings.IndexByte(n.Value, '\\') < 0 {
		p.fill(from, to, base)
		return
	}
	i, value := from, 0
	for i < to && (value < len(n.Value) || strings.HasPrefix(p.src[i:], "\\\n")) {
		size := 1
		class := base
		// the tree may end in the middle of a continuation
		if p.src[i] == '\\' && i+1 < len(p.src) && escapes(p.src[i+1], base) {
			size, class = 2, classEscape
		}
		text := p.src[i : i+size]
		switch {
		case strings.HasPrefix(n.Value[value:], text):
			value += size
		case text != "\\\n":
			p.doubt(i, "a part of the text that the parser changed")
			return
		}
		p.fill(i, i+size, class)
		i += size
	}
	if value != len(n.Value) {
		p.doubt(from, "a part of the text that the parser changed")
	}
}

// escapes reports whether a backslash in front of the byte quotes it.
func escapes(b byte, base byteClass) bool {
	switch base {
	case classUnquoted:
		return true
	case classDouble:
		return strings.IndexByte("$`\"\\\n", b) >= 0
	case classHeredoc:
		return strings.IndexByte("$`\\\n", b) >= 0
	}
	return false
}

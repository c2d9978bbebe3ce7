package bashsafety

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
			p.doubt(from, "a part of a word that is not known")
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
		p.doubt(int(n.Pos().Offset()), "an expansion of another shell")
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
		p.doubt(int(x.Pos().Offset()), "an expression of another shell")
	}
}

// test paints the expression of [[ ]]. Operators made of letters are words to
// the lexer, the others are operators.
func (p *painter) test(x syntax.TestExpr) {
	switch n := x.(type) {
	case nil:
	case *syntax.BinaryTest:
		p.test(n.X)
		p.testOperator(n.OpPos, n.Op.String())
		p.test(n.Y)
	case *syntax.UnaryTest:
		p.testOperator(n.OpPos, n.Op.String())
		p.test(n.X)
	case *syntax.ParenTest:
		p.token(n.Lparen, 1, classOperator)
		p.test(n.X)
		p.token(n.Rparen, 1, classOperator)
	case *syntax.Word:
		p.word(n, classUnquoted, true)
	default:
		p.doubt(int(x.Pos().Offset()), "a test that is not known")
	}
}

func (p *painter) testOperator(at syntax.Pos, op string) {
	// the tree has one name for operators with two spellings
	for _, other := range [...]string{"=", "-a", "-h"} {
		if from := int(at.Offset()); from+len(op) > len(p.src) || p.src[from:from+len(op)] != op {
			op = other
		}
	}
	class := classUnquoted
	if strings.ContainsAny(op, "&|<>") {
		class = classOperator
	}
	p.token(at, len(op), class)
	p.same(int(at.Offset()), op)
}

// assign paints NAME=value, NAME[index]=value and NAME=(...), or a word that
// stands for one.
func (p *painter) assign(a *syntax.Assign) {
	if a.Name == nil {
		p.word(a.Value, classUnquoted, true)
		return
	}
	from := int(a.Name.ValuePos.Offset())
	to := int(a.Name.ValueEnd.Offset())
	switch {
	case a.Value != nil:
		to = int(a.Value.Pos().Offset())
	case a.Array != nil:
		to = int(a.Array.Lparen.Offset())
	default:
		to = p.assigned(a, to)
	}
	p.fill(from, to, classUnquoted)
	p.same(from, a.Name.Value)
	p.arithm(a.Index, classUnquoted)
	p.word(a.Value, classUnquoted, false)
	p.start(from)
	if a.Array == nil {
		return
	}
	p.token(a.Array.Lparen, 1, classOperator)
	for _, e := range a.Array.Elems {
		p.element(e)
	}
	p.comments(a.Array.Last)
	p.token(a.Array.Rparen, 1, classOperator)
}

// assigned returns where an assignment without a value ends whose name ends at
// to.
func (p *painter) assigned(a *syntax.Assign, to int) int {
	if a.Index != nil {
		to = max(to, min(int(a.Index.End().Offset()), len(p.src)))
		if n := strings.IndexByte(p.src[to:], ']'); n >= 0 {
			to += n + 1
		}
	}
	if a.Naked || to >= len(p.src) {
		return to
	}
	if p.src[to] == '+' {
		to++
	}
	return to + 1
}

func (p *painter) element(e *syntax.ArrayElem) {
	p.comments(e.Comments)
	if e.Index == nil {
		p.word(e.Value, classUnquoted, true)
		return
	}
	from := int(e.Index.Pos().Offset()) - 1
	to := int(e.Index.End().Offset())
	if e.Value != nil {
		to = int(e.Value.Pos().Offset())
	} else if n := strings.IndexByte(p.src[min(to, len(p.src)):], '='); n >= 0 {
		to += n + 1
	}
	p.fill(from, to, classUnquoted)
	p.arithm(e.Index, classUnquoted)
	p.word(e.Value, classUnquoted, false)
	p.start(from)
}

// lit paints a literal, escape by escape, and checks that the tree kept it as
// it is written, but for line continuations.
func (p *painter) lit(n *syntax.Lit, base byteClass) {
	from, to := int(n.ValuePos.Offset()), min(int(n.ValueEnd.Offset()), len(p.src))
	i, value := from, 0
	for i < to && (value < len(n.Value) || strings.HasPrefix(p.src[i:], "\\\n")) {
		size := 1
		class := base
		if p.src[i] == '\\' && i+1 < len(p.src) && escapes(p.src[i+1], base) { // the tree may end in the middle of a continuation
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

// same checks that the source holds what the tree says it read.
func (p *painter) same(at int, value string) {
	if at < 0 || at > len(p.src) || !strings.HasPrefix(p.src[at:], value) {
		p.doubt(at, "a part of the text that the parser changed")
	}
}

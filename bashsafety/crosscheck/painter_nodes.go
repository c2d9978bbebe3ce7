package crosscheck

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

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
		p.doubt(int(x.Pos().Offset()), "an unknown test")
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

// assign paints NAME=value, NAME[index]=value and NAME=(...), or a word in
// place of one.
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

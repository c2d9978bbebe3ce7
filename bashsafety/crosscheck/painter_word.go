package crosscheck

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

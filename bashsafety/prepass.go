package bashsafety

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A byteClass says what the parser took a byte for. Bytes that no node claims
// stay classGap and must be blanks, operators or reserved words.
type byteClass uint8

const (
	classGap byteClass = iota
	classWord
	classSingle
	classDouble
	classHeredoc
	classHeredocData
	classDelimiter // the line that ends a here-document
	classParam
	classArith
	classTest
	classComment
	classOperator
)

// prepass compares what the parser made of the text with the text itself. Where
// bash could read a place in another way than the parser did, the commands it
// runs are not the ones of the tree: that is a Doubt.
func (w *walker) prepass(src string, file *syntax.File, whole bool, c *ctx) {
	p := painter{w: w, c: c, src: src, class: make([]byteClass, len(src))}
	syntax.Walk(file, p.node)
	if whole {
		p.gaps()
	}
	p.bytes()
}

// A painter gives each byte its class.
type painter struct {
	w     *walker
	c     *ctx
	src   string
	class []byteClass
	subst []Span // substitutions
}

func (p *painter) diff(at int, detail string) {
	p.w.doubt(dParserDiff, p.c.fr.at(at, min(at+1, len(p.src))), detail)
}

func (p *painter) fill(from, to syntax.Pos, class byteClass) {
	p.paint(int(from.Offset()), int(to.Offset()), class)
}

func (p *painter) paint(from, to int, class byteClass) {
	for i := max(from, 0); i < to && i < len(p.class); i++ {
		p.class[i] = class
	}
}

// node paints one node; what is inside is painted over it afterwards.
func (p *painter) node(n syntax.Node) bool {
	switch n := n.(type) {
	case *syntax.Comment:
		p.comment(n)
	case *syntax.Lit:
		p.literal(n)
		for i, end := int(n.Pos().Offset()), int(n.End().Offset()); i < end && i < len(p.class); i++ {
			if p.class[i] == classGap || p.class[i] == classTest {
				p.class[i] = classWord
			}
		}
	case *syntax.SglQuoted:
		p.fill(n.Pos(), n.End(), classSingle)
		p.same(int(n.Right.Offset())-len(n.Value), n.Value+"'")
	case *syntax.DblQuoted:
		p.fill(n.Pos(), n.End(), classDouble)
		p.same(int(n.Right.Offset()), `"`)
	case *syntax.ParamExp:
		p.quotedDefault(n)
		p.fill(n.Pos(), n.End(), classParam)
	case *syntax.ArithmExp, *syntax.ArithmCmd, *syntax.CStyleLoop:
		p.fill(n.Pos(), n.End(), classArith)
		if strings.ContainsAny(p.text(n), "'\"\\`") && !plainQuotes(p.text(n)) {
			p.diff(int(n.Pos().Offset()), "quotes in arithmetic")
		}
	case *syntax.LetClause:
		p.fill(n.Pos(), n.End(), classArith)
		rest := strings.TrimLeft(p.src[min(int(n.End().Offset()), len(p.src)):], " \t")
		if unquotedAny(p.text(n), "<>&|;(){}*?[~#!^\n") || strings.HasPrefix(rest, "&>") {
			p.diff(int(n.Pos().Offset()), "an operator in let")
		}
	case *syntax.BinaryTest:
		if n.Op == syntax.TsReMatch && unquotedAny(p.text(n.Y), ";&<>#\n`") {
			p.diff(int(n.Y.Pos().Offset()), "an operator in a regular expression")
		}
	case *syntax.CoprocClause:
		if _, ok := n.Stmt.Cmd.(*syntax.Block); !ok {
			p.diff(int(n.Pos().Offset()), "coproc without braces")
		}
	case *syntax.TimeClause:
		if n.Stmt != nil && strings.HasPrefix(p.from(n.Stmt), "-") {
			p.diff(int(n.Pos().Offset()), "an option of time")
		}
	case *syntax.ExtGlob:
		p.fill(n.Pos(), n.End(), classWord)
	case *syntax.TestClause:
		p.fill(n.Pos(), n.End(), classTest)
	case *syntax.CmdSubst:
		p.substitution(n.Left, n.Right, n.Backquotes)
	case *syntax.ProcSubst:
		p.substitution(n.OpPos, n.Rparen, false)
	case *syntax.DeclClause:
		p.fill(n.Variant.Pos(), n.Variant.End(), classWord)
	case *syntax.Assign:
		if n.Index != nil {
			p.subscript(n.Pos(), n.Value)
		}
	case *syntax.ArrayElem:
		if n.Index != nil {
			p.paint(int(n.Pos().Offset())-1, int(n.Pos().Offset()), classArith)
			p.subscript(n.Pos(), n.Value)
		}
	case *syntax.Redirect:
		if text := p.text(n.Word); len(text) > 1 && text[0] == '-' && (n.Op == syntax.DplIn || n.Op == syntax.DplOut) {
			p.diff(int(n.OpPos.Offset()), "a word right behind >&-")
		}
		if n.Op == syntax.Hdoc || n.Op == syntax.DashHdoc {
			p.heredoc(n)
		}
	case *syntax.FuncDecl:
		if n.Name != nil {
			p.w.funcs = append(p.w.funcs, n.Name.Value)
		}
	case *syntax.Word:
		switch n.Lit() {
		case "cd", "pushd", "popd", "eval", "source", ".":
			p.w.moves = true
		}
	}
	return true
}

// subscript paints [index]= up to the value.
func (p *painter) subscript(from syntax.Pos, value *syntax.Word) {
	to := int(from.Offset())
	if value != nil {
		to = int(value.Pos().Offset())
	} else {
		for to < len(p.src) && p.src[to] != ']' {
			to++
		}
		for to < len(p.src) && (p.src[to] == ']' || p.src[to] == '=' || p.src[to] == '+') {
			to++
		}
	}
	p.paint(int(from.Offset()), to, classArith)
}

// substitution paints the brackets and leaves the inside to its commands.
func (p *painter) substitution(left, right syntax.Pos, back bool) {
	l, r := int(left.Offset()), int(right.Offset())
	p.paint(l, r+1, classGap)
	p.paint(l, l+2, classOperator)
	if back {
		p.paint(l+1, l+2, classGap)
		if inside := p.src[min(l+1, len(p.src)):min(r, len(p.src))]; strings.ContainsAny(inside, "\\#`") || strings.Contains(inside, "<<") {
			p.diff(l, "a backslash, #, backquote or here-document in backquotes")
		}
	} else {
		p.subst = append(p.subst, Span{l, r})
	}
	p.paint(r, r+1, classOperator)
}

// comment checks that the shell would see the comment, too, and see it end
// where the parser does.
func (p *painter) comment(n *syntax.Comment) {
	p.fill(n.Pos(), n.End(), classComment)
	at := int(n.Hash.Offset())
	if strings.HasSuffix(strings.TrimSuffix(n.Text, "\n"), `\`) {
		p.diff(at, "a comment that ends in a backslash")
	}
	if at > 0 && at < len(p.src) && strings.IndexByte(" \t\n;&|(", p.src[at-1]) < 0 {
		p.diff(at, "a # behind "+string(p.src[at-1]))
	}
}

// separates reports whether a # behind the byte starts a comment.
func separates(b byte) bool { return strings.IndexByte(" \t\n;&|()<>", b) >= 0 }

// gaps checks the bytes that belong to no node.
func (p *painter) gaps() {
	for i := 0; i < len(p.src); {
		if p.class[i] != classGap {
			i++
			continue
		}
		n := p.gap(i)
		if n == 0 {
			p.diff(i, "a part of the text that the parser left out")
			return
		}
		i += n
	}
}

// gap returns the length of the blank, operator or reserved word at i, 0 when
// it is none.
func (p *painter) gap(i int) int {
	switch b := p.src[i]; {
	case separates(b), b == '!', b == '{', b == '}', b == '=':
		return 1
	case b == '\\' && i+1 < len(p.src) && p.src[i+1] == '\n':
		return 2
	case b == '+' && i+1 < len(p.src) && p.src[i+1] == '=':
		return 2
	case b == '-' && strings.HasSuffix(p.src[:i], "<<"):
		return 1
	}
	end := i
	for end < len(p.src) && p.class[end] == classGap && !separates(p.src[end]) {
		end++
	}
	switch p.src[i:end] {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "in", "esac",
		"select", "function", "time", "-p", "coproc":
		return end - i
	}
	return 0
}

// bytes checks the places where the shell and the parser are known to part.
func (p *painter) bytes() {
	for i := 0; i < len(p.src); i++ {
		switch b := p.src[i]; {
		case b == '\\' && i+1 < len(p.src) && p.src[i+1] == '\n':
			if !p.continues(i) {
				p.diff(i, "a line continuation inside a word or operator")
			}
		case b == '\\' && i+1 == len(p.src) && !p.escaped(i) && p.class[i] != classComment:
			p.diff(i, "a backslash at the very end")
		case b == '#' && p.class[i] == classWord && i > 0 && separates(p.src[i-1]) && !p.escaped(i-1):
			p.diff(i, "a # that starts a word")
		case b == '&' && p.class[i] == classGap && i+1 < len(p.src) && (p.src[i+1] == '!' || p.src[i+1] == '|' && p.class[i+1] == classGap):
			p.w.doubt(dZsh, p.c.fr.at(i, i+2), "")
		case b >= utf8.RuneSelf && (p.class[i] == classWord || p.class[i] == classGap):
			if r, n := utf8.DecodeRuneInString(p.src[i:]); unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
				p.w.doubt(dUnicode, p.c.fr.at(i, i+n), "a blank that is none to the shell")
			}
		}
	}
}

// escaped reports whether an odd number of backslashes stands before i.
func (p *painter) escaped(i int) bool {
	n := 0
	for i--; i >= 0 && p.src[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// continues reports whether the backslash-newline at i is read alike by every
// reader: between words, inside a plain word, or in quoted text away from an
// expansion.
func (p *painter) continues(i int) bool {
	class := p.class[i]
	switch class {
	case classSingle, classHeredocData, classDelimiter:
		return true
	case classComment:
		return false
	}
	if i > 0 && p.src[i-1] == '\\' {
		return p.escaped(i) && (class == classWord || class == classDouble || class == classHeredoc)
	}
	prev, next := byte('\n'), byte('\n')
	if i > 0 {
		prev = p.src[i-1]
	}
	if i+2 < len(p.src) {
		next = p.src[i+2]
	}
	quoted := class == classDouble || class == classHeredoc
	switch {
	case prev == '$' || prev == '`' || p.inName(i):
		return false
	case quoted:
		return prev != '{'
	case isBlank(next), isBlank(prev) && next != '#':
		return true
	case strings.IndexByte("&|;(", prev) >= 0:
		return plainByte(next)
	}
	return (class == classWord || class == classGap) && plainByte(prev) && plainByte(next)
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// plainByte reports whether a byte means nothing but itself anywhere in a word.
func plainByte(b byte) bool { return nameByte(b) || strings.IndexByte("./-_:@%", b) >= 0 }

// inName reports whether what stands before i is the name of a parameter that
// could go on behind i.
func (p *painter) inName(i int) bool {
	j := i
	for j > 0 && nameByte(p.src[j-1]) {
		j--
	}
	return j > 0 && (p.src[j-1] == '$' || p.src[j-1] == '{' && j > 1 && p.src[j-2] == '$')
}

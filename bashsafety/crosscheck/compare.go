// Package crosscheck reads a shell text a second time, by the token rules of the
// shell alone, and compares that reading with the tree of the parser. A byte the
// two disagree about is a place where a command could hide.
package crosscheck

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A byteClass says what one byte of a shell text is. The lexer gives each byte
// a class by the rules of the shell, the painter gives each byte a class by the
// syntax tree; see compare.
type byteClass uint8

const (
	classGap      byteClass = iota // not said
	classUnquoted                  // of a word, with no quotes around
	classSingle                    // '...' and $'...', the quotes included
	classDouble                    // "..." and $"...", the quotes included
	classEscape                    // a backslash and the byte it quotes, or a line continuation
	classComment
	classHeredoc  // of the lines of a here-document, up to and with its delimiter
	classArith    // of $((...)), ((...)) and $[...], the brackets included
	classOperator // control and redirection operators, newlines, brackets of substitutions
	classBlank

	// tokenStart is set on the first byte of each word of a command, so that
	// equal classes also mean equal words.
	tokenStart byteClass = 0x80
)

// String is the name of the class, without its mark.
func (b byteClass) String() string {
	return [...]string{"nothing", "plain text", "single-quoted text", "double-quoted text", "an escape", "a comment",
		"a here-document", "arithmetic", "an operator", "whitespace"}[b&^tokenStart]
}

// A Comparison is what two readings of a text say.
type Comparison struct {
	Funcs []string // functions the text declares
	Moves bool     // a command changes the working directory

	At     int    // the first byte they disagree about, or -1 if none
	Detail string // what is there
	Zsh    ZshPlace
	Blanks [][2]int // characters outside quotes that look like blanks but not to the shell
}

// Compare reads a text twice. The lexer knows how a shell cuts text into tokens
// and nothing of the tree; the painter knows the tree and nothing of the shell.
// A program can hide only where the tree takes for quoted, comment, here-document
// or one word what the shell takes for a command or two, so equal classes for
// every byte leave nothing to hide in; the first byte that differs, or that the
// lexer is unsure about, becomes a Doubt.
//
// Of a text that does not parse, only the functions and moves are taken.
func Compare(src string, file *syntax.File, whole bool) Comparison {
	buf := make([]byteClass, 2*len(src))
	p := painter{src: src, class: buf[len(src):]}
	p.stmts(file.Stmts)
	c := Comparison{Funcs: p.funcs, Moves: p.moves, At: -1}
	if !whole {
		return c
	}
	p.comments(file.Last)
	p.emptyDocs()
	p.gaps()
	l := lexer{src: src, end: len(src), class: buf[:len(src):len(src)]}
	l.commands(0)
	if l.unsure == "" && len(l.pairs) > 0 {
		l.bash32()
	}
	c.At, c.Detail = firstDifference(&l, &p)
	c.Zsh = l.zsh
	c.Blanks = l.wideBlanks()
	return c
}

// wideBlanks returns where characters outside quotes look like a blank that the
// shell does not take for one.
func (l *lexer) wideBlanks() (at [][2]int) {
	for i, b := range []byte(l.src) {
		if b >= utf8.RuneSelf && l.class[i]&^tokenStart == classUnquoted {
			if r, n := utf8.DecodeRuneInString(l.src[i:]); unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
				at = append(at, [2]int{i, i + n})
			}
		}
	}
	return at
}

// firstDifference returns the first place the two readings differ at, or -1 if
// none, and what is there.
func firstDifference(l *lexer, p *painter) (at int, detail string) {
	at = -1
	if string(l.class) != string(p.class) {
		at = 0
		for l.class[at] == p.class[at] {
			at++
		}
		detail = between(l.class[at], p.class[at])
	}
	if l.unsure != "" && (at < 0 || l.at <= at) {
		at, detail = l.at, l.unsure
	}
	if p.unsure != "" && (at < 0 || p.at <= at) {
		at, detail = p.at, p.unsure
	}
	return at, detail
}

func between(shell, tree byteClass) string {
	if shell&^tokenStart == tree&^tokenStart {
		return "the start of a word"
	}
	return shell.String() + " or " + tree.String()
}

// A painter gives each byte of a text the class that its syntax tree says it
// has. Each node paints what it covers and its children paint over it; what no
// node covers must be a blank, a separator or a reserved word.
type painter struct {
	src   string
	class []byteClass

	empty []*syntax.Redirect // here-documents without lines

	funcs []string // functions the text declares
	moves bool     // a command changes the working directory

	unsure string // what the tree says that cannot be, or what shells do not agree on
	at     int
}

func (p *painter) doubt(at int, what string) {
	if p.unsure == "" {
		p.unsure, p.at = what, max(0, min(at, len(p.src)-1))
	}
}

func (p *painter) fill(from, to int, class byteClass) {
	for i := max(from, 0); i < to && i < len(p.class); i++ {
		p.class[i] = class
	}
}

// token paints one word of n bytes that the tree holds no node for.
func (p *painter) token(at syntax.Pos, n int, class byteClass) {
	p.fill(int(at.Offset()), int(at.Offset())+n, class)
	if class != classOperator {
		p.start(int(at.Offset()))
	}
}

// start marks the first byte of a word.
func (p *painter) start(at int) {
	if at >= 0 && at < len(p.class) {
		p.class[at] |= tokenStart
	}
}

// same checks that the source holds what the tree says it read.
func (p *painter) same(at int, value string) {
	if at < 0 || at > len(p.src) || !strings.HasPrefix(p.src[at:], value) {
		p.doubt(at, "a part of the text that the parser changed")
	}
}

func (p *painter) comments(list []syntax.Comment) {
	for i := range list {
		at := int(list[i].Hash.Offset())
		p.fill(at, at+1+len(list[i].Text), classComment)
	}
}

// expect paints an operator that the tree has no place for, after blanks, and
// returns what is after it.
func (p *painter) expect(at int, b byte) int {
	for at < len(p.src) {
		switch {
		case p.src[at] == ' ' || p.src[at] == '\t':
			at++
		case strings.HasPrefix(p.src[at:], "\\\n"):
			at += 2
		default:
			if p.src[at] != b {
				p.doubt(at, "a missing bracket")
			}
			p.fill(at, at+1, classOperator)
			return at + 1
		}
	}
	p.doubt(at, "a missing bracket")
	return at
}

// before returns the last place before at that is not a blank, or -1 if there is
// no such place.
func (p *painter) before(at int) int {
	at = min(at, len(p.src))
	for at--; at >= 0 && (p.src[at] == ' ' || p.src[at] == '\t'); at-- {
	}
	return at
}

// gaps classifies what no node covers.
func (p *painter) gaps() {
	for i := 0; i < len(p.src); {
		if p.class[i] != classGap {
			i++
			continue
		}
		switch b := p.src[i]; {
		case b == ' ' || b == '\t':
			p.class[i] = classBlank
			i++
		case b == '\n' || b == ';':
			p.class[i] = classOperator
			i++
		case strings.HasPrefix(p.src[i:], "\\\n"):
			p.fill(i, i+2, classEscape)
			i += 2
		default:
			n := p.reserved(i)
			if n == 0 {
				p.doubt(i, "a part of the text that the parser left out")
				return
			}
			p.fill(i, i+n, classUnquoted)
			p.start(i)
			i += n
		}
	}
}

// reserved returns the length of the reserved word at i, or 0 if none.
func (p *painter) reserved(i int) int {
	end := i
	for end < len(p.src) && p.class[end] == classGap && strings.IndexByte(" \t\n;&|()<>\\", p.src[end]) < 0 {
		end++
	}
	switch p.src[i:end] {
	case "if", "then", "else", "elif", "fi", "for", "while", "until", "do", "done", "case", "in", "esac",
		"select", "function", "time", "-p", "coproc", "!", "{", "}":
		return end - i
	}
	return 0
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

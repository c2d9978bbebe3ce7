// Package crosscheck reads a shell text a second time, by the token rules of the
// shell alone, and compares that reading with the tree of the parser. A byte the
// two disagree about is a place where a command could hide.
package crosscheck

import (
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

	At     int    // the first byte they disagree about, -1 when there is none
	Detail string // what is there
	Zsh    ZshPlace
	Blanks [][2]int // characters outside quotes that look like a blank and are none to the shell
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

// wideBlanks returns where characters outside quotes look like a blank and are
// none to the shell.
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

// firstDifference returns the first place the two readings differ at, -1 when
// there is none, and what is there.
func firstDifference(l *lexer, p *painter) (at int, detail string) {
	at = -1
	for i, c := range l.class {
		if c != p.class[i] {
			at, detail = i, between(c, p.class[i])
			break
		}
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

package bashsafety

import (
	"unicode"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// A byteClass says what one byte of a shell text is. The lexer gives each byte
// a class by the rules of the shell, the painter gives each byte a class by the
// syntax tree; see prepass.
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

func (c byteClass) String() string {
	return [...]string{"nothing", "plain text", "single-quoted text", "double-quoted text", "an escape", "a comment",
		"a here-document", "arithmetic", "an operator", "a blank"}[c&^tokenStart]
}

// prepass compares two readings of the text. The lexer knows how a shell cuts
// text into tokens and nothing of the tree; the painter knows the tree and
// nothing of the shell. A program can hide only where the tree takes for
// quoted, comment, here-document or one word what the shell takes for a command
// or two, so equal classes for every byte leave nothing to hide in; the first
// byte that differs, or that the lexer is unsure about, is a Doubt.
//
// Of a text that does not parse only what the walk needs is taken.
func (w *walker) prepass(src string, file *syntax.File, whole bool, c *ctx) {
	buf := make([]byteClass, 2*len(src))
	p := painter{src: src, class: buf[len(src):]}
	p.stmts(file.Stmts)
	w.funcs = append(w.funcs, p.funcs...)
	w.moves = w.moves || p.moves
	if !whole {
		return
	}
	p.comments(file.Last)
	p.emptyDocs()
	p.gaps()
	l := lexer{src: src, end: len(src), class: buf[:len(src):len(src)]}
	l.commands(0)
	if at, detail := firstDifference(&l, &p); at >= 0 {
		w.doubt(dParserDiff, c.fr.at(at, min(at+1, len(src))), detail)
	}
	if l.zsh > 0 {
		w.doubt(dZsh, c.fr.at(l.zsh-1, l.zsh+1), "")
	}
	w.wideBlanks(&l, c)
}

// wideBlanks doubts characters outside quotes that look like a blank and are
// none to the shell.
func (w *walker) wideBlanks(l *lexer, c *ctx) {
	for i, b := range []byte(l.src) {
		if b >= utf8.RuneSelf && l.class[i]&^tokenStart == classUnquoted {
			if r, n := utf8.DecodeRuneInString(l.src[i:]); unicode.IsSpace(r) || unicode.Is(unicode.Zs, r) {
				w.doubt(dUnicode, c.fr.at(i, i+n), "a blank that is none to the shell")
			}
		}
	}
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
		return "where a word starts"
	}
	return shell.String() + " or " + tree.String()
}

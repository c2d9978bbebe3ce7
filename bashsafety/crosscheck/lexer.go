package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A lexer reads a text as the token rules of bash say and gives each byte its
// class. It builds no tree and is written from the shell's documentation and
// behaviour alone, so that it does not share a mistake with the parser. Where
// the rules depend on more than the text before (a version, an option, what the
// grammar makes of a token), it is unsure.
//
// Its states are its functions: commands, test, array, word, single, double,
// dollar, param, arith, backquote and heredoc. Each is entered at its first
// byte, left after its last one, and calls another for what is inside.
// Source: bash(1) 5.2, QUOTING, EXPANSION, REDIRECTION, Here Documents; POSIX
// 1003.1 shell, 2.3 Token Recognition.
type lexer struct {
	src   string
	pos   int // of the next byte
	end   int // of what may be read: the text, a here-document, or `...`
	class []byteClass
	depth int
	wait  int // here-documents whose lines are still to come, in any state

	joins   int // open here-documents whose lines are joined before they are read
	substs  int // open $(, <( and >(
	matched int // open words with a [ outside quotes
	ariths  int // open arithmetic

	pairs    []pair // constructs that bash 3.2 looks for the end of
	pair     int32  // the number of the open one of this word, 0 for none
	list     int32  // the number of the one whose program is read
	doc      int32  // the end of the here-document that is read, 0 for none
	joinsDoc int    // a place bash 3.2 reads otherwise, counted from 1

	zsh    ZshPlace
	groups int    // open {
	unsure string // what the lexer is unsure about first, "" when nothing
	at     int
}

// doubt says that the lexer is unsure at a place and gives up: what follows is
// not read.
func (l *lexer) doubt(at int, what string) {
	if l.unsure == "" {
		l.unsure, l.at = what, min(at, max(len(l.src)-1, 0))
	}
	l.pos = l.end
}

func (l *lexer) more() bool { return l.pos < l.end && l.unsure == "" }

// peek returns the byte n places on, 0 after the end.
func (l *lexer) peek(n int) byte {
	if l.pos+n < l.end {
		return l.src[l.pos+n]
	}
	return 0
}

// take gives the next n bytes a class and moves past them.
func (l *lexer) take(n int, c byteClass) {
	for ; n > 0 && l.pos < l.end; n-- {
		l.class[l.pos] = c
		l.pos++
	}
}

// enter guards the recursion; leave must follow.
func (l *lexer) enter() bool {
	if l.depth++; l.depth > 2*shell.MaxNesting {
		l.doubt(l.pos, "nesting")
	}
	return l.unsure == ""
}

func (l *lexer) leave() { l.depth-- }

func (l *lexer) blanks() {
	for l.more() {
		if b := l.src[l.pos]; b == ' ' || b == '\t' {
			l.take(1, classBlank)
		} else if !l.continuation() {
			return
		}
	}
}

// continuation reads a backslash and a newline, which a shell drops before it
// looks for tokens.
func (l *lexer) continuation() bool {
	if l.peek(0) != '\\' || l.peek(1) != '\n' {
		return false
	}
	if !l.plainJoin(false) {
		l.doubt(l.pos, "a line continuation inside a word or operator")
		return true
	}
	l.take(2, classEscape)
	return true
}

// plainJoin reports whether the line continuation at the next byte is read
// alike by every reader: between words, inside a plain word, or in quoted text
// away from an expansion.
func (l *lexer) plainJoin(quoted bool) bool {
	prev, next := byte('\n'), byte('\n')
	if l.pos > 0 {
		prev = l.src[l.pos-1]
	}
	if l.pos+2 < len(l.src) {
		next = l.src[l.pos+2]
	}
	switch {
	case prev == '$' || prev == '`' || prev == '\\' || l.inName():
		return false
	case quoted:
		return prev != '{'
	case IsBlank(next), IsBlank(prev):
		return true
	case strings.IndexByte("&|;(", prev) >= 0:
		return plainByte(next)
	}
	return plainByte(prev) && plainByte(next)
}

// inName reports whether the text in front of the next byte is the name of a
// parameter that could go on.
func (l *lexer) inName() bool {
	j := l.pos
	for j > 0 && shell.NameByte(l.src[j-1]) {
		j--
	}
	return strings.HasSuffix(l.src[:j], "$") || strings.HasSuffix(l.src[:j], "${")
}

// IsBlank reports whether a byte separates words.
func IsBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// plainByte reports whether a byte means nothing but itself anywhere in a word.
func plainByte(b byte) bool { return shell.NameByte(b) || strings.IndexByte("./-_:@%", b) >= 0 }

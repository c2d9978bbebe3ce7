package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// param reads ${...} up to the first } that is not quoted.
func (l *lexer) param(base byteClass) {
	defer l.endPair(l.beginPair())
	if !l.enter() {
		return
	}
	defer l.leave()
	start, op := l.pos, l.operator()
	l.take(2, base)
	for l.more() {
		b := l.src[l.pos]
		if b == '}' {
			l.take(1, base)
			return
		}
		if what := l.unclearInParam(b, base); what != "" {
			l.doubt(l.pos, what)
			return
		}
		l.paramByte(b, base, op)
	}
	l.doubt(start, "an unclosed ${")
}

// unclearInParam says why shells may not read the next byte of an expansion
// alike, "" when they do.
func (l *lexer) unclearInParam(b byte, base byteClass) string {
	next := l.peek(1)
	if b == '\\' && next == '}' && base != classUnquoted {
		return "an escaped } in an expansion in quotes"
	}
	if base == classArith {
		return unclearInArith(b)
	}
	if (b == '<' || b == '>') && next == '(' { // in quotes, too, for where the expansion ends
		return "a process substitution in an expansion"
	}
	return ""
}

func unclearInArith(b byte) string {
	switch b {
	case '\\', '`':
		return "quotes in arithmetic"
	case '(', ')': // it counts where the end is looked for
		return "a bracket in an expansion in arithmetic"
	}
	return ""
}

// paramByte reads one byte of an expansion, or what it starts.
func (l *lexer) paramByte(b byte, base byteClass, op byte) {
	switch {
	case b == '\'':
		l.paramQuote(base, op)
	case b == '"':
		l.quotesInQuotes(base)
	case l.patternQuote(b, base, op):
	case b == '{' && l.src[l.pos-1] != '$':
		l.differs(l.pos, l.pos+1, "zsh pairs the braces in this expansion differently")
		l.take(1, base)
	case base != classUnquoted:
		l.quotedByte(base)
	default:
		if l.newlineInside(b); l.more() && !l.continuation() {
			l.quoting(base)
		}
	}
}

// patternQuote reads $'...' or \' in a pattern in double quotes, where ' quotes;
// false when the next byte starts neither.
func (l *lexer) patternQuote(b byte, base byteClass, op byte) bool {
	if l.peek(1) != '\'' || base != classDouble || !pattern(op) {
		return false
	}
	switch b {
	case '$':
		l.single(2)
	case '\\':
		l.take(2, classDouble)
	}
	return b == '$' || b == '\\'
}

// quotesInQuotes reads "..." in an expansion. When that is in quotes itself
// bash takes what is between for unquoted where it looks for braces.
func (l *lexer) quotesInQuotes(base byteClass) {
	start := l.pos
	l.double(1)
	if base != classDouble || l.unsure != "" {
		return
	}
	for i := start + 1; i < l.pos; i++ {
		if l.src[i] == '{' && l.src[i-1] != '$' || l.src[i] == '\'' {
			l.doubt(i, "a brace or ' in quotes in an expansion in quotes")
			return
		}
	}
}

// paramQuote reads a ' in an expansion. It quotes when nothing around does, and
// in double quotes where the word is a pattern; elsewhere there it is text, which
// every shell reads alike when all up to the next one is plain.
func (l *lexer) paramQuote(base byteClass, op byte) {
	n := strings.IndexByte(l.src[l.pos+1:l.end], '\'')
	switch {
	case op == ':' || base == classArith:
		l.doubt(l.pos, "quotes in arithmetic")
	case base == classUnquoted, base == classDouble && pattern(op):
		if n >= 0 && base == classDouble && strings.ContainsAny(l.src[l.pos+1:l.pos+1+n], "$`\"") {
			l.differs(l.pos, l.pos+n+2, "these quotes do not quote in zsh")
		}
		l.single(1)
	case n >= 0 && !strings.ContainsAny(l.src[l.pos+1:l.pos+1+n], "$`\\\"{}[]<>()\n"):
		l.single(1)
	default:
		l.doubt(l.pos, "single quotes inside an expansion inside double quotes")
	}
}

// pattern reports whether what follows the operator of an expansion is a
// pattern or its replacement.
func pattern(op byte) bool { return op == '#' || op == '%' || op == '/' }

// operator returns the operator of the ${ at the next byte: one of # % / ^ , @,
// : for a substring, - for those that give another value, 0 when there is none.
func (l *lexer) operator() byte {
	i := l.nameEnd(l.pos + 2)
	if i >= l.end {
		return 0
	}
	switch b := l.src[i]; b {
	case ':':
		if i+1 < l.end && strings.IndexByte("-=+?", l.src[i+1]) >= 0 {
			return '-'
		}
		return b
	case '=', '+', '?', '-':
		return '-'
	case '#', '%', '/', '^', ',', '@':
		return b
	}
	return 0
}

// nameEnd returns where the parameter of an expansion that starts at i ends,
// its subscript included.
func (l *lexer) nameEnd(i int) int {
	if i = l.plainNameEnd(i); i < l.end && l.src[i] == '[' {
		return l.subscriptEnd(i)
	}
	return i
}

func (l *lexer) plainNameEnd(i int) int {
	if i+1 < l.end && (l.src[i] == '!' || l.src[i] == '#') && l.src[i+1] != '}' {
		i++
	}
	first := i
	for i < l.end && shell.NameByte(l.src[i]) {
		i++
	}
	if i == first && i < l.end && strings.IndexByte("@*#?$!-", l.src[i]) >= 0 {
		i++
	}
	return i
}

// subscriptEnd returns the place after the ] that closes the [ at i.
func (l *lexer) subscriptEnd(i int) int {
	for depth := 0; i < l.end; i++ {
		switch l.src[i] {
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return i
}

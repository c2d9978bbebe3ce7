package bashsafety

import "strings"

// param reads ${...} up to the first } that is not quoted.
func (l *lexer) param(base byteClass) {
	if !l.enter() {
		return
	}
	defer l.leave()
	start, op := l.pos, l.operator()
	l.take(2, base)
	for l.more() {
		switch b := l.src[l.pos]; {
		case b == '}':
			l.take(1, base)
			return
		case b == '\'':
			l.paramQuote(base, op)
		case b == '"':
			l.quotesInQuotes(base)
		case b == '$' && l.peek(1) == '\'' && base == classDouble && pattern(op):
			l.single(2)
		case b == '\\' && l.peek(1) == '\'' && base == classDouble && pattern(op):
			l.take(2, base)
		case b == '\\' && l.peek(1) == '}' && base != classUnquoted:
			l.doubt(l.pos, "an escaped } in an expansion in quotes")
		case (b == '<' || b == '>') && l.peek(1) == '(' && base != classArith: // in quotes, too, for where the expansion ends
			l.doubt(l.pos, "a process substitution in an expansion")
		case base == classArith && (b == '\\' || b == '`'):
			l.doubt(l.pos, "quotes in arithmetic")
		case base == classArith && (b == '(' || b == ')'):
			l.doubt(l.pos, "a bracket in an expansion in arithmetic") // it counts where the end is looked for
		case base != classUnquoted:
			l.quotedByte(base)
		default:
			if l.newlineInside(b); l.more() && !l.continuation() {
				l.quoting(base)
			}
		}
	}
	l.doubt(start, "a ${ without an end")
}

// quotesInQuotes reads "..." in an expansion. When that stands in quotes itself
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
// in double quotes where the word is a pattern; elsewhere there it is text, to
// which nothing can be done when what stands up to the next one is plain.
func (l *lexer) paramQuote(base byteClass, op byte) {
	n := strings.IndexByte(l.src[l.pos+1:l.end], '\'')
	switch {
	case op == ':' || base == classArith:
		l.doubt(l.pos, "quotes in arithmetic")
	case base == classUnquoted, base == classDouble && pattern(op):
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
	if i+1 < l.end && (l.src[i] == '!' || l.src[i] == '#') && l.src[i+1] != '}' {
		i++
	}
	first := i
	for i < l.end && nameByte(l.src[i]) {
		i++
	}
	if i == first && i < l.end && strings.IndexByte("@*#?$!-", l.src[i]) >= 0 {
		i++
	}
	if i < l.end && l.src[i] == '[' {
		for depth := 0; i < l.end; i++ {
			if l.src[i] == '[' {
				depth++
			} else if l.src[i] == ']' {
				if depth--; depth == 0 {
					return i + 1
				}
			}
		}
	}
	return i
}

package bashsafety

import "strings"

// single reads '...' from a ' that is n bytes on, 2 for $'.
func (l *lexer) single(n int) {
	start, ansi := l.pos, n == 2
	l.take(n, classSingle)
	for l.more() {
		switch b := l.src[l.pos]; {
		case b == '\'':
			l.take(1, classSingle)
			l.joined(start, l.pos)
			return
		case b == '\\' && ansi && l.pos+1 < l.end:
			l.take(2, classSingle)
		default:
			l.take(1, classSingle)
		}
	}
	l.unclosed(start, "a ' without an end")
}

// double reads "..." from a " that is n bytes on, 2 for $".
func (l *lexer) double(n int) {
	if !l.enter() {
		return
	}
	defer l.leave()
	start := l.pos
	l.take(n, classDouble)
	for l.more() {
		if l.src[l.pos] == '"' {
			l.take(1, classDouble)
			return
		}
		l.quotedByte(classDouble)
	}
	l.unclosed(start, "a \" without an end")
}

// quotedByte reads one byte of text in double quotes, a here-document or an
// expansion in one of them, or what it starts.
func (l *lexer) quotedByte(base byteClass) {
	switch b := l.src[l.pos]; b {
	case '\\':
		switch next := l.peek(1); next {
		case '\n':
			if !l.plainJoin(true) {
				l.doubt(l.pos, "a line continuation behind an expansion")
				return
			}
			l.take(2, classEscape)
		case '$', '`', '\\':
			l.take(2, classEscape)
		case '"':
			if base == classHeredoc {
				l.take(1, base)
				return
			}
			l.take(2, classEscape)
		default:
			l.take(1, base)
		}
	case '$':
		l.dollar(base)
	case '`':
		l.backquote()
	default:
		if base != classDouble {
			l.newlineInside(b)
		}
		l.take(1, base)
	}
}

// newlineInside is unsure about a newline in an expansion before the lines of a
// here-document: shells do not agree which newline they start behind.
func (l *lexer) newlineInside(b byte) {
	if b == '\n' && l.wait > 0 {
		l.doubt(l.pos, "a newline in a word before the lines of a here-document")
	}
}

func (l *lexer) unclosed(start int, what string) {
	if l.unsure == "" {
		l.doubt(start, what)
	}
}

// dollar reads an expansion, or a $ that is none. base is the class of the text
// around.
func (l *lexer) dollar(base byteClass) {
	quoted := base != classUnquoted
	switch next := l.peek(1); {
	case next == '(':
		if l.peek(2) == '(' {
			l.arith(3, classArith)
			return
		}
		l.take(2, classOperator)
		l.commands(')')
	case next == '{':
		l.param(base)
	case next == '[':
		l.arith(2, classArith)
	case next == '\'' && !quoted:
		l.single(2)
	case next == '"' && !quoted:
		l.double(2)
	case next == '\'' && base == classArith, next == '"' && base == classArith:
		l.doubt(l.pos, "quotes in arithmetic")
	case next == '\\' && l.peek(2) == '\n':
		l.doubt(l.pos, "a line continuation behind a $")
	case nameStart(next):
		l.take(2, base)
		for l.more() && nameByte(l.src[l.pos]) {
			l.take(1, base)
		}
	case next == '$' && quoted && (l.peek(2) == '(' || l.peek(2) == '{'):
		l.doubt(l.pos, "$$ before a bracket")
	case next >= '0' && next <= '9', next != 0 && strings.IndexByte("#?$!@*-", next) >= 0:
		l.take(2, base)
	default:
		l.take(1, base)
	}
}

// backquote reads `...`. What is inside is read a second time by the shell,
// with backslashes taken off and nesting by them, which is left to nobody.
func (l *lexer) backquote() {
	if !l.enter() {
		return
	}
	defer l.leave()
	at := l.pos
	n := strings.IndexByte(l.src[at+1:l.end], '`')
	if n < 0 {
		l.doubt(at, "a ` without an end")
		return
	}
	if inside := l.src[at+1 : at+1+n]; strings.ContainsAny(inside, "\\#") || strings.Contains(inside, "<<") {
		l.doubt(at, "a backslash, # or here-document in backquotes")
		return
	}
	l.take(1, classOperator)
	end := l.end
	l.end = at + 1 + n
	l.commands(0)
	l.end = end
	if l.unsure == "" {
		l.take(1, classOperator)
	}
}

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
			l.paramQuote(base, op, start)
		case b == '"':
			l.quotesInQuotes(base)
		case b == '\\' && l.peek(1) == '}' && base != classUnquoted:
			l.doubt(l.pos, "an escaped } in an expansion in quotes")
		case (b == '<' || b == '>') && l.peek(1) == '(' && base != classArith: // in quotes, too, for where the expansion ends
			l.doubt(l.pos, "a process substitution in an expansion")
		case base == classArith && (b == '\\' || b == '`'):
			l.doubt(l.pos, "quotes in arithmetic")
		case base != classUnquoted:
			l.quotedByte(base)
		default:
			if l.newlineInside(b); l.more() && !l.continuation() {
				l.quoting(base)
			}
		}
	}
	l.unclosed(start, "a ${ without an end")
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
		if l.src[i] == '{' && l.src[i-1] != '$' {
			l.doubt(i, "a brace in quotes in an expansion in quotes")
			return
		}
	}
}

// paramQuote reads a ' in an expansion. It quotes when nothing around does and
// the word is text; in double quotes only where the word is a pattern.
func (l *lexer) paramQuote(base byteClass, op byte, start int) {
	switch {
	case op == ':':
		l.doubt(l.pos, "quotes in arithmetic")
	case base == classUnquoted:
		l.single(1)
	case base == classArith:
		l.doubt(l.pos, "quotes in arithmetic")
	case op == '#' || op == '%', op == '/' && !strings.Contains(strings.TrimLeft(l.afterOp(start), "/"), "/"):
		l.single(1)
	default:
		l.doubt(l.pos, "single quotes inside an expansion inside double quotes")
	}
}

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

// afterOp is what has been read of an expansion behind its name.
func (l *lexer) afterOp(start int) string {
	return l.src[min(l.nameEnd(start+2), l.pos):l.pos]
}

// arith reads arithmetic behind an opening of n bytes: (( and $((, which end
// at )), or $[, which ends at ].
func (l *lexer) arith(n int, base byteClass) {
	if !l.enter() {
		return
	}
	defer l.leave()
	start := l.pos
	open, closer := byte('('), byte(')')
	if l.src[start+n-1] == '[' {
		open, closer = '[', ']'
	}
	l.take(n, base)
	l.ariths++
	defer func() { l.ariths-- }()
	depth := 0
	for l.more() {
		switch b := l.src[l.pos]; {
		case b == open:
			depth++
			l.take(1, base)
		case b == closer && depth > 0:
			depth--
			l.take(1, base)
		case b == ']' && closer == ']':
			l.take(1, base)
			return
		case b == closer && l.peek(1) == ')':
			l.take(2, base)
			return
		case b == closer:
			l.doubt(start, "(( that may be two brackets")
		case b == '\'' || b == '\\' || b == '`':
			l.doubt(start, "quotes in arithmetic")
		case b == '"':
			l.arithQuote(start)
		case b == '$':
			l.dollar(base)
		default:
			l.newlineInside(b)
			l.take(1, base)
		}
	}
	l.unclosed(start, "arithmetic without an end")
}

// arithQuote reads double quotes in arithmetic, which shells read alike only
// around plain text.
func (l *lexer) arithQuote(start int) {
	from := l.pos
	l.double(1)
	if strings.ContainsAny(l.src[from:l.pos], "();\n\\`'") {
		l.doubt(start, "quotes in arithmetic")
	}
}

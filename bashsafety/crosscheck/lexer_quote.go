package crosscheck

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
	l.doubt(start, "an unclosed '")
}

// doublePair reads "..." as double does, as a construct that bash 3.2 looks for
// the end of.
func (l *lexer) doublePair(n int) {
	was := l.beginPair()
	l.double(n)
	l.endPair(was)
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
	l.doubt(start, "an unclosed \"")
}

// quotedByte reads one byte of text in double quotes, a here-document or an
// expansion in one of them, or what it starts.
func (l *lexer) quotedByte(base byteClass) {
	switch b := l.src[l.pos]; b {
	case '\\':
		switch next := l.peek(1); next {
		case '\n':
			if !l.plainJoin(true) {
				l.doubt(l.pos, "a line continuation after an expansion")
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
		l.backquote(base)
	default:
		if base != classDouble {
			l.newlineInside(b)
		}
		l.take(1, base)
	}
}

// newlineInside is unsure about a newline in an expansion before the lines of a
// here-document: shells do not agree which newline they start after.
func (l *lexer) newlineInside(b byte) {
	if b == '\n' && l.wait > 0 {
		l.doubt(l.pos, "a newline in a word before the body of a here-document")
	}
}

// backquote reads `...`. What is inside is read a second time by the shell,
// with backslashes taken off and nesting by them, so they are doubted.
func (l *lexer) backquote(base byteClass) {
	if !l.enter() {
		return
	}
	defer l.leave()
	at := l.pos
	n := strings.IndexByte(l.src[at+1:l.end], '`')
	if n < 0 {
		l.doubt(at, "an unclosed `")
		return
	}
	inside := l.src[at+1 : at+1+n]
	if strings.ContainsAny(inside, "\\#") || strings.Contains(inside, "<<") {
		l.doubt(at, "a backslash, # or here-document in backquotes")
		return
	}
	if base == classDouble && strings.IndexByte(inside, '"') >= 0 && strings.IndexByte(inside, '{') >= 0 {
		l.doubt(at, "a brace and quotes in backquotes in quotes") // unquoted where bash looks for braces
		return
	}
	l.take(1, classOperator)
	end, was, list, doc := l.end, l.pair, l.list, l.doc
	l.end, l.pair = at+1+n, 0
	l.commands(0)
	l.end, l.pair, l.list, l.doc = end, was, list, doc
	if l.unsure == "" {
		l.take(1, classOperator)
	}
}

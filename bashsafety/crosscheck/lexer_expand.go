package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// dollar reads an expansion, or a literal $. base is the class of the text
// around.
func (l *lexer) dollar(base byteClass) {
	start := l.pos
	switch next := l.peek(1); {
	case next == '(' && l.peek(2) == '(':
		l.arith(3, classArith)
		l.noComment(start)
	case next == '(':
		l.substitution()
	case next == '{':
		l.param(base)
	case next == '[':
		l.arith(2, classArith)
	case next == '\'' || next == '"':
		l.dollarQuote(next, base)
	case next == '\\' && l.peek(2) == '\n':
		l.doubt(l.pos, "a line continuation after a $")
	case next == '$':
		l.pid(base)
	case shell.NameStart(next):
		l.take(2, base)
		for l.more() && shell.NameByte(l.src[l.pos]) {
			l.take(1, base)
		}
	case strings.IndexByte("0123456789#?!@*-", next) >= 0:
		l.take(2, base)
	default:
		l.take(1, base)
	}
}

// dollarQuote reads $'...' or $"...", which are a $ and text inside quotes.
func (l *lexer) dollarQuote(quote byte, base byteClass) {
	switch {
	case base == classArith:
		l.doubt(l.pos, "quotes in arithmetic")
	case base != classUnquoted:
		l.take(1, base)
	case quote == '"':
		l.doublePair(2)
	case l.inExpansion():
		l.doubt(l.pos, "$'...' in a substitution in an expansion") // bash 3.2 takes the quotes off
	default:
		l.single(2)
	}
}

// pid reads $$. What follows may belong to the second $ for another reader.
func (l *lexer) pid(base byteClass) {
	third := l.peek(2)
	if base != classUnquoted && (third == '(' || third == '{') {
		l.doubt(l.pos, "$$ before a bracket")
		return
	}
	if base == classUnquoted {
		switch third {
		case '\'', '"':
			l.differs(l.pos, l.pos+3, "zsh reads the second $ with the quotes")
		case '{':
			l.differs(l.pos, l.pos+3, "zsh reads the { after $$ differently")
		}
	}
	l.take(2, base)
}

// substitution reads $(...), <(...) or >(...).
func (l *lexer) substitution() {
	was, list, doc := l.beginPair(), l.list, l.doc
	l.list, l.pair, l.doc = l.pair, 0, 0
	mine := l.list
	l.take(2, classOperator)
	l.commands(')')
	l.list, l.doc, l.pair = list, doc, mine
	l.endPair(was)
	switch at := int(l.pairs[mine-1].at); {
	case l.src[at] != '$' && l.bracesIn(at, l.pos):
		l.doubt(at, "braces in a process substitution") // bash 3.2 expands them first: <(a) <(b)
	case l.quotedAround(was) && l.bracesInQuotes(at+2, l.pos):
		l.doubt(at, "a brace in quotes in a substitution in quotes") // the same: "$(a "b" )" "$(a "c")"
	}
}

// quotedAround reports whether a construct is in double quotes or is them.
func (l *lexer) quotedAround(pair int32) bool {
	for ; pair >= 0; pair = l.pairs[pair].quoted {
		if l.src[l.pairs[pair].at] == '"' {
			return true
		}
	}
	return false
}

// noComment is unsure about a comment in arithmetic, which bash 3.2 then takes for
// commands.
func (l *lexer) noComment(start int) {
	for i := start; i < l.pos && l.unsure == ""; i++ {
		if l.class[i] == classComment {
			l.doubt(i, "a comment in arithmetic")
		}
	}
}

// arith reads arithmetic after an opening of n bytes: (( and $((, which end
// at )), or $[, which ends at ].
func (l *lexer) arith(n int, base byteClass) {
	defer l.endPair(l.beginPair())
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
	l.doubt(start, "unterminated arithmetic")
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
// : for a substring, - for those that give another value, or 0 if none.
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

package bashsafety

import "strings"

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
	l.doubt(start, "arithmetic without an end")
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

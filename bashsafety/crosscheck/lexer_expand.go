package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// dollar reads an expansion, or a $ that is none. base is the class of the text
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
	case was >= 0 && l.src[l.pairs[was].at] == '"' && l.bracesInQuotes(at+2, l.pos):
		l.doubt(at, "a brace in quotes in a substitution in quotes") // the same: "$(a "b" )" "$(a "c")"
	}
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

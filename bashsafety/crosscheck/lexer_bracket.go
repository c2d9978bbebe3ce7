package crosscheck

import "strings"

// array reads (...) after NAME=.
func (l *lexer) array() {
	start := l.pos
	l.take(1, classOperator)
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t':
			l.take(1, classBlank)
		case '\n':
			if l.wait > 0 {
				l.doubt(l.pos, "a newline in an array before the body of a here-document")
			}
			l.take(1, classOperator)
		case '#':
			l.comment()
		case ')':
			l.take(1, classOperator)
			if l.substs > 0 && strings.IndexByte(l.src[start:l.pos], '\\') >= 0 {
				l.doubt(start, "a backslash in an array in a substitution") // lost when bash reads it again
			}
			return
		case ';', '&', '|', '(':
			l.doubt(l.pos, "an operator in an array")
		case '<', '>':
			if l.peek(1) != '(' {
				l.doubt(l.pos, "an operator in an array")
			}
			l.word(classUnquoted)
		default:
			if !l.continuation() {
				l.word(classUnquoted)
			}
		}
	}
	l.doubt(l.pos, "an unterminated array")
}

// extglob reads (...) after ? * + @ or !, which is a pattern or an error
// depending on an option. The walk doubts it.
func (l *lexer) extglob() {
	depth := 0
	for l.more() {
		switch l.src[l.pos] {
		case '(':
			depth++
			l.take(1, classUnquoted)
		case ')':
			l.take(1, classUnquoted)
			if depth--; depth == 0 {
				return
			}
		default:
			l.quoting(classUnquoted)
		}
	}
}

// test reads what follows [[ up to and with ]].
func (l *lexer) test() {
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t':
			l.take(1, classBlank)
		case '#':
			l.comment()
		case '\n':
			if l.wait > 0 {
				l.doubt(l.pos, "a newline in a test before the body of a here-document")
			}
			l.take(1, classOperator)
		case ';', '&', '|', '(', ')', '<', '>':
			if (b == '<' || b == '>') && l.peek(1) == '(' {
				l.word(classUnquoted)
				continue
			}
			l.take(1, classOperator)
		default:
			if l.continuation() {
				continue
			}
			start := l.pos
			l.word(classUnquoted)
			switch l.src[start:l.pos] {
			case "]]":
				return
			case "=~":
				l.regex()
			}
		}
	}
	l.doubt(l.pos, "an unclosed [[")
}

// regex reads the word after =~, in which | and what is in brackets is
// part of it.
func (l *lexer) regex() {
	l.blanks()
	start, parens := l.pos, 0
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t', '\n':
			if parens == 0 || b == '\n' {
				l.begin(start)
				return
			}
			l.take(1, classUnquoted)
		case '(':
			parens++
			l.take(1, classUnquoted)
		case ')':
			if parens == 0 {
				l.begin(start)
				return
			}
			parens--
			l.take(1, classUnquoted)
		case ';', '&', '<', '>', '#', '`':
			l.doubt(l.pos, "an operator in a regular expression")
		default:
			if !l.continuation() {
				l.quoting(classUnquoted)
			}
		}
	}
}

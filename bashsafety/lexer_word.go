package bashsafety

import "strings"

// commandWord reads a word where commands stand and notes what it means for
// the next one.
func (l *lexer) commandWord(f *cmdFrame) {
	start := l.pos
	l.word(classUnquoted)
	if f.behind { // bash 5.2 prints what it read and reads that again, without some separators
		l.doubt(start, "a command behind a here-document in a substitution")
	}
	if l.unsure != "" {
		return
	}
	text := l.src[start:l.pos]
	if b := l.peek(0); (b == '<' || b == '>') && isDescriptor(text) {
		l.pos = start
		l.take(len(text), classOperator)
		l.class[start] |= tokenStart
		return
	}
	was := *f
	f.command, f.loop, f.timed, f.named = false, false, false, max(f.named-1, 0)
	switch {
	case f.in(caseWord):
		f.set(caseIn)
	case f.in(caseIn):
		if text == "in" {
			f.set(casePattern)
		}
	case f.in(casePattern):
		if text == "esac" {
			f.cases = f.cases[:len(f.cases)-1]
			f.command = true
		}
	case was.timed && (text == "-p" || text == "--"):
		f.command, f.timed = true, true
	case was.command:
		l.reserved(f, text)
	case was.named == 1 && (text == "do" || text == "{"):
		f.command = true
	}
}

// reserved handles a word that may be a reserved one.
func (l *lexer) reserved(f *cmdFrame, text string) {
	switch text {
	case "if", "then", "elif", "else", "fi", "while", "until", "do", "done", "{", "}", "!":
		f.command = true
	case "coproc":
		f.command, f.named = true, 2
	case "time":
		f.command, f.timed = true, true
	case "for":
		f.loop, f.named = true, 2
	case "select", "function":
		f.named = 2
	case "case":
		if f.cases = append(f.cases, caseWord); l.ariths > 0 {
			l.doubt(l.pos-len(text), "case in arithmetic") // its ) may end that
		}
	case "esac":
		if f.in(caseBody) {
			f.cases = f.cases[:len(f.cases)-1]
		}
		f.command = true
	case "[[":
		l.test()
	default:
		f.command = assignment(text) // what follows may be one more, or the command
	}
}

// assignment reports whether a word starts like NAME= or NAME[...]=.
func assignment(text string) bool {
	n := 0
	for n < len(text) && nameByte(text[n]) {
		n++
	}
	if n == 0 || !nameStart(text[0]) || n == len(text) {
		return false
	}
	if text[n] == '[' {
		return strings.Contains(text[n:], "]=") || strings.Contains(text[n:], "]+=")
	}
	return text[n] == '=' || text[n] == '+' && n+1 < len(text) && text[n+1] == '='
}

// isDescriptor reports whether a word right in front of < or > is part of the
// redirection: digits, or {NAME}.
func isDescriptor(text string) bool {
	if number(text) {
		return true
	}
	return len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' && validName(text[1:len(text)-1])
}

// word reads one word: up to an unquoted blank or operator.
func (l *lexer) word(base byteClass) {
	start := l.pos
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t', '\n', ';', '&', '|', ')':
			l.begin(start)
			return
		case '<', '>':
			if l.peek(1) != '(' {
				l.begin(start)
				return
			}
			l.take(2, classOperator)
			l.commands(')')
		case '(':
			if text := l.src[start:l.pos]; strings.HasSuffix(text, "=") && assignment(text) {
				l.array()
			} else if text != "" && strings.IndexByte("?*+@!", text[len(text)-1]) >= 0 {
				l.extglob()
			} else {
				l.begin(start)
				return
			}
		default:
			if !l.continuation() {
				l.quoting(base)
			}
		}
	}
	l.begin(start)
}

// begin marks the first byte of a word.
func (l *lexer) begin(start int) {
	for start < l.pos && l.src[start] == '\\' && start+1 < l.end && l.src[start+1] == '\n' {
		start += 2
	}
	if start < l.pos {
		l.class[start] |= tokenStart
	}
}

// quoting reads one byte of a word, or what it starts.
func (l *lexer) quoting(base byteClass) {
	switch b := l.src[l.pos]; b {
	case '\\':
		if l.pos+1 == l.end {
			l.doubt(l.pos, "a backslash at the very end")
			return
		}
		l.take(2, classEscape)
	case '\'':
		l.single(1)
	case '"':
		l.double(1)
	case '$':
		l.dollar(base)
	case '`':
		l.backquote()
	default:
		l.take(1, base)
	}
}

// array reads (...) behind NAME=.
func (l *lexer) array() {
	l.take(1, classOperator)
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t':
			l.take(1, classBlank)
		case '\n':
			if l.wait > 0 {
				l.doubt(l.pos, "a newline in an array before the lines of a here-document")
			}
			l.take(1, classOperator)
		case '#':
			l.comment()
		case ')':
			l.take(1, classOperator)
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
	if l.unsure == "" {
		l.doubt(l.pos, "an array without an end")
	}
}

// extglob reads (...) behind ? * + @ or !, which is a pattern or an error
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
				l.doubt(l.pos, "a newline in a test before the lines of a here-document")
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
	if l.unsure == "" {
		l.doubt(l.pos, "a [[ without an end")
	}
}

// regex reads the word behind =~, in which | and what stands in brackets is
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
	case isBlank(next), isBlank(prev):
		return true
	case strings.IndexByte("&|;(", prev) >= 0:
		return plainByte(next)
	}
	return plainByte(prev) && plainByte(next)
}

// inName reports whether what stands before the next byte is the name of a
// parameter that could go on behind it.
func (l *lexer) inName() bool {
	j := l.pos
	for j > 0 && nameByte(l.src[j-1]) {
		j--
	}
	return j > 0 && (l.src[j-1] == '$' || l.src[j-1] == '{' && j > 1 && l.src[j-2] == '$')
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' || b == '\n' }

// plainByte reports whether a byte means nothing but itself anywhere in a word.
func plainByte(b byte) bool { return nameByte(b) || strings.IndexByte("./-_:@%", b) >= 0 }

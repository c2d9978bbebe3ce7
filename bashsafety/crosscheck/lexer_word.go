package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// commandWord reads a word in a place where commands can start and notes what it
// means for the next one.
func (l *lexer) commandWord(f *cmdFrame) {
	start := l.pos
	l.word(classUnquoted)
	if f.behind { // bash 5.2 prints what it read and reads that again, without some separators
		l.doubt(start, "a command after a here-document in a substitution")
	}
	if l.unsure != "" {
		return
	}
	text := l.src[start:l.pos]
	if b := l.peek(0); (b == '<' || b == '>') && isDescriptor(text) {
		l.descriptor(f, start, text)
		return
	}
	if len(f.cases) == 0 || f.in(caseBody) {
		l.zshWord(start, f.command)
	}
	l.advance(f, text)
}

// descriptor makes the word in front of < or > a part of the redirection.
func (l *lexer) descriptor(f *cmdFrame, start int, text string) {
	l.zshDescriptor(start, text)
	if f.command && text[0] == '{' {
		l.zshWord(start, true)
	}
	l.pos = start
	l.take(len(text), classOperator)
	l.class[start] |= tokenStart
}

// advance moves the frame past a word.
func (l *lexer) advance(f *cmdFrame, text string) {
	was := *f
	f.command, f.loop, f.timed, f.named = false, false, false, max(f.named-1, 0)
	switch {
	case f.advanceCase(text):
	case was.timed && (text == "-p" || text == "--"):
		f.command, f.timed = true, true
	case was.timed && text == "case" && f.subst: // bash does not see it when it looks for the )
		l.doubt(l.pos-len(text), "case after time in a substitution")
	case was.command:
		l.reserved(f, text)
	case was.named == 1 && (text == "do" || text == "{"): // the body of for or select
		f.command = true
	}
}

// advanceCase moves the frame past a word that belongs to case itself, false for
// the words of commands.
func (f *cmdFrame) advanceCase(text string) bool {
	switch {
	case len(f.cases) == 0 || f.in(caseBody):
		return false
	case f.in(caseWord):
		f.set(caseIn)
	case f.in(caseIn) && text == "in":
		f.set(casePattern)
	case f.in(casePattern) && text == "esac":
		f.cases = f.cases[:len(f.cases)-1]
		f.command = true
	}
	return true
}

// reserved handles a word that may be a reserved one.
func (l *lexer) reserved(f *cmdFrame, text string) {
	switch text {
	case "{":
		l.groups++
	case "}":
		l.groups--
	}
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
	for n < len(text) && shell.NameByte(text[n]) {
		n++
	}
	if n == 0 || !shell.NameStart(text[0]) {
		return false
	}
	rest := text[n:]
	if strings.HasPrefix(rest, "[") {
		return strings.Contains(rest, "]=") || strings.Contains(rest, "]+=")
	}
	return strings.HasPrefix(rest, "=") || strings.HasPrefix(rest, "+=")
}

// isDescriptor reports whether a word right in front of < or > is part of the
// redirection: digits, or {NAME}.
func isDescriptor(text string) bool {
	if shell.Number(text) {
		return len(strings.TrimLeft(text, "0")) < 10 // what is no int is a word
	}
	return len(text) > 2 && text[0] == '{' && text[len(text)-1] == '}' && shell.ValidName(text[1:len(text)-1])
}

// word reads one word: up to an unquoted blank or operator.
func (l *lexer) word(base byteClass) {
	start, bracket := l.pos, false
	for l.more() {
		if n := shell.WordLength(l.src[l.pos:l.end], shell.NameByte); n > 0 {
			l.take(n, base)
			continue
		}
		switch b := l.src[l.pos]; b {
		case ' ', '\t', '\n', ';', '&', '|', ')':
			l.begin(start)
			return
		case '[':
			if !bracket {
				bracket = true
				l.matched++
				defer func() { l.matched-- }()
			}
			l.take(1, base)
		case '<', '>':
			if l.peek(1) != '(' {
				l.begin(start)
				return
			}
			if l.peek(2) == '(' {
				l.doubt(l.pos, "two brackets that open a process substitution")
				return
			}
			l.substitution()
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
		l.doublePair(1)
	case '$':
		l.dollar(base)
	case '`':
		l.backquote(base)
	default:
		l.take(1, base)
	}
}

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

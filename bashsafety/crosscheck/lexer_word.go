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
	case was.timed && timeOption(text):
		f.command, f.timed = true, true
	case was.timed && text == "case" && f.subst: // bash does not see it when it looks for the )
		l.doubt(l.pos-len(text), "case after time in a substitution")
	case was.command:
		l.reserved(f, text)
	case was.named == 1 && startsBody(text):
		f.command = true
	}
}

func timeOption(text string) bool { return text == "-p" || text == "--" }

// startsBody reports whether a word starts the body of for or select.
func startsBody(text string) bool { return text == "do" || text == "{" }

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

package bashsafety

import "strings"

// A cmdFrame is what commands knows of the list it reads.
type cmdFrame struct {
	command bool // the next word may be a command or a reserved word
	loop    bool // the word before was for: (( is no command
	timed   bool // the word before was time
	named   int  // 2 behind for, select and function, 1 behind the name after them
	parens  int  // open subshells
	cases   []caseState
	docs    []hereDoc // here-documents that start behind the next newline
	subst   bool      // the list is that of a substitution
	behind  bool      // ... and the lines of a here-document were read
}

// A caseState says which part of case WORD in PATTERN) ... esac comes next.
type caseState uint8

const (
	caseWord caseState = iota
	caseIn
	casePattern
	caseBody
)

// in reports whether the innermost case waits for the given part.
func (f *cmdFrame) in(s caseState) bool {
	n := len(f.cases)
	return n > 0 && f.cases[n-1] == s
}

func (f *cmdFrame) set(s caseState) { f.cases[len(f.cases)-1] = s }

// separated notes that the next word starts a command.
func (f *cmdFrame) separated() {
	f.command, f.loop, f.timed, f.named = !f.in(casePattern) && !f.in(caseIn), false, false, 0
}

// commands reads commands up to the byte that closes them, 0 for the end of the
// text, and moves behind it.
func (l *lexer) commands(closer byte) {
	if !l.enter() {
		return
	}
	defer l.leave()
	if closer == ')' {
		l.substs++
		defer func() { l.substs-- }()
	}
	f := cmdFrame{command: true, subst: closer != 0 || l.end < len(l.src)}
	defer func() { l.wait -= len(f.docs) }()
	for l.more() {
		switch b := l.src[l.pos]; b {
		case ' ', '\t':
			l.take(1, classBlank)
		case '\n':
			l.newline(&f)
		case '#':
			l.comment()
		case ';', '&', '|':
			l.control(&f)
		case '<', '>':
			if l.peek(1) == '(' {
				l.commandWord(&f)
			} else {
				l.redirect(&f)
			}
		case '(':
			l.open(&f)
		case ')':
			if f.in(casePattern) {
				l.take(1, classOperator)
				f.set(caseBody)
				f.separated()
			} else if f.parens > 0 {
				l.take(1, classOperator)
				f.parens--
				f.separated()
			} else if closer == ')' {
				l.close(&f)
				return
			} else {
				l.doubt(l.pos, "a ) that closes nothing")
			}
		default:
			if l.continuation() {
				continue
			}
			l.commandWord(&f)
		}
	}
	if l.unsure == "" {
		if closer == ')' {
			l.doubt(l.pos, "a ( without an end")
		} else if len(f.docs) > 0 {
			l.doubt(l.pos, "a here-document without an end")
		}
	}
}

func (l *lexer) close(f *cmdFrame) {
	if len(f.docs) > 0 {
		l.doubt(l.pos, "a here-document that ends behind its substitution")
	} else if len(f.cases) > 0 {
		l.doubt(l.pos, "a case without an end")
	}
	l.take(1, classOperator)
}

// comment reads up to the newline. A backslash there does not continue it.
func (l *lexer) comment() {
	start := l.pos
	for l.pos < l.end && l.src[l.pos] != '\n' {
		l.take(1, classComment)
	}
	if l.pos > start && l.src[l.pos-1] == '\\' {
		l.doubt(l.pos-1, "a comment that ends in a backslash")
	}
}

// control reads ; & | and what is made of them, or &> and &>>.
func (l *lexer) control(f *cmdFrame) {
	b, next := l.src[l.pos], l.peek(1)
	if b == '&' && next == '>' {
		l.redirect(f)
		return
	}
	n := 1
	switch {
	case b == ';' && next == ';':
		if n = 2; l.peek(2) == '&' {
			n = 3
		}
	case b == ';' && next == '&', next == b, b == '|' && next == '&':
		n = 2
	}
	if b == '&' && n == 1 && next == '!' {
		l.zsh = l.pos + 1
	}
	if f.subst && n == 1 && b != '|' && (f.behind || len(f.docs) > 0) {
		l.doubt(l.pos, "a command behind a here-document in a substitution")
		return
	}
	l.take(n, classOperator)
	if b == ';' && n > 1 && f.in(caseBody) {
		f.set(casePattern)
	}
	f.separated()
}

// newline reads a newline and the here-documents that start behind it.
func (l *lexer) newline(f *cmdFrame) {
	if l.wait > len(f.docs) {
		l.doubt(l.pos, "a newline in a substitution before the lines of a here-document")
		return
	}
	l.take(1, classOperator)
	for i := range f.docs {
		l.heredoc(&f.docs[i])
		f.behind = f.subst
	}
	l.wait -= len(f.docs)
	f.docs = nil
	f.separated()
}

// open reads a ( that is not part of a word.
func (l *lexer) open(f *cmdFrame) {
	if l.peek(1) == '(' && (f.command || f.loop) && !f.in(casePattern) {
		l.arith(2, classArith)
		f.command, f.loop = f.loop, false
		return
	}
	l.take(1, classOperator)
	if !f.in(casePattern) {
		f.parens++
		f.separated()
	}
}

// redirect reads a redirection operator and its word.
func (l *lexer) redirect(f *cmdFrame) {
	at, n := l.pos, 1
	for _, op := range [...]string{"&>>", "&>", "<<<", "<<-", "<<", "<&", "<>", ">>", ">&", ">|"} {
		if strings.HasPrefix(l.src[at:l.end], op) {
			n = len(op)
			break
		}
	}
	op := l.src[at : at+n]
	l.take(n, classOperator)
	l.blanks()
	start := l.pos
	l.word(classUnquoted)
	if l.pos == start {
		l.doubt(at, "a redirection without a word")
	}
	if op == "<<" || op == "<<-" {
		l.wait++
		if l.ariths > 0 || l.matched > 0 { // where that ends is looked for without regard to the lines
			l.doubt(at, "a here-document in arithmetic or in a subscript")
		}
		f.docs = append(f.docs, l.delimiter(start, op == "<<-"))
	}
	if l.unsure == "" && op[n-1] == '&' && l.src[start] == '-' && l.pos > start+1 {
		l.doubt(start, "a word right behind >&-")
	}
}

package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A cmdFrame is what commands knows of the list it reads.
type cmdFrame struct {
	command bool // the next word may be a command or a reserved word
	loop    bool // the word before was for: (( is no command
	timed   bool // the word before was time
	named   int  // 2 after for, select and function, 1 after the name that follows
	parens  int  // open subshells
	cases   []caseState
	docs    []hereDoc // here-documents that start after the next newline
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

// losesSeparators reports whether bash 5.2 reads the list a second time, from what
// it printed of it, in which some separators after a here-document are missing.
func (f *cmdFrame) losesSeparators() bool { return f.subst && (f.behind || len(f.docs) > 0) }

// separated notes that the next word starts a command.
func (f *cmdFrame) separated() {
	f.command, f.loop, f.timed, f.named = !f.in(casePattern) && !f.in(caseIn), false, false, 0
}

// commands reads commands up to the byte that closes them, 0 for the end of the
// text, and moves past it.
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
				l.doubt(l.pos, "an unmatched )")
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
			l.doubt(l.pos, "an unclosed (")
		} else if len(f.docs) > 0 {
			l.doubt(l.pos, "an unterminated here-document")
		}
	}
}

func (l *lexer) close(f *cmdFrame) {
	if len(f.docs) > 0 {
		l.doubt(l.pos, "a here-document that ends after its substitution")
	} else if len(f.cases) > 0 {
		l.doubt(l.pos, "an unterminated case")
	}
	l.take(1, classOperator)
}

// comment reads up to the newline. A backslash there does not continue it.
func (l *lexer) comment() {
	start := l.pos
	for l.pos < l.end && l.src[l.pos] != '\n' {
		l.take(1, classComment)
	}
	if l.substs > 0 && strings.Contains(l.src[start:l.pos], "$'") { // bash 3.2 makes lines of it
		l.doubt(start, "$'...' in a comment in a substitution")
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
	n := l.controlLen(b, next)
	if b == '&' && next == '!' {
		l.differs(l.pos, l.pos+2, "zsh reads &! as one operator")
	}
	if n == 1 && b != '|' && f.losesSeparators() {
		l.doubt(l.pos, "a command after a here-document in a substitution")
		return
	}
	l.take(n, classOperator)
	if b == ';' && n > 1 && f.in(caseBody) {
		f.set(casePattern)
	}
	f.separated()
}

// controlLen returns the length of ; ;; ;;& ;& & && | || or |&.
func (l *lexer) controlLen(b, next byte) int {
	switch {
	case b == ';' && next == ';' && l.peek(2) == '&':
		return 3
	case next == b, next == '&':
		return 2
	}
	return 1
}

// newline reads a newline and the here-documents that start after it.
func (l *lexer) newline(f *cmdFrame) {
	if l.wait > len(f.docs) {
		l.doubt(l.pos, "a newline in a substitution before the body of a here-document")
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
	l.zshRedirect()
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
		l.doubt(at, "a redirection without a target")
	}
	l.zshTarget(start)
	if op == "<<" || op == "<<-" {
		l.wait++
		if l.ariths > 0 || l.matched > 0 { // where that ends is looked for without regard to the lines
			l.doubt(at, "a here-document in arithmetic or in a subscript")
		}
		f.docs = append(f.docs, l.delimiter(start, op == "<<-"))
	}
	if l.unsure == "" && op[n-1] == '&' && l.src[start] == '-' && l.pos > start+1 {
		l.doubt(start, "a word right after >&-")
	}
}

// A hereDoc is a here-document whose lines are still to come.
type hereDoc struct {
	at     int // of its delimiter
	delim  string
	quoted bool // the lines are data
	tabs   bool // <<-
}

// delimiter reads what the word from start says of a here-document. Rare
// spellings are not told apart.
func (l *lexer) delimiter(start int, tabs bool) hereDoc {
	d := hereDoc{at: start, tabs: tabs}
	word := l.src[start:max(start, l.pos)]
	switch {
	case len(word) > 2 && (word[0] == '\'' || word[0] == '"') && word[len(word)-1] == word[0]:
		d.delim, d.quoted = word[1:len(word)-1], true
	case strings.HasPrefix(word, `\`):
		d.delim, d.quoted = word[1:], true
	default:
		d.delim = word
	}
	if d.delim == "" || strings.ContainsAny(d.delim, "\\$`\"'\n(") {
		l.doubt(start, "an unusual here-document delimiter")
	}
	return d
}

// heredoc reads the lines of a here-document. A shell reads line by line, joins
// lines that end in a backslash when the delimiter is not quoted, and stops at
// the first line that is the delimiter.
func (l *lexer) heredoc(d *hereDoc) {
	from := l.pos
	joined := ""
	for i := from; i < l.end && l.unsure == ""; {
		n := strings.IndexByte(l.src[i:l.end], '\n')
		next := i + n + 1
		if n < 0 {
			n, next = l.end-i, l.end
		}
		line := l.src[i : i+n]
		if d.tabs && joined == "" {
			line = strings.TrimLeft(line, "\t")
		}
		switch {
		case l.substs > 0 && strings.HasPrefix(line, d.delim) && strings.IndexByte(line, ')') > 0:
			l.doubt(i, "a here-document in a substitution that may end at a )")
		case !d.quoted && shell.OddBackslashes(line):
			if joined += line[:len(line)-1]; len(joined) > len(d.delim) {
				joined = d.delim + "x" // longer than any match, and short
			}
			if joined == "" {
				joined = "\\" // an empty line that goes on is no start of a line
			}
		case joined == "" && line == d.delim:
			l.heredocBody(d, i)
			l.pos = i
			l.take(next-i, classHeredoc)
			return
		case joined != "" && strings.TrimPrefix(joined, "\\")+line == d.delim:
			l.doubt(d.at, "a here-document that may end elsewhere")
		default:
			joined = ""
		}
		i = next
	}
	l.doubt(d.at, "an unterminated here-document")
}

// heredocBody reads the lines up to the one that ends them.
func (l *lexer) heredocBody(d *hereDoc, to int) {
	l.rejoined(d, l.pos, to)
	if d.quoted {
		l.joined(l.pos, to)
		l.take(to-l.pos, classHeredoc)
		return
	}
	end, wait, pair, doc := l.end, l.wait, l.pair, l.doc
	l.end, l.wait, l.pair, l.doc = to, 0, 0, int32(to)
	l.joins++
	for l.more() {
		l.quotedByte(classHeredoc)
	}
	l.joins--
	l.end, l.wait, l.pair, l.doc = end, wait, pair, doc
}

// joined is unsure about quoted text in an expansion in a here-document when it
// holds a line continuation: that went before anything else was read.
func (l *lexer) joined(from, to int) {
	if n := strings.Index(l.src[from:max(from, to)], "\\\n"); l.joins > 0 && n >= 0 {
		l.doubt(from+n, "a line continuation in quotes in a here-document")
	}
}

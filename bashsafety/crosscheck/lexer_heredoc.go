package crosscheck

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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

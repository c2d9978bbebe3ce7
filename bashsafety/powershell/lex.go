package powershell

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// rune returns the character at the cursor, 0 at the end.
func (p *psParser) rune() (r rune, size int) {
	if p.i >= len(p.s) {
		return 0, 0
	}
	return utf8.DecodeRuneInString(p.s[p.i:])
}

// at reports whether the text goes on with one of the prefixes.
func (p *psParser) at(prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(p.s[p.i:], prefix) })
}

// peek is the byte n places on, 0 past the end.
func (p *psParser) peek(n int) byte {
	if p.i+n < len(p.s) {
		return p.s[p.i+n]
	}
	return 0
}

// PowerShell takes typographic quotes and dashes for the plain ones.
func psSingle(r rune) bool { return r == '\'' || r >= '\u2018' && r <= '\u201b' }

func psDouble(r rune) bool { return r == '"' || r >= '\u201c' && r <= '\u201e' }

func psDash(r rune) bool { return r >= '\u2013' && r <= '\u2015' }

func psBlank(r rune) bool { return r != '\n' && r != '\r' && unicode.IsSpace(r) }

// blank skips blanks, comments and continued lines; with lines also newlines.
func (p *psParser) blank(lines bool) {
	for p.i < len(p.s) {
		switch r, n := p.rune(); {
		case psBlank(r), lines && (r == '\n' || r == '\r'):
			p.i += n
		case r == '`' && (p.peek(1) == '\n' || p.peek(1) == '\r' && p.peek(2) == '\n'):
			p.i = strings.IndexByte(p.s[p.i:], '\n') + p.i + 1
		case r == '#':
			p.i += lineEnd(p.s[p.i:])
		case p.at("<#"):
			end := strings.Index(p.s[p.i:], "#>")
			if end < 0 {
				p.broken("an unterminated comment")
				p.i = len(p.s)
				return
			}
			p.i += end + 2
		default:
			return
		}
	}
}

// lineEnd is the length of the text up to its first newline.
func lineEnd(s string) int {
	if i := strings.IndexAny(s, "\r\n"); i >= 0 {
		return i
	}
	return len(s)
}

// statementEnds reports whether nothing of a statement is left at the cursor.
func (p *psParser) statementEnds() bool {
	return p.i >= len(p.s) || strings.IndexByte(";\n\r|&)}", p.s[p.i]) >= 0
}

// psName reports whether a byte can begin the name of a variable.
func psName(c byte) bool { return c == '_' || alphanumeric(c) || c >= utf8.RuneSelf }

// psVariable reports whether a $ before a byte is a variable.
func psVariable(c byte) bool { return psName(c) || strings.IndexByte("{?$^", c) >= 0 }

func alphanumeric(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// name reads the name of a variable after the $, in lower case.
func (p *psParser) name() string {
	if p.peek(0) == '{' {
		end := strings.IndexByte(p.s[p.i:], '}')
		if end < 0 {
			p.broken("an unterminated variable name")
			p.i = len(p.s)
			return "?"
		}
		name := p.s[p.i+1 : p.i+end]
		p.i += end + 1
		return strings.ToLower(name)
	}
	from := p.i
	if c := p.peek(0); c == '$' || c == '?' || c == '^' {
		p.i++
		return p.s[from:p.i]
	}
	for p.i < len(p.s) {
		c := p.s[p.i]
		if !psName(c) && !(c == ':' && p.i > from && psName(p.peek(1))) {
			break
		}
		p.i++
	}
	return strings.ToLower(p.s[from:p.i])
}

// pieces lists what may be commands in a text that is not read any further, so
// that deny rules and checks see them.
func (p *psParser) pieces(text string, off int) {
	lex := psLexer{s: text}
	for lex.command() && !p.w.Full() {
		if len(lex.argv) == 0 {
			continue
		}
		for i := range lex.argv {
			at := &lex.argv[i].Span
			*at = p.place(shell.Span{Start: at.Start + off, End: at.End + off})
		}
		sub := analysis.Subcommand{Span: shell.Span{Start: lex.argv[0].Span.Start, End: lex.argv[len(lex.argv)-1].Span.End}, Argv: lex.argv, Via: p.via}
		if lex.argv[0].Known {
			sub.Program = psBase(lex.argv[0].Text)
			if cmd := cmdletOf(strings.ToLower(sub.Program)); cmd != nil {
				p.spellings(&sub, cmd)
			}
		}
		p.w.Add(sub)
	}
}

// psLexer cuts PowerShell text into commands and words, wherever one may start.
type psLexer struct {
	s    string
	i    int
	argv []shell.Word
}

// command reads the words up to the next place where a command may start;
// false at the end of the text.
func (p *psLexer) command() bool {
	if p.argv = nil; p.i >= len(p.s) {
		return false
	}
	for p.i < len(p.s) {
		switch c := p.s[p.i]; {
		case strings.IndexByte(" \t#<>", c) >= 0:
			p.i++
		case strings.IndexByte(";|\n\r{}()&", c) >= 0:
			p.i++
			if len(p.argv) > 0 {
				return true
			}
		default:
			p.word()
		}
	}
	return true
}

// word reads one word; quotes are taken off, an expansion is a hole.
func (p *psLexer) word() {
	w := shell.Word{Known: true, Single: true, Span: shell.Span{Start: p.i}}
	var b strings.Builder
	for p.i < len(p.s) && strings.IndexByte(" \t\r\n;|{}()&<>", p.s[p.i]) < 0 {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '\'' || c == '"':
			w.Quoted = true
			p.quoted(c, &w, &b)
		case c < 0x20, c >= 0x80, strings.IndexByte("$@`", c) >= 0:
			w.Known = false
			b.WriteString(shell.HoleMark)
			if c == '`' && p.i < len(p.s) {
				p.i++
			}
		default:
			b.WriteByte(c)
		}
	}
	w.Text, w.Span.End = b.String(), p.i
	if before, _, ok := strings.Cut(w.Text, shell.HoleMark); ok {
		w.Text = before + shell.HoleMark // where an expansion ends is not followed
	}
	p.argv = append(p.argv, w)
}

// quoted reads up to the closing quote; a doubled one is the quote itself.
func (p *psLexer) quoted(q byte, w *shell.Word, b *strings.Builder) {
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == q && p.i < len(p.s) && p.s[p.i] == q:
			b.WriteByte(q)
			p.i++
		case c == q:
			return
		case q == '"' && (c == '$' || c == '`'):
			w.Known = false
			b.WriteString(shell.HoleMark)
		default:
			b.WriteByte(c)
		}
	}
}

// psText is a word under construction: as rules see it, and as a path, where
// folders such as $HOME are known although the rules' text is a hole.
type psText struct {
	text, path strings.Builder
	hole, lost bool // unknown parts in text and in path
	quoted     bool
}

func (t *psText) put(s string) {
	t.text.WriteString(s)
	t.path.WriteString(s)
}

// value adds the value of a variable.
func (t *psText) value(v psWord) {
	t.text.WriteString(v.Text)
	t.hole = t.hole || !v.Known
	switch {
	case v.folder != "":
		t.path.WriteString(v.folder)
	case v.partly != "":
		t.path.WriteString(v.partly)
		t.lost = true
	default:
		t.path.WriteString(v.Text)
		t.lost = t.lost || !v.Known
	}
}

// word is the finished word.
func (t *psText) word(start, end int) psWord {
	w := psWord{Word: shell.Word{Text: t.text.String(), Known: !t.hole, Single: true, Quoted: t.quoted, Span: shell.Span{Start: start, End: end}}}
	if t.hole && !t.lost {
		w.folder = t.path.String()
	} else if t.hole {
		w.partly = t.path.String()
	}
	return w
}

// cut takes off the newline before what ends a here-string.
func (t *psText) cut() {
	for _, b := range [...]*strings.Builder{&t.text, &t.path} {
		text := strings.TrimSuffix(strings.TrimSuffix(b.String(), "\n"), "\r")
		b.Reset()
		b.WriteString(text)
	}
}

// single reads a string in single quotes; a doubled quote is one.
func (p *psParser) single(t *psText) {
	t.quoted = true
	_, n := p.rune()
	for p.i += n; p.i < len(p.s); {
		r, n := p.rune()
		p.i += n
		if psSingle(r) {
			if next, m := p.rune(); psSingle(next) {
				p.i += m
			} else {
				return
			}
		}
		t.put(p.s[p.i-n : p.i])
	}
	p.broken("an unterminated string")
}

// double reads a string in double quotes.
func (p *psParser) double(t *psText) {
	t.quoted = true
	_, n := p.rune()
	for p.i += n; p.i < len(p.s); {
		r, n := p.rune()
		switch {
		case psDouble(r):
			p.i += n
			if next, m := p.rune(); psDouble(next) {
				t.put(p.s[p.i : p.i+m])
				p.i += m
				continue
			}
			return
		case r == '`' || r == '$':
			p.expand(t)
		default:
			t.put(p.s[p.i : p.i+n])
			p.i += n
		}
	}
	p.broken("an unterminated string")
}

// expand reads an escape or an expansion of a string or bare word.
func (p *psParser) expand(t *psText) {
	switch next := p.peek(1); {
	case p.s[p.i] == '`':
		p.escape(t)
	case next == '(':
		p.i++
		from := p.i
		p.group(')')
		t.value(psHole(from, p.i))
	case psVariable(next):
		t.value(p.variable())
	default:
		t.put("$")
		p.i++
	}
}

// escape reads a backtick and what it escapes. What means another
// character, which is not the same one in all versions, is not known.
func (p *psParser) escape(t *psText) {
	p.i++
	r, n := p.rune()
	if strings.ContainsRune("0abefnrtuv", r) && n > 0 {
		from := p.i
		p.i += n
		switch r {
		case 'n':
			t.put("\n")
		case 't':
			t.put("\t")
		default:
			t.value(psHole(from, p.i))
		}
		return
	}
	t.put(p.s[p.i : p.i+n])
	p.i += n
}

// hereString reads @' or @" up to a closing quote at the start of a line; false
// if none starts here.
func (p *psParser) hereString(t *psText) bool {
	p.i++
	q, n := p.rune()
	rest := p.s[p.i+n:]
	nl := strings.IndexByte(rest, '\n')
	if nl < 0 || strings.TrimSpace(rest[:nl]) != "" {
		return false
	}
	t.quoted = true
	for p.i += n + nl + 1; p.i < len(p.s); {
		if p.s[p.i-1] == '\n' {
			r, n := p.rune()
			if psSingle(q) == psSingle(r) && (psSingle(r) || psDouble(r)) && p.peek(n) == '@' {
				p.i += n + 1
				t.cut()
				return true
			}
		}
		if c := p.s[p.i]; psDouble(q) && (c == '`' || c == '$') {
			p.expand(t)
			continue
		}
		t.put(p.s[p.i : p.i+1])
		p.i++
	}
	p.broken("an unterminated here-string")
	return true
}

package interp

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

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
// when there is none here.
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

package load

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// scanString reads the string that starts at p.at and returns what it means.
// A string that is not closed ends before the next line break.
func (p *jsonParser) scanString() string {
	start := p.at + 1
	i := start
	for i < len(p.text) && p.text[i] != '"' && p.text[i] != '\\' && p.text[i] >= ' ' {
		i++
	}
	if i < len(p.text) && p.text[i] == '"' {
		p.at = i + 1
		return p.text[start:i]
	}
	var b strings.Builder
	b.WriteString(p.text[start:i])
	for i < len(p.text) && p.text[i] != '\n' {
		switch c := p.text[i]; {
		case c == '"':
			p.at = i + 1
			return b.String()
		case c == '\\':
			n := p.escape(&b, i)
			if n == 0 {
				p.fail(i, "unknown escape in a string")
				n = 1
			}
			i += n
		default:
			if c < ' ' {
				p.fail(i, "control character in a string")
			}
			b.WriteByte(c)
			i++
		}
	}
	p.fail(start-1, "a string is not closed")
	p.at = i
	return b.String()
}

// escape decodes the escape at i and returns its length, 0 if there is no such escape.
func (p *jsonParser) escape(b *strings.Builder, i int) int {
	if i+1 >= len(p.text) {
		return 0
	}
	switch c := p.text[i+1]; c {
	case '"', '\\', '/':
		b.WriteByte(c)
	case 'b':
		b.WriteByte('\b')
	case 'f':
		b.WriteByte('\f')
	case 'n':
		b.WriteByte('\n')
	case 'r':
		b.WriteByte('\r')
	case 't':
		b.WriteByte('\t')
	case 'u':
		r, ok := hex4(p.text, i+2)
		if !ok {
			return 0
		}
		if !utf16.IsSurrogate(r) {
			b.WriteRune(r)
			return 6
		}
		if strings.HasPrefix(p.text[i+6:], `\u`) {
			low, ok := hex4(p.text, i+8)
			if full := utf16.DecodeRune(r, low); ok && full != utf8.RuneError {
				b.WriteRune(full)
				return 12
			}
		}
		return 0 // half a character
	default:
		return 0
	}
	return 2
}

func hex4(s string, i int) (rune, bool) {
	if i+4 > len(s) {
		return 0, false
	}
	n, err := strconv.ParseUint(s[i:i+4], 16, 16)
	return rune(n), err == nil
}

package load

import (
	"sort"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
)

// scanString reads the string at p.at and returns its meaning. A line break ends it at the latest.
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

// pos returns line and column (in characters) of an offset: quickly for
// ascending ones, by tables, made then, for one before the last.
func (d *doc) pos(file string, at int) rules.Pos {
	at = min(at, len(d.text))
	if at < d.seen {
		if d.starts == nil {
			d.starts = LinesOf(d.text)
			d.steps += len(d.text)
		}
		d.steps += 2 * posBlock
		line, col := d.starts.Place(at)
		return rules.Pos{File: file, Line: line, Col: col}
	}
	part := d.text[d.seen:at]
	d.steps += len(part)
	if i := strings.LastIndexByte(part, '\n'); i >= 0 {
		d.line += strings.Count(part, "\n")
		d.col, part = 1, part[i+1:]
	}
	d.col += characters(part)
	d.seen = at
	return rules.Pos{File: file, Line: d.line, Col: d.col}
}

// Lines are a text's tables, for very many places: the lines' starts, characters before each block.
type Lines struct {
	text   string
	at     []int
	before []int
}

// posBlock is the size of a block, in bytes.
const posBlock = 512

// LinesOf makes the tables of a text.
func LinesOf(text string) *Lines {
	t := &Lines{text: text, at: []int{0}, before: make([]int, 0, len(text)/posBlock+1)}
	n := 0
	for i := range len(text) {
		if i%posBlock == 0 {
			t.before = append(t.before, n)
		}
		if text[i]&0xC0 != 0x80 {
			n++
		}
		if text[i] == '\n' {
			t.at = append(t.at, i+1)
		}
	}
	return t
}

// Place returns line and column (in characters) of an offset.
func (t *Lines) Place(at int) (line, col int) {
	line = sort.SearchInts(t.at, at+1)
	return line, t.upTo(at) - t.upTo(t.at[line-1]) + 1
}

// Line returns a line with its end, "" for one that is not there.
func (t *Lines) Line(n int) string {
	switch {
	case n < 1 || n > len(t.at):
		return ""
	case n == len(t.at):
		return t.text[t.at[n-1]:]
	}
	return t.text[t.at[n-1]:t.at[n]]
}

// upTo counts the characters before an offset.
func (t *Lines) upTo(at int) int {
	if len(t.before) == 0 {
		return 0
	}
	block := min(at/posBlock, len(t.before)-1)
	return t.before[block] + characters(t.text[block*posBlock:at])
}

// characters counts what begins in a text that is, or may be cut out of, UTF-8.
func characters(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xC0 != 0x80 {
			n++
		}
	}
	return n
}

package load

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"
)

// Limits of a settings file. A file beyond one of them is not used.
const (
	MaxSettings = 1 << 20 // bytes
	maxDepth    = 100
	maxNodes    = 1 << 17
)

type kind uint8

const (
	null kind = iota
	boolean
	number
	text
	array
	object
)

func (k kind) String() string {
	return [...]string{"null", "a boolean", "a number", "a string", "a list", "an object"}[k]
}

// A node is one value of a doc, linked by index; 0 ends a list: the top value has no parent.
type node struct {
	kind        kind
	on          bool   // boolean: true
	key         string // decoded, of an object's member
	keyAt       int
	str         string // text: decoded
	at, end     int    // extent in the text
	first, last int32
	next        int32
}

// A doc is one JSON text with comments and trailing commas, as a flat tree.
//
// The reader does not stop at a syntax error: it notes the first one and goes
// on as well as it can (a missing comma is added, a stray bracket
// closes what it can close, a string ends at its line), so that restrictions
// written after a typo are still found. Nothing else may be taken
// from a doc whose err is set.
type doc struct {
	text  string
	nodes []node // nodes[0] is the top value
	err   string // "" for valid text
	errAt int

	seen, line, col int    // cursor of pos: an offset and its place
	starts          *Lines // for places before the cursor; nil until there is one
	steps           int    // how much was looked at; a test watches how it grows
}

type want uint8

const (
	wantValue want = iota
	wantKey
	wantColon
	wantComma
	wantEnd
)

type jsonParser struct {
	*doc
	at    int
	stack []int32
	over  int // brackets that nest too deep to be kept
	bare  int // from here on no comment is closed; 0 where one may be
	want  want
	key   string
	keyAt int
}

// parseJSONC reads a whole file, into room as far as it goes. It never fails; see doc.err.
func parseJSONC(data string, room []node) *doc {
	d := &doc{text: strings.TrimPrefix(data, "\ufeff"), line: 1, col: 1}
	p := jsonParser{doc: d}
	if !utf8.ValidString(d.text) {
		p.fail(len(d.text)-len(strings.TrimLeftFunc(d.text, valid)), "the file is not UTF-8")
	}
	d.nodes = slices.Grow(room[:0], 8+len(d.text)/20)
	p.run()
	return d
}

func valid(r rune) bool { return r != utf8.RuneError }

func (p *jsonParser) fail(at int, msg string) {
	if p.err == "" {
		p.err, p.errAt = msg, at
	}
}

func (p *jsonParser) run() {
	for p.space() {
		at := p.at
		p.steps++
		if p.over > 0 {
			p.skip(p.text[at])
			continue
		}
		switch c := p.text[at]; c {
		case '{', '[':
			p.open(c)
		case '}', ']':
			p.close(c)
		case ':':
			p.colon()
		case ',':
			p.comma()
		case '"':
			p.string(p.scanString(), at)
		default:
			p.word()
		}
		if len(p.nodes) > maxNodes {
			p.fail(at, "the file contains too many values")
			return
		}
	}
	switch {
	case len(p.nodes) == 0:
		p.fail(0, "the file is empty: write {} or remove it")
	case p.want != wantEnd:
		p.fail(len(p.text), "the file ends too early: a bracket is not closed")
	}
}

// space skips blanks and comments and reports whether text is left.
func (p *jsonParser) space() bool {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			p.at++
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case strings.HasPrefix(rest, "/*"):
			end := -1
			if p.bare == 0 {
				end = strings.Index(rest[2:], "*/")
				p.steps += max(end, 0)
			}
			if end < 0 {
				p.fail(p.at, "a comment is not closed")
				if p.bare == 0 {
					p.bare, p.steps = p.at+2, p.steps+len(rest)
				}
				p.at += 2 // its content is read anyway
				continue
			}
			p.at += 2 + end + 2
		default:
			return true
		}
	}
	return false
}

func (p *jsonParser) top() *node {
	if len(p.stack) == 0 {
		return nil
	}
	return &p.nodes[p.stack[len(p.stack)-1]]
}

func (p *jsonParser) inObject() bool { t := p.top(); return t != nil && t.kind == object }

// after sets what may follow a value that is complete.
func (p *jsonParser) after() {
	p.key, p.want = "", wantComma
	if len(p.stack) == 0 {
		p.want = wantEnd
	}
}

func (p *jsonParser) add(k kind, at int) *node {
	if p.want != wantValue {
		p.fail(at, "unexpected value")
	}
	i := int32(len(p.nodes))
	p.nodes = append(p.nodes, node{kind: k, key: p.key, keyAt: p.keyAt, at: at, end: p.at})
	if t := p.top(); t != nil {
		if t.last != 0 {
			p.nodes[t.last].next = i
		} else {
			t.first = i
		}
		t.last = i
	}
	p.after()
	return &p.nodes[i]
}

// raw returns the text of a value.
func (d *doc) raw(n *node) string { return d.text[n.at:n.end] }

func (p *jsonParser) open(c byte) {
	k, next := object, wantKey
	if c == '[' {
		k, next = array, wantValue
	}
	p.at++
	if len(p.stack) >= maxDepth {
		p.fail(p.at-1, "the file nests over 100 levels")
		p.over = 1
		return
	}
	p.add(k, p.at-1)
	p.stack = append(p.stack, int32(len(p.nodes)-1))
	p.want = next
}

// skip passes over what nests too deep to be kept.
func (p *jsonParser) skip(c byte) {
	switch c {
	case '{', '[':
		p.over++
	case '}', ']':
		if p.over--; p.over == 0 {
			p.after()
		}
	case '"':
		p.scanString()
		return
	}
	p.at++
}

// midMember reports whether the member that is being read has no value yet.
func (p *jsonParser) midMember(t *node) bool {
	return p.want == wantColon || t.kind == object && p.want == wantValue
}

func (p *jsonParser) close(c byte) {
	p.at++
	k := object
	if c == ']' {
		k = array
	}
	t := p.top()
	if p.err == "" && (t == nil || t.kind != k || p.midMember(t)) {
		p.fail(p.at-1, fmt.Sprintf("unexpected %q", c))
	}
	for i := len(p.stack) - 1; i >= 0; i-- {
		p.steps++
		if t := &p.nodes[p.stack[i]]; t.kind == k {
			t.end = p.at
			p.stack = p.stack[:i]
			break
		}
	}
	p.after()
}

func (p *jsonParser) colon() {
	p.at++
	if p.want != wantColon {
		p.fail(p.at-1, `unexpected ":"`)
		// ["a", "deny": [...]: the list before was not closed
		if t := p.top(); t != nil && t.kind == array && t.last != 0 {
			p.key, p.keyAt = p.nodes[t.last].str, p.nodes[t.last].at
			p.unlink(t)
			p.stack = p.stack[:len(p.stack)-1]
		}
	}
	p.want = wantValue
}

// unlink takes the last child from a list.
func (p *jsonParser) unlink(t *node) {
	last, before := t.last, int32(0)
	for c := t.first; c != last; c = p.nodes[c].next {
		before = c
		p.steps++
	}
	if t.last = before; before == 0 {
		t.first = 0
	} else {
		p.nodes[before].next = 0
	}
}

func (p *jsonParser) comma() {
	p.at++
	if p.want != wantComma {
		p.fail(p.at-1, `unexpected ","`)
	}
	p.key, p.want = "", wantValue
	if t := p.top(); t == nil {
		p.want = wantEnd
	} else if t.kind == object {
		p.want = wantKey
	}
}

func (p *jsonParser) string(s string, at int) {
	switch {
	case p.want == wantValue, p.want == wantColon, p.want == wantComma && !p.inObject():
		if p.want == wantColon {
			p.fail(at, `":" is missing before this string`)
		} else if p.want == wantComma {
			p.fail(at, `"," is missing before this string`)
		}
		p.want = wantValue
		p.add(text, at).str = s
		return
	case p.want == wantComma:
		p.fail(at, `"," is missing before this string`)
	case p.want == wantEnd:
		p.fail(at, "text after the end of the top value")
	}
	p.key, p.keyAt, p.want = s, at, wantColon
}

func (p *jsonParser) word() {
	at := p.at
	for p.at < len(p.text) && wordByte(p.text[p.at]) {
		p.at++
	}
	word := p.text[at:p.at]
	if word == "" {
		r, n := utf8.DecodeRuneInString(p.text[at:])
		p.at += n
		if p.err == "" {
			p.fail(at, fmt.Sprintf("unexpected %q", r))
		}
		return
	}
	k := null
	switch {
	case word == "true", word == "false":
		k = boolean
	case word == "null":
	case gjson.Valid(word):
		k = number
	default:
		p.fail(at, "unexpected word: strings need double quotes")
	}
	p.add(k, at).on = word == "true"
}

func wordByte(c byte) bool {
	return letterOrDigit(c) || strings.IndexByte("+-._", c) >= 0
}

func letterOrDigit(c byte) bool {
	lower := c | 0x20
	return lower >= 'a' && lower <= 'z' || c >= '0' && c <= '9'
}

package hookio

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

const (
	// maxDepth bounds the nesting: gjson.Valid recurses, and no one recovers from a stack overflow.
	maxDepth = 200
	// maxDrain bounds what is read and thrown away of a payload that is too
	// long: a host that is still writing when we exit may take the broken pipe
	// for a failed hook and run the tool.
	maxDrain = 4 * MaxPayload

	// maxRead is read at a time, so that only few pages of a long payload are touched besides those of its text.
	maxRead = 64 << 10

	bom = "\xef\xbb\xbf"
)

// readObject reads one JSON object from r and returns its text. It stops at the
// closing brace, because some hosts keep the pipe open. When the object is
// longer than MaxPayload, text is its first MaxPayload bytes and the Problem is TooLong.
func readObject(r io.Reader) (text string, p *Problem) {
	var stack [maxDepth]byte
	s := scanner{open: stack[:0]}
	room := 4 << 10
	switch r := r.(type) { // all of it is there
	case *bytes.Reader:
		room = min(room, r.Len()+1)
	case *strings.Reader:
		room = min(room, r.Len()+1)
	}
	var b strings.Builder
	buf := make([]byte, room)
	for !s.done {
		if b.Len() == MaxPayload {
			text = b.String()[s.start:]
			drain(r, &s)
			return text, &Problem{Msg: fmt.Sprintf("the payload is over %d MiB", MaxPayload>>20), TooLong: true}
		}
		n, err := readSome(r, buf[:min(len(buf), MaxPayload-b.Len())])
		if msg := s.feed(buf[:n]); msg != "" {
			return "", &Problem{Msg: msg}
		}
		if n > b.Cap()-b.Len() {
			b.Grow(max(n, min(2*b.Cap(), MaxPayload-b.Len()))) // four times as much as before
		}
		b.Write(buf[:n])
		if err != nil && !s.done {
			return "", &Problem{Msg: cutShort(err, s.started)}
		}
		if n == len(buf) && n < maxRead {
			buf = make([]byte, 4*n)
		}
	}
	text = b.String()
	for _, c := range []byte(text[s.end:]) {
		if !blank(c) {
			return "", &Problem{Msg: "the payload has text after its JSON object"}
		}
	}
	if text = text[s.start:s.end]; !gjson.Valid(text) {
		return "", &Problem{Msg: "the payload is not valid JSON"}
	}
	return text, nil
}

// readSome is one Read that made progress or failed.
func readSome(r io.Reader, b []byte) (int, error) {
	for range 100 {
		if n, err := r.Read(b); n > 0 || err != nil {
			return n, err
		}
	}
	return 0, io.ErrNoProgress
}

func drain(r io.Reader, s *scanner) {
	b := make([]byte, 64<<10)
	for left := maxDrain; left > 0 && !s.done; {
		n, err := readSome(r, b)
		if s.feed(b[:n]) != "" || err != nil {
			return
		}
		left -= n
	}
}

func cutShort(err error, started bool) string {
	switch {
	case !errors.Is(err, io.EOF):
		return "the payload cannot be read: " + err.Error()
	case started:
		return "the payload ends before its JSON object does"
	}
	return "there is no payload on standard input: an agent program starts permgate with one; permgate help lists what else it does"
}

// A scanner finds the end of a JSON object: it checks only brackets and their depth (maxDepth).
type scanner struct {
	pos, start, end   int // bytes seen; the object is [start:end]
	started, done     bool
	inString, escaped bool
	open              []byte // the closing bracket of every open one
	bomBytes          int
}

// feed looks at the next bytes, up to the object's end, and returns what is wrong with them, or "".
func (s *scanner) feed(b []byte) string {
	for i := 0; i < len(b); i++ {
		if s.inString {
			if i += s.text(b[i:]); i == len(b) {
				break
			}
		}
		c := b[i]
		s.pos++
		switch {
		case !s.started:
			if s.pos == s.bomBytes+1 && s.bomBytes < len(bom) && c == bom[s.bomBytes] {
				s.bomBytes++
				continue
			}
			if blank(c) && s.bomBytes%len(bom) == 0 {
				continue
			}
			if c != '{' {
				return "the payload is not a JSON object in UTF-8"
			}
			s.started, s.start, s.open = true, s.pos-1, append(s.open, '}')
		case c == '"':
			s.inString = !s.inString
		case c == '{' || c == '[':
			if len(s.open) == maxDepth {
				return fmt.Sprintf("the payload nests over %d levels", maxDepth)
			}
			s.open = append(s.open, c+2) // in ASCII '}' is '{'+2 and ']' is '['+2
		case c == '}' || c == ']':
			last := len(s.open) - 1
			if s.open[last] != c {
				return "the payload is not valid JSON"
			}
			if s.open = s.open[:last]; last == 0 {
				s.done, s.end = true, s.pos
				return ""
			}
		}
	}
	return ""
}

// text returns where the string at the position ends: at its closing quotation mark, or with b.
func (s *scanner) text(b []byte) (n int) {
	for {
		end := bytes.IndexByte(b[n:], '"')
		if end < 0 {
			s.escaped = s.escapesNext(b[n:])
			s.pos += len(b)
			return len(b)
		}
		end += n
		escaped := s.escapesNext(b[n:end])
		if n, s.escaped = end, false; !escaped {
			s.pos += n
			return n
		}
		n++
	}
}

// escapesNext reports whether a part of a string, after an earlier part, ends within an escape.
func (s *scanner) escapesNext(b []byte) bool {
	if s.escaped {
		if len(b) == 0 {
			return true
		}
		b = b[1:]
	}
	n := len(b)
	for n > 0 && b[n-1] == '\\' {
		n--
	}
	return (len(b)-n)%2 == 1
}

func blank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// Members goes over an object's keys and the JSON of their values. The values
// are not decoded: the content of a file that is written may be long, and few
// look at it. The object has to be valid; of one that is cut short, what is
// certainly not whole is left out.
func Members(object string) iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		if object == "" || object[0] != '{' {
			return
		}
		for i := 1; ; {
			i = nextToken(object, i)
			if i == len(object) || object[i] != '"' {
				return
			}
			end := stringEnd(object, i)
			if end == 0 {
				return
			}
			key := object[i+1 : end-1]
			if strings.IndexByte(key, '\\') >= 0 {
				key = gjson.Parse(object[i:end]).Str
			}
			i = nextToken(object, end)
			if end = valueEnd(object, i); end <= i || !yield(key, object[i:end]) {
				return
			}
			i = end
		}
	}
}

// nextToken returns where the next key or value starts, or the object ends.
func nextToken(s string, i int) int {
	for i < len(s) && (blank(s[i]) || s[i] == ',' || s[i] == ':') {
		i++
	}
	return i
}

// valueEnd returns the place after the value at i, 0 if that is not there.
func valueEnd(s string, i int) int {
	if i == len(s) {
		return 0
	}
	switch s[i] {
	case '"':
		return stringEnd(s, i)
	case '{', '[':
		return nestedEnd(s, i)
	}
	for i < len(s) && !blank(s[i]) && strings.IndexByte(",}]", s[i]) < 0 {
		i++
	}
	return i
}

// stringEnd returns the place after the string at i, 0 if that is not there.
func stringEnd(s string, i int) int {
	for i++; ; i++ {
		n := strings.IndexByte(s[i:], '"')
		if n < 0 {
			return 0
		}
		i += n
		escapes := i - 1
		for s[escapes] == '\\' {
			escapes--
		}
		if (i-escapes)%2 == 1 { // backslashes in pairs, or none
			return i + 1
		}
	}
}

// nestedEnd returns the place after the object or list at i.
func nestedEnd(s string, i int) int {
	for depth := 0; i < len(s); i++ {
		switch s[i] {
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		case '"':
			end := stringEnd(s, i)
			if end == 0 {
				return len(s)
			}
			i = end - 1
		}
	}
	return len(s)
}

// A Top is the top level of a payload, taken apart once: many look at it.
type Top []Member

func topOf(payload string) Top {
	t := make(Top, 0, 16)
	for key, value := range Members(payload) {
		t = append(t, Member{key, value})
	}
	return t
}

// Get returns the first value of a key; one that does not exist for none.
func (t Top) Get(key string) gjson.Result {
	for i := range t {
		if t[i].Name == key {
			return gjson.Parse(t[i].JSON)
		}
	}
	return gjson.Result{}
}

// Has reports whether all of these keys are there.
func (t Top) Has(keys ...string) bool {
	for _, key := range keys {
		if !slices.ContainsFunc(t, func(m Member) bool { return m.Name == key }) {
			return false
		}
	}
	return true
}

// lifted returns the payload with the members of an object at the top level, as "tool.name".
func (t Top) lifted(object string) Top {
	flat := make(Top, 0, len(t)+4)
	for _, m := range t {
		if !strings.EqualFold(m.Name, object) {
			flat = append(flat, m)
			continue
		}
		for _, in := range topOf(m.JSON) {
			flat = append(flat, Member{m.Name + "." + in.Name, in.JSON})
		}
	}
	return flat
}

// within returns a key of an object of the payload, as in "mcp_context.server_name".
func (t Top) within(path string) gjson.Result {
	root, key, _ := strings.Cut(path, ".")
	for i := range t {
		if t[i].Name != root {
			continue
		}
		if v := topOf(t[i].JSON).Get(key); v.Exists() {
			return v
		}
	}
	return gjson.Result{}
}

// Fields calls do with each member of each object in a value of a name, and with each element of its lists, those
// under the name of the list and without an object, at any depth, in JSON in a string too, but not in free text.
func Fields(name string, v gjson.Result, do func(object, name string, v gjson.Result)) {
	switch text := strings.TrimLeft(v.Str, " \t\r\n"); {
	case v.IsObject():
		for key, value := range Members(v.Raw) {
			one := gjson.Parse(value)
			do(v.Raw, key, one)
			Fields(key, one, do)
		}
	case v.IsArray():
		v.ForEach(func(_, e gjson.Result) bool {
			do("", name, e)
			Fields(name, e, do)
			return true
		})
	case text != "" && strings.IndexByte("{[", text[0]) >= 0 && !FreeText(name):
		if text, p := readObject(strings.NewReader(`{"":` + text + "}")); p == nil {
			for _, value := range Members(text) {
				do("", name, gjson.Parse(value))
				Fields(name, gjson.Parse(value), do)
			}
		}
	}
}

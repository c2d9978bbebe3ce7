package scripts

import "strings"

// A flowReader reads [a, "b"] and {a: b} on one line.
type flowReader struct {
	rest  string
	line  int
	depth int
}

// flow reads a list in brackets or a map in braces that ends on its line.
func flow(text string, line int) (*node, bool) {
	r := &flowReader{rest: text, line: line}
	n, ok := r.value()
	return n, ok && onlyComment(r.rest)
}

func (r *flowReader) blanks() { r.rest = strings.TrimLeft(r.rest, " ") }

// take skips a byte if it is next.
func (r *flowReader) take(b byte) bool {
	if r.blanks(); r.rest == "" || r.rest[0] != b {
		return false
	}
	r.rest = r.rest[1:]
	return true
}

func (r *flowReader) value() (*node, bool) {
	if r.depth++; r.depth > maxLevels {
		return nil, false
	}
	defer func() { r.depth-- }()
	n := &node{kind: list, line: r.line}
	switch {
	case r.take('['):
		for !r.take(']') {
			e, ok := r.value()
			if !ok || !r.take(',') && !strings.HasPrefix(r.rest, "]") {
				return nil, false
			}
			n.items = append(n.items, e)
		}
		return n, true
	case r.take('{'):
		n.kind = mapping
		for !r.take('}') {
			key, ok := r.scalar()
			if !ok || !r.take(':') || n.get(key.text) != nil || len(n.keys) >= maxNames {
				return nil, false
			}
			v, ok := r.value()
			if !ok || !r.take(',') && !strings.HasPrefix(r.rest, "}") {
				return nil, false
			}
			n.keys, n.items = append(n.keys, key.text), append(n.items, v)
		}
		return n, true
	}
	return r.scalar()
}

// scalar reads a word in quotes, or up to what ends it.
func (r *flowReader) scalar() (*node, bool) {
	n := &node{kind: scalar, line: r.line}
	if r.blanks(); r.rest == "" {
		return nil, false
	}
	if r.rest[0] == '"' || r.rest[0] == '\'' {
		var ok bool
		n.text, r.rest, ok = quotedAt(r.rest)
		r.blanks()
		return n, ok
	}
	end := strings.IndexAny(r.rest, ",[]{}")
	if end < 0 {
		return nil, false
	}
	if i := strings.Index(r.rest[:end]+" ", ": "); i >= 0 {
		end = i
	}
	n.text = strings.TrimSpace(r.rest[:end])
	r.rest = r.rest[end:]
	if strings.IndexAny(n.text, "&*!|>%@`?#") == 0 || strings.HasPrefix(n.text+" ", "- ") {
		return nil, false
	}
	if n.text == "" || strings.Contains(n.text, " #") {
		return nil, false
	}
	return n, true
}

package scripts

import (
	"errors"
	"slices"
	"strings"
)

// errNotPlain is for YAML beyond what is read: block maps and lists, scalars,
// block scalars, and lists and maps in brackets on one line.
var errNotPlain = errors.New("it uses syntax permgate does not read")

type nodeKind uint8

const (
	opaque nodeKind = iota // something else, such as an alias
	scalar
	mapping
	list
)

// A node is one value of a YAML file.
type node struct {
	kind  nodeKind
	text  string   // of a scalar
	keys  []string // of a mapping, as many as items
	items []*node
	line  int
}

// get returns a member of a mapping, or nil if none.
func (n *node) get(key string) *node {
	if n == nil || n.kind != mapping {
		return nil
	}
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return nil
}

type yamlReader struct {
	lines []string
	i     int
	depth int
}

const maxLevels = 32 // levels

func parseYAML(data string) (*node, error) {
	r := &yamlReader{lines: strings.Split(strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n"), "\n")}
	if r.skip(); r.i < len(r.lines) && strings.TrimRight(r.lines[r.i], " ") == "---" {
		r.i++
	}
	n, err := r.block(0)
	if err == nil && r.skip() {
		err = errNotPlain
	}
	return n, err
}

// skip moves to the next line with content, false if none is left.
func (r *yamlReader) skip() bool {
	for ; r.i < len(r.lines); r.i++ {
		if t := strings.TrimSpace(r.lines[r.i]); t != "" && t[0] != '#' {
			return true
		}
	}
	return false
}

// indent is the indentation of the current line, -1 when it holds a tab.
func (r *yamlReader) indent() int {
	line := r.lines[r.i]
	n := len(line) - len(strings.TrimLeft(line, " "))
	if n < len(line) && line[n] == '\t' {
		return -1
	}
	return n
}

// block reads the map or list that starts on the current line, indented by at least min.
func (r *yamlReader) block(min int) (*node, error) {
	if !r.skip() {
		return &node{kind: opaque}, nil
	}
	n := r.indent()
	if n < min {
		return &node{kind: opaque, line: r.i + 1}, nil // null
	}
	if r.depth++; r.depth > maxLevels {
		return nil, errNotPlain
	}
	defer func() { r.depth-- }()
	out := &node{kind: mapping, line: r.i + 1}
	if isItem(r.lines[r.i][n:]) {
		out.kind = list
	}
	for r.skip() && r.indent() == n {
		text := r.lines[r.i][n:]
		if isItem(text) != (out.kind == list) {
			break
		}
		if out.kind == list {
			item, err := r.item(n)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, item)
			continue
		}
		key, value, ok := yamlKey(text)
		if !ok || out.get(key) != nil || len(out.keys) >= maxNames {
			return nil, errNotPlain
		}
		v, err := r.value(value, n)
		if err != nil {
			return nil, err
		}
		out.keys, out.items = append(out.keys, key), append(out.items, v)
	}
	if r.skip() && (r.indent() > n || r.indent() < 0) {
		return nil, errNotPlain
	}
	return out, nil
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// item reads one - item of a list indented by n.
func (r *yamlReader) item(n int) (*node, error) {
	rest := r.lines[r.i][n+1:]
	text := strings.TrimLeft(rest, " ")
	if text == "" || text[0] == '#' {
		r.i++
		return r.block(n + 1)
	}
	if _, _, ok := yamlKey(text); !ok && !isItem(text) {
		return r.value(text, n)
	}
	// a map or list that starts after the dash
	at := n + 1 + len(rest) - len(text)
	r.lines[r.i] = strings.Repeat(" ", at) + text
	return r.block(at)
}

// yamlKey cuts key: value. A key is plain or quoted on both sides.
func yamlKey(text string) (key, value string, ok bool) {
	if text[0] == '"' || text[0] == '\'' {
		end := strings.IndexByte(text[1:], text[0])
		if end < 0 || strings.Contains(text[1:1+end], `\`) {
			return "", "", false
		}
		key, value = text[1:1+end], text[2+end:]
		if !strings.HasPrefix(value, ":") {
			return "", "", false
		}
		value = value[1:]
	} else {
		i := strings.Index(text, ": ")
		if i < 0 {
			if t := strings.TrimRight(text, " "); strings.HasSuffix(t, ":") {
				i = len(t) - 1
			}
		}
		if j := strings.Index(text, " #"); i < 0 || j >= 0 && j < i {
			return "", "", false
		}
		key, value = strings.TrimSpace(text[:i]), text[i+1:]
		if key == "" || strings.ContainsAny(key[:1], "[]{}&*!|>%@`?#,") {
			return "", "", false
		}
	}
	return key, strings.TrimSpace(value), value == "" || value[0] == ' '
}

// value reads what follows a key or dash on this line, which is indented by n.
func (r *yamlReader) value(text string, n int) (*node, error) {
	line := r.i + 1
	r.i++
	switch {
	case text == "" || text[0] == '#':
		if r.skip() && r.indent() == n && isItem(r.lines[r.i][n:]) {
			return r.block(n) // a list may be as deep as its key
		}
		return r.block(n + 1)
	case text[0] == '|' || text[0] == '>':
		return r.blockScalar(text, n)
	}
	out := &node{kind: scalar, line: line}
	switch text[0] {
	case '"', '\'':
		var ok bool
		if out.text, ok = yamlQuoted(text); !ok {
			return nil, errNotPlain
		}
	case '[', '{':
		var ok bool
		if out, ok = flow(text, line); !ok {
			return nil, errNotPlain
		}
	case '*':
		out.kind = opaque
	case '&', '!', '@', '`', '%':
		return nil, errNotPlain
	default:
		out.text = strings.TrimSpace(cutComment(text))
	}
	if r.skip() && r.indent() > n {
		return nil, errNotPlain // a scalar of several lines
	}
	return out, nil
}

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

func cutComment(text string) string {
	if i := strings.Index(text, " #"); i >= 0 {
		return text[:i]
	}
	return text
}

// yamlQuoted reads a quoted scalar that ends on its line.
func yamlQuoted(text string) (string, bool) {
	value, rest, ok := quotedAt(text)
	return value, ok && onlyComment(rest)
}

// onlyComment reports whether nothing but a comment is left of a line.
func onlyComment(rest string) bool {
	t := strings.TrimSpace(rest)
	return t == "" || t[0] == '#' && t != rest
}

// quotedAt reads the quoted scalar a text starts with.
func quotedAt(text string) (value, rest string, ok bool) {
	var b strings.Builder
	quote := text[0]
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == quote && quote == '\'' && i+1 < len(text) && text[i+1] == '\'':
			b.WriteByte('\'')
			i++
		case c == quote:
			return b.String(), text[i+1:], true
		case c == '\\' && quote == '"':
			i++
			if i >= len(text) {
				return "", "", false
			}
			switch text[i] {
			case '"', '\\', '/':
				b.WriteByte(text[i])
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			default:
				return "", "", false
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// blockScalar reads the lines after | or >, indented deeper than n.
func (r *yamlReader) blockScalar(header string, n int) (*node, error) {
	style := strings.TrimSpace(cutComment(header))
	if strings.Trim(style[1:], "-+") != "" {
		return nil, errNotPlain
	}
	out := &node{kind: scalar, line: r.i + 1}
	var lines []string
	depth := -1
	for ; r.i < len(r.lines); r.i++ {
		line := r.lines[r.i]
		if strings.TrimSpace(line) == "" {
			lines = append(lines, "")
			continue
		}
		have := len(line) - len(strings.TrimLeft(line, " "))
		if depth < 0 {
			depth = have
		}
		if have <= n || have < depth && have > n {
			if have > n {
				return nil, errNotPlain
			}
			break
		}
		if style[0] == '>' && have > depth {
			return nil, errNotPlain
		}
		lines = append(lines, line[depth:])
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	if len(lines) == 0 {
		out.line-- // there is nothing but the header
	}
	sep := "\n"
	if style[0] == '>' {
		if sep = " "; slices.Contains(lines, "") {
			return nil, errNotPlain // paragraphs
		}
	}
	out.text = strings.Join(lines, sep)
	return out, nil
}

package scripts

import (
	"errors"
	"strings"
)

// errNotPlain is returned for YAML beyond the subset that is read: block maps
// and lists, scalars, lists in brackets and maps in braces that end on their
// line, block scalars.
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
	keys  []string // of a mapping, beside items
	items []*node
	line  int
}

// get returns a member of a mapping, nil when there is none.
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

// skip moves to the next line with content, false when there is none.
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
	// a map or list that starts behind the dash
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

// value reads what stands behind a key or dash on the current line, which is
// indented by n.
func (r *yamlReader) value(text string, n int) (*node, error) {
	line := r.i + 1
	r.i++
	switch {
	case text == "" || text[0] == '#':
		if r.skip() && r.indent() == n && isItem(r.lines[r.i][n:]) {
			return r.block(n) // a list may stand as deep as its key
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

package scripts

import (
	"errors"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/tree"
)

// errNotPlain is for YAML beyond what is read: block maps and lists, scalars,
// block scalars, and lists and maps in brackets on one line.
var errNotPlain = errors.New("it uses syntax permgate does not read")

type yamlReader struct {
	lines []string
	i     int
	depth int
}

const maxLevels = 32 // levels

func parseYAML(data string) (*tree.Node, error) {
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
func (r *yamlReader) block(min int) (*tree.Node, error) {
	if !r.skip() {
		return &tree.Node{Kind: tree.Expression}, nil
	}
	n := r.indent()
	if n < min {
		return &tree.Node{Kind: tree.Expression, Off: r.i + 1}, nil // null
	}
	if r.depth++; r.depth > maxLevels {
		return nil, errNotPlain
	}
	defer func() { r.depth-- }()
	out := &tree.Node{Kind: tree.Table, Off: r.i + 1}
	if isItem(r.lines[r.i][n:]) {
		out.Kind = tree.List
	}
	for r.skip() && r.indent() == n {
		text := r.lines[r.i][n:]
		if isItem(text) != (out.Kind == tree.List) {
			break
		}
		if out.Kind == tree.List {
			item, err := r.item(n)
			if err != nil {
				return nil, err
			}
			out.Items = append(out.Items, item)
			continue
		}
		key, value, ok := yamlKey(text)
		if !ok || out.Get(key).Kind != 0 || len(out.Keys) >= maxNames {
			return nil, errNotPlain
		}
		v, err := r.value(value, n)
		if err != nil {
			return nil, err
		}
		out.Set(key, v)
	}
	if r.skip() && (r.indent() > n || r.indent() < 0) {
		return nil, errNotPlain
	}
	return out, nil
}

func isItem(text string) bool { return text == "-" || strings.HasPrefix(text, "- ") }

// item reads one - item of a list indented by n.
func (r *yamlReader) item(n int) (*tree.Node, error) {
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
func (r *yamlReader) value(text string, n int) (*tree.Node, error) {
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
	out := &tree.Node{Kind: tree.Text, Off: line}
	switch text[0] {
	case '"', '\'':
		var ok bool
		if out.Text, ok = yamlQuoted(text); !ok {
			return nil, errNotPlain
		}
	case '[', '{':
		var ok bool
		if out, ok = flow(text, line); !ok {
			return nil, errNotPlain
		}
	case '*':
		out.Kind = tree.Expression
	case '&', '!', '@', '`', '%':
		return nil, errNotPlain
	default:
		out.Text = strings.TrimSpace(cutComment(text))
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
func flow(text string, line int) (*tree.Node, bool) {
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

func (r *flowReader) value() (*tree.Node, bool) {
	if r.depth++; r.depth > maxLevels {
		return nil, false
	}
	defer func() { r.depth-- }()
	n := &tree.Node{Kind: tree.List, Off: r.line}
	switch {
	case r.take('['):
		for !r.take(']') {
			e, ok := r.value()
			if !ok || !r.take(',') && !strings.HasPrefix(r.rest, "]") {
				return nil, false
			}
			n.Items = append(n.Items, e)
		}
		return n, true
	case r.take('{'):
		n.Kind = tree.Table
		for !r.take('}') {
			key, ok := r.scalar()
			if !ok || !r.take(':') || n.Get(key.Text).Kind != 0 || len(n.Keys) >= maxNames {
				return nil, false
			}
			v, ok := r.value()
			if !ok || !r.take(',') && !strings.HasPrefix(r.rest, "}") {
				return nil, false
			}
			n.Set(key.Text, v)
		}
		return n, true
	}
	return r.scalar()
}

// scalar reads a word in quotes, or up to what ends it.
func (r *flowReader) scalar() (*tree.Node, bool) {
	n := &tree.Node{Kind: tree.Text, Off: r.line}
	if r.blanks(); r.rest == "" {
		return nil, false
	}
	if r.rest[0] == '"' || r.rest[0] == '\'' {
		var ok bool
		n.Text, r.rest, ok = quotedAt(r.rest)
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
	n.Text = strings.TrimSpace(r.rest[:end])
	r.rest = r.rest[end:]
	if strings.IndexAny(n.Text, "&*!|>%@`?#") == 0 || strings.HasPrefix(n.Text+" ", "- ") {
		return nil, false
	}
	if n.Text == "" || strings.Contains(n.Text, " #") {
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
func (r *yamlReader) blockScalar(header string, n int) (*tree.Node, error) {
	style := strings.TrimSpace(cutComment(header))
	if strings.Trim(style[1:], "-+") != "" {
		return nil, errNotPlain
	}
	out := &tree.Node{Kind: tree.Text, Off: r.i + 1}
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
		out.Off-- // there is nothing but the header
	}
	sep := "\n"
	if style[0] == '>' {
		if sep = " "; slices.Contains(lines, "") {
			return nil, errNotPlain // paragraphs
		}
	}
	out.Text = strings.Join(lines, sep)
	return out, nil
}

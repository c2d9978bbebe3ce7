package scripts

import "strings"

// A tomlReader reads the TOML that task tables are written in: tables, strings,
// lists and inline tables. Other values are opaque.
type tomlReader struct {
	src   string
	i     int
	depth int

	lines, counted int // line ends in src[:counted]
}

// parseTOML returns the file as a mapping of mappings.
func parseTOML(data string) (*node, error) {
	r := &tomlReader{src: strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n")}
	root := &node{kind: mapping}
	table := root
	for r.blanks(true); r.i < len(r.src); r.blanks(true) {
		if r.src[r.i] == '[' {
			double := strings.HasPrefix(r.src[r.i:], "[[")
			r.i++
			if double {
				r.i++
			}
			keys, ok := r.keys(']')
			if !ok || double && !strings.HasPrefix(r.src[r.i:], "]") {
				return nil, errNotPlain
			}
			if double { // a list of tables: of no task
				r.i++
				keys = append([]string{"[]"}, keys...)
			}
			if table = root.table(keys, r.line()); table == nil {
				return nil, errNotPlain
			}
		} else if !r.pair(table) {
			return nil, errNotPlain
		}
		r.blanks(false)
		if r.i < len(r.src) && r.src[r.i] != '\n' {
			return nil, errNotPlain
		}
	}
	return root, nil
}

// table returns the mapping at a path of keys, made where there is none.
func (n *node) table(keys []string, line int) *node {
	for _, k := range keys {
		next := n.get(k)
		if next == nil && len(n.keys) >= maxNames {
			return nil
		}
		if next == nil {
			next = &node{kind: mapping, line: line}
			n.keys, n.items = append(n.keys, k), append(n.items, next)
		}
		if next.kind != mapping {
			return nil
		}
		n = next
	}
	return n
}

// line is the number of the line the reader is in.
func (r *tomlReader) line() int {
	r.lines += strings.Count(r.src[r.counted:r.i], "\n")
	r.counted = r.i
	return 1 + r.lines
}

// blanks skips blanks and comments, and line ends where lines is set.
func (r *tomlReader) blanks(lines bool) {
	for r.i < len(r.src) {
		switch b := r.src[r.i]; {
		case b == ' ' || b == '\t' || b == '\n' && lines:
			r.i++
		case b == '#':
			for r.i < len(r.src) && r.src[r.i] != '\n' {
				r.i++
			}
		default:
			return
		}
	}
}

// keys reads a.b."c" up to end, which is skipped.
func (r *tomlReader) keys(end byte) (keys []string, ok bool) {
	for {
		r.blanks(false)
		if r.i >= len(r.src) {
			return nil, false
		}
		var key string
		if b := r.src[r.i]; b == '"' || b == '\'' {
			if key, ok = r.str(); !ok {
				return nil, false
			}
		} else {
			start := r.i
			for r.i < len(r.src) && (identifier("a"+r.src[r.i:r.i+1]) || r.src[r.i] == '-') {
				r.i++
			}
			if key = r.src[start:r.i]; key == "" {
				return nil, false
			}
		}
		keys = append(keys, key)
		r.blanks(false)
		if r.i >= len(r.src) {
			return nil, false
		}
		switch r.src[r.i] {
		case end:
			r.i++
			return keys, true
		case '.':
			r.i++
		default:
			return nil, false
		}
	}
}

// pair reads key = value into a table.
func (r *tomlReader) pair(table *node) bool {
	keys, ok := r.keys('=')
	if !ok {
		return false
	}
	last := keys[len(keys)-1]
	to := table.table(keys[:len(keys)-1], r.line())
	v, ok := r.value()
	if !ok || to == nil || to.get(last) != nil || len(to.keys) >= maxNames {
		return false
	}
	to.keys, to.items = append(to.keys, last), append(to.items, v)
	return true
}

func (r *tomlReader) value() (*node, bool) {
	if r.depth++; r.depth > maxLevels {
		return nil, false
	}
	defer func() { r.depth-- }()
	r.blanks(false)
	if r.i >= len(r.src) {
		return nil, false
	}
	n := &node{line: r.line()}
	ok := true
	switch r.src[r.i] {
	case '"', '\'':
		n.kind = scalar
		n.text, ok = r.str()
	case '[':
		r.i++
		n.kind = list
		for r.blanks(true); ok && r.i < len(r.src) && r.src[r.i] != ']'; r.blanks(true) {
			var e *node
			if e, ok = r.value(); ok {
				n.items = append(n.items, e)
				r.comma(true)
			}
		}
		r.i++
	case '{':
		r.i++
		n.kind = mapping
		for r.blanks(false); ok && r.i < len(r.src) && r.src[r.i] != '}'; r.blanks(false) {
			ok = r.pair(n)
			r.comma(false)
		}
		r.i++
	default: // numbers, dates, true and false
		start := r.i
		for r.i < len(r.src) && strings.IndexByte(",]}#\n", r.src[r.i]) < 0 {
			r.i++
		}
		ok = r.i > start
	}
	return n, ok && r.i <= len(r.src)
}

func (r *tomlReader) comma(lines bool) {
	if r.blanks(lines); r.i < len(r.src) && r.src[r.i] == ',' {
		r.i++
	}
}

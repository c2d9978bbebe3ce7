package scripts

import (
	"bytes"
	"strings"

	toml "github.com/pelletier/go-toml/v2/unstable"
)

// A tomlReader builds nodes from the expressions of a TOML file. Values other
// than strings, lists and tables are opaque.
type tomlReader struct {
	toml.Parser
	lines, counted int // line ends in the text up to counted
}

// parseTOML returns the file as a mapping of mappings.
func parseTOML(data string) (*node, error) {
	r := &tomlReader{}
	r.Reset([]byte(strings.ReplaceAll(strings.TrimPrefix(data, "\ufeff"), "\r\n", "\n")))
	root := &node{kind: mapping}
	table := root
	for r.NextExpression() {
		ok := true
		switch e := r.Expression(); e.Kind {
		case toml.Table:
			table = root.table(r.keys(e))
			ok = table != nil
		case toml.ArrayTable: // a list of tables: of no task
			table = root.table(append([]string{"[]"}, r.keys(e)...))
			ok = table != nil
		case toml.KeyValue:
			ok = r.pair(table, e, 0)
		}
		if !ok {
			return nil, errNotPlain
		}
	}
	if r.Error() != nil {
		return nil, errNotPlain
	}
	return root, nil
}

// table returns the mapping at a path of keys, made where there is none; nil
// where a key is something else.
func (n *node) table(keys []string) *node {
	for _, k := range keys {
		next := n.get(k)
		if next == nil && len(n.keys) >= maxNames {
			return nil
		}
		if next == nil {
			next = &node{kind: mapping}
			n.keys, n.items = append(n.keys, k), append(n.items, next)
		}
		if next.kind != mapping {
			return nil
		}
		n = next
	}
	return n
}

// keys are the parts of a dotted key.
func (r *tomlReader) keys(e *toml.Node) (keys []string) {
	for it := e.Key(); it.Next(); {
		keys = append(keys, string(it.Node().Data))
		r.line(it.Node())
	}
	return keys
}

// pair puts key = value into a table.
func (r *tomlReader) pair(table *node, e *toml.Node, depth int) bool {
	keys := r.keys(e)
	last := len(keys) - 1
	to := table.table(keys[:last])
	if to == nil || to.get(keys[last]) != nil || len(to.keys) >= maxNames {
		return false
	}
	v := r.value(e.Value(), depth)
	if v == nil {
		return false
	}
	to.keys, to.items = append(to.keys, keys[last]), append(to.items, v)
	return true
}

// value builds the node of a value, nil where it is nested too deep or a table
// in it has a key twice.
func (r *tomlReader) value(v *toml.Node, depth int) *node {
	if depth >= maxLevels {
		return nil
	}
	n := &node{line: r.line(v)}
	switch v.Kind {
	case toml.String:
		n.kind, n.text = scalar, string(v.Data)
	case toml.Array:
		n.kind = list
		for it := v.Children(); it.Next(); {
			e := r.value(it.Node(), depth+1)
			if e == nil {
				return nil
			}
			n.items = append(n.items, e)
		}
	case toml.InlineTable:
		n.kind = mapping
		for it := v.Children(); it.Next(); {
			if !r.pair(n, it.Node(), depth+1) {
				return nil
			}
		}
	}
	return n
}

// line is the line a node starts in. The parser knows no place of a list: it is
// that of the node before.
func (r *tomlReader) line(v *toml.Node) int {
	if at := int(v.Raw.Offset); at > r.counted {
		r.lines += bytes.Count(r.Data()[r.counted:at], []byte("\n"))
		r.counted = at
	}
	return 1 + r.lines
}

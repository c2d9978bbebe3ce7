package importer

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	toml "github.com/pelletier/go-toml/v2/unstable"
	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
)

type kind uint8

const (
	text       kind = iota + 1
	word            // true, null, 12, an atom
	list            // items
	table           // keys and items
	expression      // what only a program knows
)

// A node is a value of a policy file, whatever its format.
type node struct {
	kind  kind
	text  string
	keys  []string
	items []*node
	off   int
}

// get is the value of a key, an empty node for none.
func (n *node) get(key string) *node {
	for i, k := range n.keys {
		if k == key {
			return n.items[i]
		}
	}
	return &node{}
}

func (n *node) set(key string, v *node) *node {
	n.keys, n.items = append(n.keys, key), append(n.items, v)
	return v
}

// atom reports whether a word is a name, as those of Elixir are.
func (n *node) atom() bool {
	return n.kind == word && n.text != "" && n.text[0] > '9' && !slices.Contains([]string{"true", "false", "null"}, n.text)
}

// texts are the strings of a list, or the one string; ok is false where there is anything else.
func (n *node) texts() (out []string, ok bool) {
	if n.kind == text {
		return []string{n.text}, true
	}
	for _, e := range n.items {
		if e.kind != text && !e.atom() {
			return nil, false
		}
		out = append(out, e.text)
	}
	return out, n.kind == list
}

func (n *node) isList() bool { return n.kind == list }

// sameKeys is a key that differs from one before it in case alone, nil for none: readers disagree on which one counts.
func (n *node) sameKeys() *node {
	seen := map[string]bool{}
	for i, v := range n.items {
		if n.kind == table && seen[strings.ToLower(n.keys[i])] {
			return v
		} else if n.kind == table {
			seen[strings.ToLower(n.keys[i])] = true
		}
		if twice := v.sameKeys(); twice != nil {
			return twice
		}
	}
	return nil
}

// A source is the text of a file.
type source struct{ name, text string }

func (f *source) at(off int) string {
	before := f.text[:min(off, len(f.text))]
	col := len(before) - strings.LastIndexByte(before, '\n')
	return fmt.Sprintf("%s:%d:%d", f.name, 1+strings.Count(before, "\n"), col)
}

func (f *source) errorf(off int, format string, args ...any) error {
	return fmt.Errorf("%s: %s", f.at(off), fmt.Sprintf(format, args...))
}

// tree reads JSON or TOML, by the name of the file.
func (f *source) tree() (*node, error) {
	if strings.HasSuffix(f.name, ".toml") {
		return f.toml()
	}
	doc, err := edit.Parse(f.name, []byte(f.text))
	if err != nil {
		return nil, err
	}
	doc.Root.UpdateOffsets()
	return fromJSON(&doc.Root), nil
}

func fromJSON(v *hujson.Value) *node {
	n := &node{off: v.StartOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.kind = table
		for i := range c.Members {
			n.set(edit.Text(&c.Members[i].Name), fromJSON(&c.Members[i].Value))
		}
	case *hujson.Array:
		n.kind = list
		for i := range c.Elements {
			n.items = append(n.items, fromJSON(&c.Elements[i]))
		}
	case hujson.Literal:
		if n.kind, n.text = word, string(c); c.Kind() == '"' {
			n.kind, n.text = text, c.String()
		}
	}
	return n
}

// unquote is the text of a JSON string, "" for another value.
func unquote(json string) string {
	v, err := hujson.Parse([]byte(json))
	if err != nil {
		return ""
	}
	return edit.Text(&v)
}

// tomlReader builds the tree of a TOML file. Values have the places of their keys.
type tomlReader struct {
	toml.Parser
	f *source
}

func (f *source) toml() (*node, error) {
	r := &tomlReader{f: f}
	r.Reset([]byte(f.text))
	root := &node{kind: table}
	at, headed := root, map[*node]bool{}
	for r.NextExpression() {
		e := r.Expression()
		err := error(nil)
		switch e.Kind {
		case toml.Table, toml.ArrayTable:
			if at, err = r.under(root, e, e.Kind == toml.ArrayTable); err == nil && headed[at] {
				err = f.errorf(at.off, "the table is there twice")
			}
			headed[at] = true
		case toml.KeyValue:
			err = r.pair(at, e)
		}
		if err != nil {
			return nil, err
		}
	}
	var bad *toml.ParserError
	if errors.As(r.Error(), &bad) {
		return nil, f.errorf(int(r.Range(bad.Highlight).Offset), "%s", bad.Message)
	}
	return root, r.Error()
}

// under is the table that a header names, below others. more adds one to a list of tables.
func (r *tomlReader) under(n *node, e *toml.Node, more bool) (*node, error) {
	for it := e.Key(); it.Next(); {
		k, off := string(it.Node().Data), int(it.Node().Raw.Offset)
		next := n.get(k)
		if next.kind == 0 {
			next = n.set(k, &node{kind: table, off: off})
			if more && it.IsLast() {
				next.kind = list
			}
		}
		if more && it.IsLast() && next.kind == list {
			next.items = append(next.items, &node{kind: table, off: off})
		}
		if next.kind == list && len(next.items) > 0 {
			next = next.items[len(next.items)-1]
		}
		if n = next; n.kind != table {
			return nil, r.f.errorf(off, "%s is no table", k)
		}
	}
	return n, nil
}

func (r *tomlReader) pair(n *node, e *toml.Node) error {
	for it := e.Key(); it.Next(); {
		k, off := string(it.Node().Data), int(it.Node().Raw.Offset)
		switch next := n.get(k); {
		case it.IsLast() && next.kind == 0:
			v, err := r.value(e.Value(), off)
			n.set(k, v)
			return err
		case !it.IsLast() && next.kind == 0:
			n = n.set(k, &node{kind: table, off: off})
		case it.IsLast() || next.kind != table:
			return r.f.errorf(off, "the key %s is there twice", k)
		default:
			n = next
		}
	}
	return nil
}

func (r *tomlReader) value(v *toml.Node, off int) (*node, error) {
	n := &node{kind: word, text: string(v.Data), off: off}
	if v.Kind == toml.String {
		n.kind = text
	}
	if v.Kind != toml.Array && v.Kind != toml.InlineTable {
		return n, nil
	}
	n.kind, n.text = list, ""
	if v.Kind == toml.InlineTable {
		n.kind = table
	}
	for it := v.Children(); it.Next(); {
		if n.kind == table {
			if err := r.pair(n, it.Node()); err != nil {
				return nil, err
			}
			continue
		}
		e, err := r.value(it.Node(), off)
		if err != nil {
			return nil, err
		}
		n.items = append(n.items, e)
	}
	return n, nil
}

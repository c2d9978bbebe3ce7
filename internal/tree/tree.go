// Package tree holds what a configuration file says, whatever its format, and reads TOML into it, within bounds: the
// file of a project may be made to take long.
package tree

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	toml "github.com/pelletier/go-toml/v2/unstable"
)

// A Kind is the kind of a value; zero is no kind.
type Kind uint8

// The kinds of values.
const (
	Text       Kind = iota + 1
	Word            // true, null, 12, an atom
	List            // Items
	Table           // Keys and Items
	Expression      // what only a program knows
)

// A Node is a value of a file.
type Node struct {
	Kind  Kind
	Text  string
	Keys  []string // of a Table, as many as Items
	Items []*Node
	Off   int    // where it starts, in bytes; in TOML where its key does, in YAML the number of its line
	At    string // where that is, as file:line:col, where files are merged
}

// Get is the value of a key, an empty node for none.
func (n *Node) Get(key string) *Node {
	for i, k := range n.Keys {
		if k == key {
			return n.Items[i]
		}
	}
	return &Node{}
}

// Set adds a key, and returns its value.
func (n *Node) Set(key string, v *Node) *Node {
	n.Keys, n.Items = append(n.Keys, key), append(n.Items, v)
	return v
}

// Merge adds what a later file says: a table to a table, and anything else in the place of what was there.
func (n *Node) Merge(later *Node) {
	for i, k := range later.Keys {
		v := later.Items[i]
		switch at := slices.Index(n.Keys, k); {
		case at < 0:
			n.Set(k, v)
		case n.Items[at].Kind == Table && v.Kind == Table:
			n.Items[at].Merge(v)
		default:
			n.Items[at] = v
		}
	}
}

// An Error is what is wrong at a place.
type Error struct {
	Off int
	Msg string
}

func (e *Error) Error() string { return e.Msg }

const (
	maxKeys   = 2000 // of one table
	maxLevels = 32   // of one value
)

// TOML reads a file. Its error is an *Error.
func TOML(text string) (*Node, error) {
	var p toml.Parser
	p.Reset([]byte(text))
	root := &Node{Kind: Table}
	at, headed := root, map[*Node]bool{}
	for p.NextExpression() {
		err := error(nil)
		switch e := p.Expression(); e.Kind {
		case toml.Table, toml.ArrayTable:
			if at, err = header(root, e); err == nil && headed[at] {
				err = &Error{at.Off, "the table is there twice"}
			}
			headed[at] = true
		case toml.KeyValue:
			err = pair(at, e, 0)
		}
		if err != nil {
			return nil, err
		}
	}
	var bad *toml.ParserError
	switch err := p.Error(); {
	case errors.As(err, &bad):
		return nil, &Error{int(p.Range(bad.Highlight).Offset), bad.Message}
	case err != nil:
		return nil, &Error{0, err.Error()}
	}
	return root, nil
}

// header is the table that a header names, a new one where it is one of a list.
func header(n *Node, e *toml.Node) (_ *Node, err error) {
	for it := e.Key(); it.Next() && err == nil; {
		k, off := string(it.Node().Data), int(it.Node().Raw.Offset)
		if e.Kind == toml.ArrayTable && it.IsLast() {
			all := n.Get(k)
			if all.Kind == 0 && len(n.Keys) < maxKeys {
				all = n.Set(k, &Node{Kind: List, Off: off})
			}
			if all.Kind != List {
				return nil, &Error{off, k + " is no list of tables"}
			}
			all.Items = append(all.Items, &Node{Kind: Table, Off: off})
		}
		n, err = below(n, k, off, true)
	}
	return n, err
}

// below is the table of a name, made if it is missing; of a list, where that may be, the last one.
func below(n *Node, k string, off int, list bool) (*Node, error) {
	next := n.Get(k)
	if list && next.Kind == List && len(next.Items) > 0 {
		next = next.Items[len(next.Items)-1]
	}
	switch {
	case next.Kind == 0 && len(n.Keys) >= maxKeys:
		return nil, tooMany(off)
	case next.Kind == 0:
		next = n.Set(k, &Node{Kind: Table, Off: off})
	case next.Kind != Table && list:
		return nil, &Error{off, k + " is no table"}
	case next.Kind != Table:
		return nil, &Error{off, "the key " + k + " is there twice"}
	}
	return next, nil
}

func tooMany(off int) error { return &Error{off, fmt.Sprintf("more than %d keys in a table", maxKeys)} }

// pair puts a key and its value into a table.
func pair(n *Node, e *toml.Node, depth int) error {
	for it := e.Key(); it.Next(); {
		k, off := string(it.Node().Data), int(it.Node().Raw.Offset)
		err := error(nil)
		switch {
		case !it.IsLast():
			n, err = below(n, k, off, false)
		case n.Get(k).Kind != 0:
			err = &Error{off, "the key " + k + " is there twice"}
		case len(n.Keys) >= maxKeys:
			err = tooMany(off)
		default:
			err = value(n.Set(k, &Node{Off: off}), e.Value(), depth)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func value(n *Node, v *toml.Node, depth int) error {
	if depth > maxLevels {
		return &Error{n.Off, fmt.Sprintf("more than %d levels", maxLevels)}
	}
	switch v.Kind {
	case toml.String:
		n.Kind, n.Text = Text, string(v.Data)
	case toml.Array:
		n.Kind = List
	case toml.InlineTable:
		n.Kind = Table
	default:
		n.Kind, n.Text = Word, string(v.Data)
	}
	for it := v.Children(); it.Next() && (n.Kind == List || n.Kind == Table); {
		err := error(nil)
		if n.Kind == Table {
			err = pair(n, it.Node(), depth+1)
		} else {
			n.Items = append(n.Items, &Node{Off: cmp.Or(int(it.Node().Raw.Offset), n.Off)})
			err = value(n.Items[len(n.Items)-1], it.Node(), depth+1)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

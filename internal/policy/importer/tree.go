package importer

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
)

// A node is a value of a policy file, whatever its format.
type node = tree.Node

const (
	text, word, list  = tree.Text, tree.Word, tree.List
	table, expression = tree.Table, tree.Expression
)

// atom reports whether a word is a name, as those of Elixir are.
func atom(n *node) bool {
	return n.Kind == word && n.Text != "" && n.Text[0] > '9' && !slices.Contains([]string{"true", "false", "null"}, n.Text)
}

func isTrue(n *node) bool { return n.Kind == word && n.Text == "true" }

// textsOf are the strings of a list, or the one string; ok is false where there is anything else.
func textsOf(n *node) (out []string, ok bool) {
	if n.Kind == text {
		return []string{n.Text}, true
	}
	for _, e := range n.Items {
		if e.Kind != text && !atom(e) {
			return nil, false
		}
		out = append(out, e.Text)
	}
	return out, n.Kind == list
}

// A source is the text of a file, and what is wrong with it.
type source struct {
	name, text string
	err        error
}

func (f *source) at(off int) string {
	before := f.text[:min(off, len(f.text))]
	col := len(before) - strings.LastIndexByte(before, '\n')
	return fmt.Sprintf("%s:%d:%d", f.name, 1+strings.Count(before, "\n"), col)
}

// fail says that the file cannot be read; the first reason counts.
func (f *source) fail(off int, format string, args ...any) {
	if f.err == nil {
		f.err = fmt.Errorf("%s: %s", f.at(off), fmt.Sprintf(format, args...))
	}
}

// sameKeys fails where keys differ in case alone: readers disagree on which one counts.
func (f *source) sameKeys(n *node) {
	seen := map[string]bool{}
	for i, v := range n.Items {
		if n.Kind == table {
			key := strings.ToLower(strings.ToUpper(n.Keys[i])) // as strings.EqualFold
			if seen[key] {
				f.fail(v.Off, "two keys differ in case alone, and readers disagree on which one counts")
			}
			seen[key] = true
		}
		f.sameKeys(v)
	}
}

// tree reads JSON or TOML, by the name of the file.
func (f *source) tree() *node {
	if strings.HasSuffix(f.name, ".toml") {
		root, err := tree.TOML(f.text)
		var bad *tree.Error
		if errors.As(err, &bad) {
			f.fail(bad.Off, "%s", bad.Msg)
		}
		return root
	}
	doc, err := edit.Parse(f.name, []byte(f.text))
	if f.err = err; err != nil {
		return nil
	}
	doc.Root.UpdateOffsets()
	return fromJSON(&doc.Root)
}

func fromJSON(v *hujson.Value) *node {
	n := &node{Off: v.StartOffset}
	switch c := v.Value.(type) {
	case *hujson.Object:
		n.Kind = table
		for i := range c.Members {
			n.Set(edit.Text(&c.Members[i].Name), fromJSON(&c.Members[i].Value))
		}
	case *hujson.Array:
		n.Kind = list
		for i := range c.Elements {
			n.Items = append(n.Items, fromJSON(&c.Elements[i]))
		}
	case hujson.Literal:
		if n.Kind, n.Text = word, string(c); c.Kind() == '"' {
			n.Kind, n.Text = text, c.String()
		}
	}
	return n
}

// unquote is the text of a JSON string, "" for another value.
func unquote(value string) (out string) {
	if json.Unmarshal([]byte(value), &out) != nil {
		return ""
	}
	return out
}

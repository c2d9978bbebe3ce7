package importer

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
)

// A node is a value of a policy file, whatever its format.
type node = tree.Node

const (
	text, word, list  = tree.Text, tree.Word, tree.List
	table, expression = tree.Table, tree.Expression
)

func isTrue(n *node) bool { return n.Kind == word && n.Text == "true" }

// textsOf are the strings of a list, or the one string; ok is false where there is anything else.
func textsOf(n *node) (out []string, ok bool) {
	if n.Kind == text {
		return []string{n.Text}, true
	}
	for _, e := range n.Items {
		if e.Kind != text && !e.Atom() {
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

// tree reads the file, by its name: JSON, TOML, or what else the system writes.
func (f *source) tree(s *System) (root *node) {
	var err error
	switch ext := path.Ext(f.name); {
	case ext == ".toml":
		root, err = tree.TOML(f.text)
	case s.parse != nil && !slices.Contains([]string{".json", ".jsonc"}, ext):
		root, err = s.parse(f.text)
	default:
		var doc *edit.Doc
		if doc, f.err = edit.Parse(f.name, []byte(f.text)); f.err == nil {
			root = doc.Tree()
		}
	}
	if bad := (*tree.Error)(nil); errors.As(err, &bad) {
		f.fail(bad.Off, "%s", bad.Msg)
	}
	return root
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

// place says of each value where it is, for a file that is merged with others.
func (f *source) place(n *node) {
	n.At = f.at(n.Off)
	for _, v := range n.Items {
		f.place(v)
	}
}

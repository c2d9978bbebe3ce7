// Package edit changes single places of JSON and JSONC files and touches no
// other byte: comments, order, indentation, line ends and a byte order mark
// stay as the user wrote them.
package edit

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/tailscale/hujson"
)

// A Doc is a parsed settings file. Its root is always an object.
type Doc struct {
	Root  hujson.Value
	name  string
	bom   bool
	eol   string // "\n" or "\r\n", as the first line ends
	unit  string // one level of indentation
	colon string // what stands between a colon and its value
	flat  bool   // the whole object is written on one line
	open  bool   // it ends in a line comment without a line end
}

const bom = "\xef\xbb\xbf"

// Parse reads a file. An empty one counts as {}. The error starts with
// name:line:col and says what cannot be used: text that is not JSON with
// comments, a root that is not an object, or a key that stands twice.
func Parse(name string, text []byte) (*Doc, error) {
	d := &Doc{name: name, eol: "\n", unit: "  ", colon: " "}
	text, d.bom = bytes.CutPrefix(bytes.Clone(text), []byte(bom))
	if len(bytes.TrimSpace(text)) == 0 {
		text = []byte("{}\n")
	}
	root, err := hujson.Parse(text)
	if err != nil && text[len(text)-1] != '\n' {
		if with, again := hujson.Parse(append(text, '\n')); again == nil {
			root, err, d.open = with, nil, true
		}
	}
	if err != nil {
		if _, only := hujson.Parse(append(bytes.Clone(text), "\n{}\n"...)); only == nil {
			return nil, fmt.Errorf("%s: the file contains only comments; add { } below them", name)
		}
		var line, col int
		if _, scan := fmt.Sscanf(err.Error(), "hujson: line %d, column %d:", &line, &col); scan != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		_, msg, _ := strings.Cut(err.Error(), ": ")
		_, msg, _ = strings.Cut(msg, ": ")
		return nil, fmt.Errorf("%s:%d:%d: %s", name, line, col, msg)
	}
	d.Root = root
	if _, ok := root.Value.(*hujson.Object); !ok {
		return nil, d.errorf(&d.Root, text, "the file must contain one object { ... }")
	}
	if at, key := duplicate(&d.Root); at != nil {
		const why = "the key %q appears twice in one object, and readers disagree on which one counts"
		return nil, d.errorf(at, text, why, key)
	}
	d.measure(text)
	return d, nil
}

// Bytes returns the file as it now is.
func (d *Doc) Bytes() []byte {
	var out []byte
	if d.bom {
		out = append(out, bom...)
	}
	out = append(out, d.Root.Pack()...)
	if d.open {
		out = bytes.TrimSuffix(out, []byte("\n"))
	}
	return out
}

// Errorf returns an error that starts with the place of v in the file.
func (d *Doc) Errorf(v *hujson.Value, format string, args ...any) error {
	d.Root.UpdateOffsets()
	return d.errorf(v, d.Root.Pack(), format, args...)
}

// Pos returns the place of v as name:line:col.
func (d *Doc) Pos(v *hujson.Value) string {
	return strings.TrimSuffix(d.Errorf(v, "").Error(), ": ")
}

func (d *Doc) errorf(v *hujson.Value, text []byte, format string, args ...any) error {
	before := text[:min(v.StartOffset, len(text))]
	line := 1 + bytes.Count(before, []byte("\n"))
	col := len(before) - bytes.LastIndexByte(before, '\n')
	return fmt.Errorf("%s:%d:%d: %s", d.name, line, col, fmt.Sprintf(format, args...))
}

// measure notes how the file is written.
func (d *Doc) measure(text []byte) {
	if i := bytes.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		d.eol = "\r\n"
	}
	obj := d.Root.Value.(*hujson.Object)
	if len(obj.Members) == 0 {
		return
	}
	first := &obj.Members[0]
	if len(first.Value.BeforeExtra) == 0 {
		d.colon = ""
	}
	indent, multi := lastIndent(first.Name.BeforeExtra)
	d.flat = !multi
	if indent != "" {
		d.unit = indent
	}
}

// duplicate returns the second of two equal keys of one object.
func duplicate(v *hujson.Value) (*hujson.Value, string) {
	switch v := v.Value.(type) {
	case *hujson.Object:
		seen := make(map[string]bool, len(v.Members))
		for i := range v.Members {
			name := Text(&v.Members[i].Name)
			if seen[name] {
				return &v.Members[i].Name, name
			}
			seen[name] = true
			if at, key := duplicate(&v.Members[i].Value); at != nil {
				return at, key
			}
		}
	case *hujson.Array:
		for i := range v.Elements {
			if at, key := duplicate(&v.Elements[i]); at != nil {
				return at, key
			}
		}
	}
	return nil, ""
}

// Text returns the value of a JSON string, "" for anything else.
func Text(v *hujson.Value) string {
	if v == nil {
		return ""
	}
	if lit, ok := v.Value.(hujson.Literal); ok && lit.Kind() == '"' {
		return lit.String()
	}
	return ""
}

// Member returns the value of a key, nil when v is no object or has no such key.
func Member(v *hujson.Value, name string) *hujson.Value {
	if v == nil {
		return nil
	}
	if obj, ok := v.Value.(*hujson.Object); ok {
		for i := range obj.Members {
			if Text(&obj.Members[i].Name) == name {
				return &obj.Members[i].Value
			}
		}
	}
	return nil
}

// Elements returns the elements of an array, nil when v is none.
func Elements(v *hujson.Value) []hujson.Value {
	if v == nil {
		return nil
	}
	if arr, ok := v.Value.(*hujson.Array); ok {
		return arr.Elements
	}
	return nil
}

// Empty reports whether v is an object or array with nothing in it, no comment either.
func Empty(v *hujson.Value) bool {
	if v == nil {
		return false
	}
	switch v := v.Value.(type) {
	case *hujson.Object:
		return len(v.Members) == 0 && blank(v.AfterExtra)
	case *hujson.Array:
		return len(v.Elements) == 0 && blank(v.AfterExtra)
	}
	return false
}

// Quote returns s as a JSON string.
func Quote(s string) string { return string(hujson.String(s)) }

// On reports whether a switch is set: to anything but false or null.
func On(v *hujson.Value) bool {
	if v == nil {
		return false
	}
	lit, ok := v.Value.(hujson.Literal)
	return !ok || string(lit) != "false" && string(lit) != "null"
}

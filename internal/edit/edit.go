// Package edit changes single places of JSON and JSONC files and touches no other byte: comments, order,
// indentation, line ends and a byte order mark stay.
package edit

import (
	"bytes"
	"fmt"
	"slices"
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
	colon string // what is between a colon and its value
	flat  bool   // the whole object is written on one line
	open  bool   // it ends in a line comment without a line end
}

const bom = "\xef\xbb\xbf"

// Parse reads a file; an empty one counts as {}. Its error starts with name:line:col: no JSON with comments, a root
// that is no object, or a key that appears twice.
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
	out := d.Root.Pack()
	if d.bom {
		out = append([]byte(bom), out...)
	}
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

func valueOf(v *hujson.Value) hujson.ValueTrimmed {
	if v == nil {
		return nil
	}
	return v.Value
}

// Text returns the value of a JSON string, "" for anything else.
func Text(v *hujson.Value) string {
	if lit, ok := valueOf(v).(hujson.Literal); ok && lit.Kind() == '"' {
		return lit.String()
	}
	return ""
}

// Member returns the value at the end of a path of keys, or nil if none.
func Member(v *hujson.Value, path ...string) *hujson.Value {
	for _, name := range path {
		members := Members(v)
		i := slices.IndexFunc(members, func(m hujson.ObjectMember) bool { return Text(&m.Name) == name })
		if i < 0 {
			return nil
		}
		v = &members[i].Value
	}
	return v
}

// Members returns the members of an object, nil when v is something else.
func Members(v *hujson.Value) []hujson.ObjectMember {
	if obj, ok := valueOf(v).(*hujson.Object); ok {
		return obj.Members
	}
	return nil
}

// Elements returns the elements of an array, nil when v is something else.
func Elements(v *hujson.Value) []hujson.Value {
	if arr, ok := valueOf(v).(*hujson.Array); ok {
		return arr.Elements
	}
	return nil
}

// Empty reports whether v is an object or array with nothing in it, no comment either.
func Empty(v *hujson.Value) bool {
	switch v := valueOf(v).(type) {
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
	lit, ok := valueOf(v).(hujson.Literal)
	return v != nil && (!ok || string(lit) != "false" && string(lit) != "null")
}

// Rules returns the texts of a permission list: "allow", "ask" or "deny".
func (d *Doc) Rules(list string) []string {
	var out []string
	for _, e := range Elements(Member(&d.Root, "permissions", list)) {
		out = append(out, Text(&e))
	}
	return out
}

// AddRule appends a rule to a permission list, unless the very text is there.
func (d *Doc) AddRule(list, rule string) (added bool, err error) {
	return d.AddText(rule, "permissions", list)
}

// AddText appends a text to the list at a path of keys, unless it is there.
func (d *Doc) AddText(text string, path ...string) (added bool, err error) {
	arr, err := d.Array(path...)
	same := func(v hujson.Value) bool { return Text(&v) == text }
	if err != nil || slices.ContainsFunc(Elements(arr), same) {
		return false, err
	}
	return true, d.AddElement(arr, Quote(text))
}

// RemoveRule takes a rule out of a permission list wherever it is there. Comments stay.
func (d *Doc) RemoveRule(list, rule string) (removed int, err error) {
	arr := Member(&d.Root, "permissions", list)
	for i := len(Elements(arr)) - 1; i >= 0; i-- {
		if Text(&Elements(arr)[i]) != rule {
			continue
		}
		if err := d.RemoveElement(arr, i); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// A slot is the whitespace and comments around one child of an object or array.
type slot struct{ before, after *hujson.Extra }

// slots returns the children of a container and what comes before its closing bracket. hujson keeps a trailing
// comma as a non-nil after of the last child.
func slots(v *hujson.Value) ([]slot, *hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		s := make([]slot, len(c.Members))
		for i := range c.Members {
			s[i] = slot{&c.Members[i].Name.BeforeExtra, &c.Members[i].Value.AfterExtra}
		}
		return s, &c.AfterExtra
	case *hujson.Array:
		s := make([]slot, len(c.Elements))
		for i := range c.Elements {
			s[i] = slot{&c.Elements[i].BeforeExtra, &c.Elements[i].AfterExtra}
		}
		return s, &c.AfterExtra
	}
	return nil, nil
}

// Object returns the object at the end of a path of keys, creating missing ones.
func (d *Doc) Object(path ...string) (*hujson.Value, error) {
	v := &d.Root
	for _, key := range path {
		next, err := d.member(v, key, "{}")
		if err != nil {
			return nil, err
		}
		if _, ok := next.Value.(*hujson.Object); !ok {
			return nil, d.Errorf(next, "%q must be an object", key)
		}
		v = next
	}
	return v, nil
}

// Array is Object for a path that ends in an array.
func (d *Doc) Array(path ...string) (*hujson.Value, error) {
	last := len(path) - 1
	obj, err := d.Object(path[:last]...)
	if err != nil {
		return nil, err
	}
	v, err := d.member(obj, path[last], "[]")
	if err != nil {
		return nil, err
	}
	if _, ok := v.Value.(*hujson.Array); !ok {
		return nil, d.Errorf(v, "%q must be an array", path[last])
	}
	return v, nil
}

func (d *Doc) member(obj *hujson.Value, name, json string) (*hujson.Value, error) {
	if Member(obj, name) == nil {
		if err := d.AddMember(obj, name, json); err != nil {
			return nil, err
		}
	}
	return Member(obj, name), nil
}

// AddMember adds a key after the last one. json is the value as compact JSON.
func (d *Doc) AddMember(obj *hujson.Value, name, json string) error {
	v, err := parseNew(json)
	if err != nil {
		return err
	}
	o, ok := obj.Value.(*hujson.Object)
	if !ok {
		return d.Errorf(obj, "an object was expected here")
	}
	room := d.makeRoom(obj)
	key := hujson.Value{BeforeExtra: room.lead, Value: hujson.String(name)}
	d.layout(&v, room.indent, room.flat)
	v.BeforeExtra, v.AfterExtra = hujson.Extra(d.colon), room.after
	o.Members = append(o.Members, hujson.ObjectMember{Name: key, Value: v})
	return d.check()
}

// AddElement appends to an array. json is the value as compact JSON.
func (d *Doc) AddElement(arr *hujson.Value, json string) error {
	v, err := parseNew(json)
	if err != nil {
		return err
	}
	a, ok := arr.Value.(*hujson.Array)
	if !ok {
		return d.Errorf(arr, "an array was expected here")
	}
	room := d.makeRoom(arr)
	d.layout(&v, room.indent, room.flat)
	v.BeforeExtra, v.AfterExtra = room.lead, room.after
	a.Elements = append(a.Elements, v)
	return d.check()
}

// AddFirst is AddElement at the start. A comment after the opening bracket stays with the next element.
func (d *Doc) AddFirst(arr *hujson.Value, json string) error {
	a, ok := arr.Value.(*hujson.Array)
	if !ok || len(a.Elements) == 0 {
		return d.AddElement(arr, json)
	}
	v, err := parseNew(json)
	if err != nil {
		return err
	}
	next := &a.Elements[0].BeforeExtra
	indent, multi := lastIndent(*next)
	if !multi {
		indent = d.indentAt(arr)
	}
	d.layout(&v, indent, !multi)
	switch {
	case blank(*next):
		v.BeforeExtra = *next
		if len(*next) == 0 && d.colon != "" {
			*next = hujson.Extra(" ")
		}
	case multi:
		v.BeforeExtra = join(nil, d.eol, indent)
	}
	a.Elements = append([]hujson.Value{v}, a.Elements...)
	return d.check()
}

// SetMember replaces the value of a key, or adds it.
func (d *Doc) SetMember(obj *hujson.Value, name, json string) error {
	old := Member(obj, name)
	if old == nil {
		return d.AddMember(obj, name, json)
	}
	v, err := parseNew(json)
	if err != nil {
		return err
	}
	d.layout(&v, d.indentAt(old), false)
	old.Value = v.Value
	return d.check()
}

// RemoveMember takes a key and its value out. Comments around it stay.
func (d *Doc) RemoveMember(obj *hujson.Value, name string) error {
	o, ok := obj.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	i := slices.IndexFunc(o.Members, func(m hujson.ObjectMember) bool { return Text(&m.Name) == name })
	if i < 0 {
		return nil
	}
	d.closeUp(obj, i)
	o.Members = append(o.Members[:i:i], o.Members[i+1:]...)
	return d.check()
}

// RemoveEmpty takes out what is at the end of a path of keys if it is empty, and what becomes empty by that.
func (d *Doc) RemoveEmpty(path ...string) error {
	for i, name := range slices.Backward(path) {
		parent := Member(&d.Root, path[:i]...)
		if !Empty(Member(parent, name)) {
			return nil
		}
		if err := d.RemoveMember(parent, name); err != nil {
			return err
		}
	}
	return nil
}

// RemoveElement takes element i out. Comments around it stay.
func (d *Doc) RemoveElement(arr *hujson.Value, i int) error {
	a, ok := arr.Value.(*hujson.Array)
	if !ok || i >= len(a.Elements) {
		return nil
	}
	d.closeUp(arr, i)
	a.Elements = append(a.Elements[:i:i], a.Elements[i+1:]...)
	return d.check()
}

// check makes sure that what was put together is still a document.
func (d *Doc) check() error {
	if _, err := hujson.Parse(d.Root.Pack()); err != nil {
		return fmt.Errorf("%s: the edit would break the file, nothing was changed: %w", d.name, err)
	}
	return nil
}

func parseNew(json string) (hujson.Value, error) {
	v, err := hujson.Parse([]byte(json))
	if err != nil {
		return v, fmt.Errorf("new value: %w", err)
	}
	return v, nil
}

// SetElement replaces element i of an array. What is around it stays.
func (d *Doc) SetElement(arr *hujson.Value, i int, json string) error {
	a, ok := arr.Value.(*hujson.Array)
	if !ok || i >= len(a.Elements) {
		return d.Errorf(arr, "an array with more elements was expected here")
	}
	v, err := parseNew(json)
	if err != nil {
		return err
	}
	a.Elements[i].Value = v.Value
	return d.check()
}

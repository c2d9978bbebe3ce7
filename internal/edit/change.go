package edit

import (
	"fmt"

	"github.com/tailscale/hujson"
)

// A slot is the whitespace and comments around one child of an object or array.
type slot struct{ before, after *hujson.Extra }

// slots returns the children of a container and what stands before its closing
// bracket. hujson keeps a trailing comma as a non-nil after of the last child.
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

// Object returns the object at the end of a path of keys and creates the
// missing ones. It is an error if something else stands there.
func (d *Doc) Object(path ...string) (*hujson.Value, error) {
	v := &d.Root
	for _, key := range path {
		next := Member(v, key)
		if next == nil {
			if err := d.AddMember(v, key, "{}"); err != nil {
				return nil, err
			}
			next = Member(v, key)
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
	v := Member(obj, path[last])
	if v == nil {
		if err := d.AddMember(obj, path[last], "[]"); err != nil {
			return nil, err
		}
		v = Member(obj, path[last])
	}
	if _, ok := v.Value.(*hujson.Array); !ok {
		return nil, d.Errorf(v, "%q must be an array", path[last])
	}
	return v, nil
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

// AddFirst is AddElement at the start of an array. A comment behind the opening
// bracket stays with the element it stood before.
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
	indent := d.indentAt(old)
	d.layout(&v, indent, false)
	old.Value = v.Value
	return d.check()
}

// RemoveMember takes a key and its value out. Comments around it stay.
func (d *Doc) RemoveMember(obj *hujson.Value, name string) error {
	o, ok := obj.Value.(*hujson.Object)
	if !ok {
		return nil
	}
	for i := range o.Members {
		if Text(&o.Members[i].Name) == name {
			d.closeUp(obj, i)
			o.Members = append(o.Members[:i:i], o.Members[i+1:]...)
			return d.check()
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

// SetElement replaces element i of an array. What stands around it stays.
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

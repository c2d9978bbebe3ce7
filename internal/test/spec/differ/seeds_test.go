package differ

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
)

// names are the constants of package spec by the name of their type, in their order. Seeds spell cases with them, so that
// they can be read, and stay the same cases when a constant is added.
type names map[string][]string

func readNames(file string) (names, error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		return nil, err
	}
	n := names{}
	for _, decl := range f.Decls {
		g, ok := decl.(*ast.GenDecl)
		if !ok || g.Tok != token.CONST {
			continue
		}
		kind := ""
		for _, s := range g.Specs {
			v := s.(*ast.ValueSpec)
			if id, ok := v.Type.(*ast.Ident); ok {
				kind = id.Name
			}
			for _, name := range v.Names {
				n[kind] = append(n[kind], name.Name)
			}
		}
	}
	return n, nil
}

// plain is a value without its zero fields, and with names for constants.
func (n names) plain(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Struct:
		out := map[string]any{}
		for i := range v.NumField() {
			switch f, field := v.Field(i), v.Type().Field(i); {
			case f.IsZero():
			case field.Anonymous:
				for key, value := range n.plain(f).(map[string]any) {
					out[key] = value
				}
			default:
				out[field.Name] = n.plain(f)
			}
		}
		return out
	case reflect.Slice:
		out := []any{}
		for i := range v.Len() {
			out = append(out, n.plain(v.Index(i)))
		}
		return out
	case reflect.Uint8:
		return n[v.Type().Name()][v.Uint()]
	}
	return v.Interface()
}

// set is the way back from plain.
func (n names) set(v reflect.Value, from any) error {
	switch from := from.(type) {
	case map[string]any:
		for key, value := range from {
			f := v.FieldByName(key)
			if !f.IsValid() {
				return fmt.Errorf("a case has no %s", key)
			}
			if err := n.set(f, value); err != nil {
				return err
			}
		}
	case []any:
		v.Set(reflect.MakeSlice(v.Type(), len(from), len(from)))
		for i := range from {
			if err := n.set(v.Index(i), from[i]); err != nil {
				return err
			}
		}
	case string:
		for i, name := range n[v.Type().Name()] {
			if name == from {
				v.SetUint(uint64(i))
				return nil
			}
		}
		return fmt.Errorf("%s is no %s", from, v.Type().Name())
	case json.Number:
		var u uint64
		_, err := fmt.Sscan(from.String(), &u)
		v.SetUint(u)
		return err
	case bool:
		v.SetBool(from)
	}
	return nil
}

// seed writes a case as a line of JSON.
func (n names) seed(d *drawn) string {
	text, err := json.Marshal(n.plain(reflect.ValueOf(*d)))
	if err != nil {
		panic(err)
	}
	return string(text)
}

// readSeed reads such a line.
func (n names) readSeed(line string) (d drawn, err error) {
	dec := json.NewDecoder(strings.NewReader(line))
	dec.UseNumber()
	var from any
	if err = dec.Decode(&from); err == nil {
		err = n.set(reflect.ValueOf(&d).Elem(), from)
	}
	one := d
	for i, r := range d.Rules { // one that has no pattern is the name of the tool
		one.Rules = d.Rules[:i]
		d.Rules[i].Wide = r.Wide || !realisable(&one, r)
	}
	return d, err
}

// readSeeds reads a file of them; lines that begin with # say what the next ones were about.
func (n names) readSeeds(text []byte) (out []drawn, err error) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		d, err := n.readSeed(string(line))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		out = append(out, d)
	}
	return out, nil
}

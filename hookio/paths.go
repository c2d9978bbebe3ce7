package hookio

import (
	"strings"

	"github.com/tidwall/gjson"
)

// readPaths turns every path parameter into an Arg, the primary one first.
func (c *Call) readPaths(s *Shape, vals values) {
	for i, key := range s.Keys {
		v := vals[i]
		switch {
		case !v.Exists():
		case s.nested(key):
			c.readNested(s, key, v)
		case contains(s.Under, key):
			c.each(s, key, v, c.addUnder)
		case contains(s.Filter, key):
			c.each(s, key, v, func(p string) {
				if c.Filter = append(c.Filter, p); strings.Contains(p, "/") {
					c.addUnder(p)
				}
			})
		case key == s.Patch:
			c.patch(c.text(key, v, true), s.Access)
		case s.Globs:
			c.each(s, key, v, func(p string) { c.addPattern(p, s.Access) })
		case s.list(key) && v.IsArray():
			c.each(s, key, v, func(p string) { c.addPath(p, s.Access) })
		default:
			c.addPath(c.text(key, v, s.Need && key == c.Primary), s.Access)
		}
	}
}

// each calls do with the text of a field, or with every one of a list of texts.
func (c *Call) each(s *Shape, key string, v gjson.Result, do func(string)) {
	if !v.IsArray() || !s.list(key) {
		if text := c.text(key, v, s.Need && key == c.Primary); text != "" {
			do(text)
		}
		return
	}
	v.ForEach(func(_, p gjson.Result) bool {
		if text := c.text(key, p, true); text != "" {
			do(text)
		}
		return true
	})
}

// readNested reads the list of a many-edits call, whose entries may name files of their own.
func (c *Call) readNested(s *Shape, name string, v gjson.Result) {
	if !v.IsArray() {
		c.fault(name + " is not a list")
	}
	v.ForEach(func(_, edit gjson.Result) bool {
		if !edit.IsObject() {
			c.fault(name + " has an entry that is not an object")
			return true
		}
		for key, p := range Members(edit.Raw) {
			if contains(keysPath, key) {
				c.addPath(c.text(name+"."+key, gjson.Parse(p), true), s.Access)
			} else {
				c.checkCase(key, keysPath)
			}
		}
		return true
	})
}

func (c *Call) addPath(p string, a Access) {
	if p != "" && !c.addURI(p, a) {
		c.Args = append(c.Args, Arg{Path: p, Access: a})
	}
}

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
				if strings.Contains(p, "/") {
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

// addUnder adds a pattern of files below the primary path.
func (c *Call) addUnder(p string) {
	c.checkPattern(p)
	c.Under = append(c.Under, p)
}

// addPattern adds a path that may be a pattern. What alternatives in braces and
// parentheses stand for is not worked out: any path below is taken for them.
func (c *Call) addPattern(p string, a Access) {
	c.addPath(p, a)
	p = strings.ReplaceAll(p, `\`, "/")
	c.checkPattern(p)
	if i := strings.IndexAny(p, "{("); i >= 0 {
		p = p[:strings.LastIndexByte(p[:i], '/')+1] + "**"
	}
	if strings.ContainsAny(p, "*?[!") {
		c.Args = append(c.Args, Arg{Path: p, Access: a, Pattern: true})
	}
}

// checkPattern notes a pattern that leads elsewhere behind its first wildcard:
// up again by .., or to one of several places. Only what stands before it is
// known to be searched.
func (c *Call) checkPattern(p string) {
	i := strings.IndexAny(p, "*?[{(")
	if i < 0 {
		return
	}
	for _, out := range [...]string{"/..", "../", "{..", ",..", "(..", "|..", "{/", ",/", "(/", "|/", "{~", ",~"} {
		if strings.Contains(p[i:], out) {
			c.fault("the pattern " + quote(p) + " may lead out of its folder")
		}
	}
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
		edit.ForEach(func(k, p gjson.Result) bool {
			for _, key := range keysPath {
				if k.Str == key {
					c.addPath(c.text(name+"."+key, p, true), s.Access)
					return true
				}
			}
			c.checkCase(k.Str, keysPath)
			return true
		})
		return true
	})
}

func (c *Call) addPath(p string, a Access) {
	if p != "" {
		c.Args = append(c.Args, Arg{Path: p, Access: a})
	}
}

// readPatch reads the primary field of a tool whose input is a patch.
func (c *Call) readPatch(s *Shape, vals values) {
	for i, key := range s.Keys {
		if key == c.Primary {
			c.patch(c.text(key, vals[i], true), s.Access)
		}
	}
}

// patch finds the files of a patch in the form of Codex's apply_patch:
//
//	*** Begin Patch
//	*** Environment ID: NAME
//	*** Add File: PATH | *** Update File: PATH | *** Delete File: PATH
//	*** Move to: PATH
//	*** End Patch
//
// Blanks around a header are ignored, as its own reader does. A header we do
// not know might name a file, so the patch is not believed then. Nor is one for
// another environment: whose folder its paths start from is not known.
func (c *Call) patch(body string, a Access) {
	n := len(c.Args)
	for line := range strings.Lines(body) {
		trimmed := strings.TrimSpace(line)
		if path, ok := patchPath(trimmed); ok {
			if path == "" {
				c.fault("the patch has a header without a path")
			}
			c.addPath(path, a)
		} else if strings.HasPrefix(trimmed, "*** Environment ID:") {
			c.fault("the patch is for another environment, whose folder is not known: leave out " + quote(trimmed))
		} else if strings.HasPrefix(line, "***") && !patchMark(trimmed) {
			c.fault("the patch has an unknown header " + quote(trimmed))
		}
	}
	if len(c.Args) == n {
		c.fault("the patch names no file")
	}
}

func patchPath(line string) (path string, ok bool) {
	for _, header := range [...]string{"*** Add File:", "*** Update File:", "*** Delete File:", "*** Move to:"} {
		if path, ok = strings.CutPrefix(line, header); ok {
			return strings.TrimSpace(path), true
		}
	}
	return "", false
}

func patchMark(line string) bool {
	return line == "*** Begin Patch" || line == "*** End Patch" || line == "*** End of File"
}

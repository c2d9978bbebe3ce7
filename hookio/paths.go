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
		case key == "edits" || key == "attachments":
			c.readList(s, key, v)
		case key == "paths" && v.IsArray():
			v.ForEach(func(_, p gjson.Result) bool {
				c.addPath(c.text("paths", p, true), s.Access)
				return true
			})
		default:
			c.addPath(c.text(key, v, s.Need && key == c.Primary), s.Access)
		}
	}
}

// readList reads a list of objects that may name files of their own: the edits
// of a many-edits call, the files attached to another.
func (c *Call) readList(s *Shape, name string, v gjson.Result) {
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

// readPatch finds the files of a patch in the form of Codex's apply_patch:
//
//	*** Begin Patch
//	*** Add File: PATH | *** Update File: PATH | *** Delete File: PATH
//	*** Move to: PATH
//	*** End Patch
//
// Blanks around a header are ignored, as its own reader does. A header we do
// not know might name a file, so the patch is not believed then.
func (c *Call) readPatch(s *Shape, vals values) {
	var body string
	for i, key := range s.Keys {
		if key == c.Primary {
			body = c.text(key, vals[i], true)
		}
	}
	for line := range strings.Lines(body) {
		if path, ok := patchPath(strings.TrimSpace(line)); ok {
			if path == "" {
				c.fault("the patch has a header without a path")
			}
			c.addPath(path, s.Access)
		} else if strings.HasPrefix(line, "***") && !patchMark(strings.TrimSpace(line)) {
			c.fault("the patch has an unknown header " + quote(strings.TrimSpace(line)))
		}
	}
	if len(c.Args) == 0 {
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

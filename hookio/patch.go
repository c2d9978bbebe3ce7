package hookio

import "strings"

// readPatch reads the fields of a tool whose input is a patch. Which of several
// counts is not known, so that all of them do.
func (c *Call) readPatch(s *Shape, vals values) {
	for i, key := range s.Keys {
		if vals[i].Exists() {
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
	// a lone \r is a line break to some readers
	for line := range strings.FieldsFuncSeq(body, func(r rune) bool { return r == '\n' || r == '\r' }) {
		trimmed := strings.TrimSpace(line)
		if path, ok := patchPath(trimmed); ok {
			if path == "" {
				c.fault("the patch has a header without a path")
			}
			c.addPath(path, a)
		} else if strings.HasPrefix(trimmed, "*** Environment ID:") {
			c.fault("the patch is for another environment with an unknown folder: remove " + quote(trimmed))
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

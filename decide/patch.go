package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// patchUnits are the files that a patch writes. Where the patch cannot be read
// they are one file that is not known.
func (c *Case) patchUnits(at int, e *bashsafety.Effect) {
	sub := &c.Script.Subcommands[at]
	names, ok := c.guard.PatchPaths(at, e.Patch)
	if !ok {
		c.fileUnits(sub, e, found{})
		return
	}
	for _, name := range names {
		one := bashsafety.Effect{Kind: bashsafety.Write, Path: path.Clean(name), Known: true, Span: e.Span}
		if strings.Contains(name, "/..") {
			one.Raw = name
		}
		c.fileUnits(sub, &one, found{})
	}
}

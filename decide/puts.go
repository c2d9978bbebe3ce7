package decide

import (
	"cmp"
	"slices"
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
)

// putUnseen reports whether one of the effects may put something where only the
// run of the text will tell, as in what mktemp makes.
func putUnseen(puts []bashsafety.Effect) bool {
	return slices.ContainsFunc(puts, func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Unknown || !e.Known && !e.Glob
	})
}

// putAt reports whether one of the effects may put something at a path, below it
// or in its place.
func (c *Case) putAt(p rules.Path, puts []bashsafety.Effect) bool {
	if putUnseen(puts) {
		return true
	}
	for i := range puts {
		e := &puts[i]
		at := c.effectPath(e)
		if e.Glob {
			at = c.path(cmp.Or(strings.TrimSuffix(staticDir(e.Path), "/"), "/"))
		}
		for _, a := range [...]string{foldPath(at.Given), foldPath(at.Real)} {
			for _, b := range [...]string{foldPath(p.Given), foldPath(p.Real)} {
				if rules.Within(a, b) || rules.Within(b, a) {
					return true
				}
			}
		}
	}
	return false
}

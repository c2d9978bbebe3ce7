package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// ownSource reports whether a sourced file outside the workspace is the user's own: it is there,
// no one else can have written it or what leads to it, and nothing in the text may. Sourcing it
// runs what `bash FILE` would run.
func (c *scene) ownSource(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	at := subIndex(c.Script, sub)
	if at < 0 || !c.practical() || e.Glob || e.Temp || !namesFolder(sub) {
		return false
	}
	p := c.World.EffectPath(e)
	return p.Given == p.Real && c.World.OwnFile(p.Real) && !c.guard.PutAt(p, c.Script.Puts(at))
}

// namesFolder reports whether the sourced word has a slash: one without is looked for in PATH.
func namesFolder(sub *bashsafety.Subcommand) bool {
	for i := 1; i < len(sub.Argv); i++ {
		if w := &sub.Argv[i]; w.Text != "--" {
			return w.Known && strings.Contains(w.Text, "/")
		}
	}
	return false
}

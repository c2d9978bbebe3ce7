package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
)

// writesTemp reports whether a unit writes a temporary file for which step 3b
// does not ask: one below a temporary folder, or below what mktemp made, that
// no other command of the text links, moves or unpacks.
func (c *Case) writesTemp(u *unit) bool {
	switch {
	case !u.write:
		return false
	case u.hit.Given == "":
		return u.effect != nil && c.unknownTemp(u)
	case u.effect != nil && u.effect.Glob && !lastOnly(u):
		return false
	}
	return c.World.Temporary(u.hit) && !c.guard.Planted(u.target())
}

// unknownTemp is writesTemp for a path that is not known.
func (c *Case) unknownTemp(u *unit) bool {
	if below := u.effect.Below; below != "" {
		return c.World.Temporary(c.World.Path(path.Join(below, "x"))) && !c.guard.Planted(u.target()) && c.World.EachBelow(u.effect, false, c.World.Temporary)
	}
	return u.effect.Temp && c.World.TempEnv() && !c.guard.Planted(u.target())
}

// writesTemporary reports whether the call writes such a file that no rule names.
func (c *Case) writesTemporary() bool {
	for i := range c.units {
		if u := &c.units[i]; u.write && !c.World.Inside(u.hit) && c.writesTemp(u) && !c.reaches(u) {
			return true
		}
	}
	return false
}

// lastOnly reports whether a pattern has wildcards in its last component only,
// and what it finds is removed or made, not what it may lead to.
func lastOnly(u *unit) bool {
	dir, name := path.Split(u.hit.Given)
	made := u.effect.Kind == bashsafety.Delete || u.sub != nil && u.sub.Program == "mktemp"
	return made && !strings.ContainsAny(dir, `*?[\`) && name != "*"
}

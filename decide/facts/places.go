package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/rules"
)

// AutorunOf is guard.AutorunBy for a unit.
func (c *scene) AutorunOf(u *Unit) *guard.Autorun {
	if u.subject.Listed {
		return nil // what the pattern finds are units of their own
	}
	return guard.AutorunBy(u.Target())
}

// ReadsTemp reports whether a part reads a file below a temporary folder that only the user can have put there.
func (c *scene) ReadsTemp(u *Unit) bool {
	glob := u.effect != nil && u.effect.Glob
	return u.hit.Given != "" && !glob && c.World().Temporary(u.hit) && !c.Guard().Planted(u.Target())
}

// Reaches reports whether an allow rule with a // or ~/ path covers the write.
func (c *matcher) Reaches(u *Unit) bool {
	if c.Call().Alias {
		return false
	}
	for _, list := range c.GrantLists() {
		for i := range list {
			r := &list[i]
			if !r.Bare && c.Policy().OS.Rooted(r.Pattern) && len(c.matchRules(list[i:i+1], &u.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// WritesTemp reports whether a unit writes a temporary file for which step 3b
// does not ask: one below a temporary folder, or below what mktemp made, that
// no other command of the text links, moves or unpacks.
func (c *scene) WritesTemp(u *Unit) bool {
	switch {
	case !u.write:
		return false
	case u.hit.Given == "":
		return u.effect != nil && c.unknownTemp(u)
	case u.effect != nil && u.effect.Glob && !c.lastOnly(u):
		return false
	}
	return c.Guard().IntoTemp(u.sub, u.effect) || c.World().Temporary(u.hit) && !c.Guard().Planted(u.Target())
}

// unknownTemp is WritesTemp for a path that is not known.
func (c *scene) unknownTemp(u *Unit) bool {
	if below := u.effect.Below; below != "" {
		w := c.World()
		return w.Temporary(w.Path(path.Join(below, "x"))) && !c.Guard().Planted(u.Target()) &&
			w.EachBelow(u.effect, false, w.Temporary)
	}
	whole := u.effect.Kind == bashsafety.Delete && u.effect.Path == bashsafety.HoleMark // a link there goes alone
	return u.effect.Temp && c.World().TempEnv() && (whole || !c.Guard().Planted(u.Target()))
}

// lastOnly reports whether a pattern has wildcards in its last component only,
// and what it finds is removed or made, not what it may lead to.
func (c *scene) lastOnly(u *Unit) bool {
	dir, name := path.Split(u.hit.Given)
	made := u.effect.Kind == bashsafety.Delete || u.sub != nil && u.sub.Program == "mktemp"
	if !made && !c.World().Blind() { // or all that is there now is as a single file has to be
		found, ok := c.matched(dir, name)
		made = ok && !slices.ContainsFunc(found, func(p rules.Path) bool { return !c.World().Temporary(p) })
	}
	return made && !strings.ContainsAny(dir, `*?[\`) && name != "*"
}

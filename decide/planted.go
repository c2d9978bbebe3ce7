package decide

import (
	"cmp"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// planted reports whether another command of the text may put a symlink where a
// unit writes: it links, moves, copies trees or unpacks there or above.
func (c *Case) planted(u *unit) bool {
	if c.Script == nil || u.sub != nil && u.sub.Program == "mktemp" { // which makes a new name
		return false
	}
	for i := range c.Script.Subcommands {
		if s := &c.Script.Subcommands[i]; s != u.sub && s.Plants() && c.plantsFor(s, u) {
			return true
		}
	}
	return false
}

// plantsFor looks at what a command writes, and at where else it puts links.
func (c *Case) plantsFor(s *bashsafety.Subcommand, u *unit) bool {
	for i := range s.Effects {
		e := &s.Effects[i]
		if e.Kind != bashsafety.Write || e.Redirect {
			continue
		}
		if u.hit.Given == "" || !e.Known || c.plantedAt(u, c.World.EffectPath(e)) {
			return true
		}
	}
	places, ok := s.Planted()
	if !ok || len(places) > 0 && u.hit.Given == "" {
		return true
	}
	return slices.ContainsFunc(places, func(at string) bool { return c.plantedAt(u, c.World.Path(at)) })
}

// plantedAt reports whether what is put at a path lies on the way of a unit.
// Whether the file system folds case is not known.
func (c *Case) plantedAt(u *unit, at rules.Path) bool {
	removes := u.effect != nil && u.effect.Kind == bashsafety.Delete
	for _, name := range [...]string{u.hit.Given, u.hit.Real} {
		for _, planted := range [...]string{at.Given, at.Real} {
			name, planted := world.FoldPath(name), world.FoldPath(planted)
			// what is removed may itself be a link, which goes alone
			if rules.Within(name, planted) && !(removes && name == planted) {
				return true
			}
		}
	}
	return false
}

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
		at := c.World.EffectPath(e)
		if e.Glob {
			at = c.World.Path(cmp.Or(strings.TrimSuffix(staticDir(e.Path), "/"), "/"))
		}
		for _, a := range [...]string{world.FoldPath(at.Given), world.FoldPath(at.Real)} {
			for _, b := range [...]string{world.FoldPath(p.Given), world.FoldPath(p.Real)} {
				if rules.Within(a, b) || rules.Within(b, a) {
					return true
				}
			}
		}
	}
	return false
}

package decide

import (
	"slices"

	"permgate/bashsafety"
	"permgate/rules"
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
		if u.hit.Given == "" || !e.Known || c.plantedAt(u, c.effectPath(e)) {
			return true
		}
	}
	places, ok := s.Planted()
	if !ok || len(places) > 0 && u.hit.Given == "" {
		return true
	}
	return slices.ContainsFunc(places, func(at string) bool { return c.plantedAt(u, c.path(at)) })
}

// plantedAt reports whether what is put at a path lies on the way of a unit.
// Whether the file system folds case is not known.
func (c *Case) plantedAt(u *unit, at rules.Path) bool {
	removes := u.effect != nil && u.effect.Kind == bashsafety.Delete
	for _, name := range [...]string{u.hit.Given, u.hit.Real} {
		for _, planted := range [...]string{at.Given, at.Real} {
			name, planted := foldPath(name), foldPath(planted)
			// what is removed may itself be a link, which goes alone
			if rules.Within(name, planted) && !(removes && name == planted) {
				return true
			}
		}
	}
	return false
}

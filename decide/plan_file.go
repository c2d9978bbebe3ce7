package decide

import (
	"path"

	"permgate/rules"
)

// planFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *Case) planFile(u *unit) bool {
	if c.Policy.Mode.Value != "plan" || u.sub != nil || u.hit.Given == "" {
		return false
	}
	if c.namedByHost(u.hit) {
		return true
	}
	for _, base := range [...]rules.Path{c.Policy.Home, c.Policy.Project} {
		for _, root := range rules.Roots {
			if base.Given != "" && isPlan(u.hit.Given, base.Given, root) && isPlan(u.hit.Real, base.Real, root) {
				return true
			}
		}
	}
	return false
}

// namedByHost reports whether a path is the plan file that the host names.
func (c *Case) namedByHost(p rules.Path) bool {
	return c.Call.PlanFile != "" && p.Given == p.Real && p.Given == c.toolPath(c.Call.PlanFile).Given
}

// isPlan reports whether a path is one of a plan in the settings folder of a base.
func isPlan(name, base, root string) bool {
	return path.Dir(name) == path.Join(base, root, "plans") && path.Ext(name) == ".md"
}

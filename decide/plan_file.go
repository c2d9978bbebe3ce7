package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// planFile reports whether a unit is the host's own plan file in plan mode: it
// lies in a plans folder as given and with symlinks resolved.
func (c *Case) planFile(u *unit) bool {
	if c.Policy.Mode.Value != "plan" || u.sub != nil || u.hit.Given == "" {
		return false
	}
	return !c.Call.Alias && (c.namedByHost(u.hit) || c.inPlans(u))
}

// inPlans reports whether a unit is a plan in a settings folder of the home or the project.
func (in *Input) inPlans(u *unit) bool {
	for _, base := range [...]rules.Path{in.Policy.Home, in.Policy.Project} {
		for _, root := range load.Roots {
			if base.Given != "" && isPlan(u.hit.Given, base.Given, root) && isPlan(u.hit.Real, base.Real, root) {
				return true
			}
		}
	}
	return false
}

// plans reports whether mode plan lets a tool of the main session pass that is not safe: one that
// begins a plan, or an agent, whose calls are decided in the mode too. One whose input picks a
// mode is not let through, for the host may run it in that.
func (in *Input) plans() bool {
	if !slices.Contains(in.Call.Host.PlanPasses, in.Call.Grantee()) || in.Call.Subagent() || in.asAgent() {
		return false
	}
	for key := range hookio.Members(in.Call.Input.Raw) {
		if strings.Contains(strings.ToLower(key), "mode") && key != "model" {
			return false
		}
	}
	return true
}

// namedByHost reports whether a path is the plan file that the host names.
func (c *Case) namedByHost(p rules.Path) bool {
	return c.Call.PlanFile != "" && p.Given == p.Real && p.Given == c.World.ToolPath(c.Call.PlanFile).Given
}

// isPlan reports whether a path is one of a plan in the settings folder of a base.
func isPlan(name, base, root string) bool {
	return path.Dir(name) == path.Join(base, root, "plans") && path.Ext(name) == ".md"
}

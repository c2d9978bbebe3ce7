package decide

// strict reports whether the caller is a subagent that inherits every
// restriction and no grant (seed 0).
func (c *Case) strict() bool {
	return c.unread() || (c.Call.Subagent() || c.asAgent()) && c.Policy.Posture.Subagents.Value != "host"
}

// Inherits reports whether what the settings grant counts for the caller.
func (c *Case) Inherits() bool { return !c.strict() }

// unread reports whether the caller has a definition that cannot be used, or a
// skill without one: what its lists would have taken away is not known, so
// nothing is granted.
func (c *Case) unread() bool {
	a := c.Policy.Agent
	return a != nil && a.Found && !a.Known || c.unknownSkill()
}

func (c *Case) unknownSkill() bool { return c.Policy.Skill != nil && !c.Policy.Skill.Known }

// asAgent reports whether --agent asked to decide as a subagent.
func (c *Case) asAgent() bool { return c.AsAgent }

// subagentDenies reports whether an ask of this caller cannot reach anybody.
func (c *Case) subagentDenies() bool {
	if !c.Call.Subagent() && !c.asAgent() {
		return false
	}
	return c.strict() || c.Call.Host == nil || !c.Call.Host.SubagentsPrompt
}

package decide

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepAllow allows when the rules of one list together cover every part of the
// call: the settings for the main loop, the definition's list for a subagent.
func stepAllow(c *Case, _ Verdict) Verdict {
	missed := ""
	for _, list := range c.GrantLists() {
		hit, missing := c.covered(list)
		if missing == nil {
			return grantRule.by(c.byRule(hookio.Pass, "allow rule: "+hit.Rule.Text, hit.Rule, nil))
		}
		if hit, ok := c.mixed(list); ok {
			return grantMixed.by(c.byRule(hookio.Pass, "allow rule: "+hit.Rule.Text+", and the rest only reads", hit.Rule, nil))
		}
		if missed == "" {
			missed = c.uncovered(list, c.cause(list))
		}
	}
	return Verdict{Reason: missed}
}

// GrantLists returns the lists whose allow rules count for this caller.
func (c *Case) GrantLists() [][]rules.Rule {
	p := c.Policy
	if !c.Call.Subagent() && !c.asAgent() && !c.unread() {
		return [][]rules.Rule{p.Allow}
	}
	var own []rules.Rule
	if p.Agent != nil && !p.Agent.Narrow {
		own = p.Agent.Granted
	}
	if c.strict() {
		return [][]rules.Rule{own}
	}
	return [][]rules.Rule{p.Allow, own}
}

// mixed reports whether a list of rules covers a shell text together with the
// proof that the rest only reads, where readOnlyCommands is "allow": steps 6 and 7
// mix. hit is the rule of the first part that one covers. What reads outside the
// workspace, or feeds a part that sends or executes, needs a rule of its own.
func (c *Case) mixed(list []rules.Rule) (hit rules.Hit, ok bool) {
	if len(list) == 0 || !c.readsMayPass() {
		return hit, false
	}
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		switch h, covered := c.allows(list, i); {
		case covered && !ok:
			hit, ok = h, true
		case !covered && !c.onlyReads(&c.units[i]):
			return rules.Hit{}, false
		}
	}
	return hit, ok
}

// readsMayPass reports whether the posture allows commands that only read, and the
// text has neither doubts nor findings.
func (c *Case) readsMayPass() bool {
	s := c.Script
	return c.Policy.Posture.ReadOnlyCommands.Value == "allow" && s != nil && !c.Call.Alias && len(s.Doubts)+len(s.Findings) == 0
}

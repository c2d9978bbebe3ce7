package decide

import (
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/rules"
)

// stepAllow allows when the rules of one list together cover every part of the
// call: the settings for the main loop, the definition's list for a subagent.
func stepAllow(c *Case) verdict.Allowed[verdict.Rules] {
	missed := ""
	for _, list := range c.GrantLists() {
		hit, missing := c.covered(list)
		if missing == nil {
			return verdict.ByRules(byRule("allow rule: "+hit.Rule.Text, hit.Rule, nil))
		}
		if hit, ok := c.mixed(list); ok {
			return verdict.ByRules(byRule("allow rule: "+hit.Rule.Text+", and the rest only reads", hit.Rule, nil))
		}
		if missed == "" {
			missed = c.uncovered(list, c.cause(list))
		}
	}
	return verdict.No[verdict.Rules](missed)
}

// GrantLists returns the lists whose allow rules count for this caller.
func (in *Input) GrantLists() [][]rules.Rule {
	p := in.Policy
	if !in.Call.Subagent() && !in.asAgent() && !in.unread() {
		return [][]rules.Rule{p.Allow}
	}
	var own []rules.Rule
	if p.Agent != nil && !p.Agent.Narrow {
		own = p.Agent.Granted
	}
	if in.strict() {
		return [][]rules.Rule{own}
	}
	return [][]rules.Rule{p.Allow, own}
}

package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepDeny is final. It holds the deny rules of every scope, what an agent
// definition takes away, the two fences, excluded content, and the catastrophic
// list where the posture says so. Of several denials one that managed settings
// give answers, because it is in force even where the others are only observed.
func stepDeny(c *Case) Verdict {
	c.ownDenials()
	var v Verdict
	for _, f := range [...]func(*Case) Verdict{denyRules, denyTools, denyAgent, denyFences, denyCatastrophic, denyAuto} {
		if o := f(c); o.Decision == hookio.Deny && (v.Decision != hookio.Deny || o.Managed && !v.Managed) {
			v = o
		}
	}
	if v.Decision != hookio.Deny {
		return v
	}
	if c.noteDenied(v); v.Check == nil {
		return c.withFinding(v)
	}
	return v
}

// denyRules answers when a deny rule matches the call or any part of it.
func denyRules(c *Case) Verdict {
	var v Verdict
	for _, list := range c.denyLists() {
		for i := range c.units {
			for _, hit := range c.matches(list.rules, i) {
				managed := hit.Rule.Scope == rules.Managed
				if hit.Sure && (v.Decision != hookio.Deny || managed && !v.Managed) {
					v = c.byRule(hookio.Deny, list.word+": "+hit.Rule.Text, hit.Rule, &c.units[i]).as(list.code)
					if list.code == CodeAutoDenied {
						v = c.judged(v, rules.AutoHardDeny, "")
					}
				}
			}
		}
	}
	return v
}

// denyCatastrophic is the catastrophic list of a posture that denies it.
func denyCatastrophic(c *Case) Verdict {
	set := &c.Policy.Posture.Catastrophic
	f := c.finding(bashsafety.Catastrophic)
	if set.Value != "deny" || f == nil {
		return Verdict{}
	}
	v := c.found(f)
	v.Decision, v.Managed = hookio.Deny, set.Scope == rules.Managed
	return Verdict{Decision: v.Decision, Check: v.Check, Part: v.Part, Managed: v.Managed, Reason: v.sentence()}.
		marked(f.Check.ID + `: "catastrophic" is "deny", ` + set.Pos.String()).as(CodeCatastrophic)
}

type denyList struct {
	word  string
	rules []rules.Rule
	code  Code // of a denial
}

// denyLists are the lists of step 1 but those of an agent definition or skill.
func (c *Case) denyLists() []denyList {
	p := c.Policy
	lists := []denyList{
		{"deny rule", p.Deny, CodeDeniedByRule},
		{"excluded content", p.Posture.ContentExclusion, CodeExcluded},
		{"excluded url", p.Posture.URLs, CodeExcluded},
	}
	if p.AutoRestricts() {
		lists = append(lists, denyList{"autoMode.hard_deny", p.Auto.HardDeny, CodeAutoDenied})
	}
	return lists
}

// stepBypass is mode bypassPermissions. Locks have already turned the mode
// into default when the policy was loaded.
func stepBypass(c *Case) Verdict {
	if c.Policy.Mode.Value != "bypassPermissions" {
		return Verdict{}
	}
	if NeedsUser(c.Call.Tool) {
		return Verdict{Reason: "a tool that needs the user"}
	}
	return Verdict{Decision: hookio.Allow, Reason: "mode: bypass permissions" + c.modeOrigin()}
}

// stepSession is what the user granted for the running session. A subagent
// inherits no grant unless the posture says it works like the main session.
func stepSession(c *Case) Verdict {
	if c.strict() {
		return Verdict{}
	}
	if c.Policy.ManagedOnly.On() {
		return Verdict{Reason: "session grants do not count under allowManagedPermissionRulesOnly"}
	}
	switch g := &c.Grants; {
	case g.All && !NeedsUser(c.Call.Tool):
		return Verdict{Decision: hookio.Allow, Reason: "session: allow all" + g.until()}
	case g.AllEdits && rules.EditTool(c.Call.Grantee()):
		return Verdict{Decision: hookio.Allow, Reason: "session: allow all edits" + g.until()}
	case g.AllBash && c.Call.Grantee() == "Bash":
		return Verdict{Decision: hookio.Allow, Reason: "session: allow all Bash" + g.until()}
	}
	if hit, missing := c.covered(c.Grants.Rules); missing == nil {
		v := c.byRule(hookio.Allow, "session pattern: "+hit.Rule.Text, hit.Rule, nil)
		v.Reason += c.Grants.until()
		return v
	}
	return Verdict{}
}

func (g *Grants) until() string {
	if g.Until == "" {
		return ""
	}
	return ", until " + g.Until
}

// stepAsk is the ask rules, the soft denials of mode auto, and addresses that
// urls.allow does not name.
func stepAsk(c *Case) Verdict {
	p := c.Policy
	if u, hit := c.match(p.Ask, true); u != nil {
		return c.byRule(hookio.Ask, "ask rule: "+hit.Rule.Text, hit.Rule, u)
	}
	if p.AutoRestricts() {
		if u, hit := c.match(p.Auto.SoftDeny, true); u != nil {
			v := c.byRule(hookio.Ask, "autoMode.soft_deny: "+hit.Rule.Text, hit.Rule, u)
			return c.judged(v, rules.AutoSoftDeny, "")
		}
		if v := c.byDefaults(rules.AutoSoftDeny); v.Decision != hookio.Pass {
			return v
		}
	}
	return unlistedURL(c)
}

// stepAllow allows when the rules of one list together cover every part of the
// call: the settings for the main loop, the definition's list for a subagent.
func stepAllow(c *Case) Verdict {
	missed := ""
	for _, list := range c.GrantLists() {
		hit, missing := c.covered(list)
		if missing == nil {
			return c.byRule(hookio.Allow, "allow rule: "+hit.Rule.Text, hit.Rule, nil)
		}
		if hit, ok := c.mixed(list); ok {
			return c.byRule(hookio.Allow, "allow rule: "+hit.Rule.Text+", and the rest only reads", hit.Rule, nil)
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

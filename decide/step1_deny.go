package decide

import (
	"iter"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepDeny is final. It holds the deny rules of every scope, what an agent
// definition takes away, the two fences, excluded content, and the catastrophic
// list where the posture says so. Of several denials one that managed settings
// give answers, because it is in force even where the others are only observed.
func stepDeny(c *Case, _ Verdict) Verdict {
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
		v = c.withFinding(v)
	}
	return v.saying(v.wayOut)
}

// denyRules answers when a deny rule matches the call or any part of it.
func denyRules(c *Case) Verdict {
	var v Verdict
	for list := range c.denyLists() {
		for i := range c.units {
			for _, hit := range c.matches(list.rules, i) {
				managed := hit.Rule.Scope == rules.Managed
				if hit.Sure && (v.Decision != hookio.Deny || managed && !v.Managed) {
					v = byRule(hookio.Deny, list.word+": "+hit.Rule.Text, hit.Rule, &c.units[i]).as(list.code).
						ofWriting(hit.Rule, &c.units[i])
					if list.code == say.CodeAutoDenied {
						v = c.judged(v, rules.AutoHardDeny, "")
					}
				}
			}
		}
	}
	return v
}

// ofWriting adds to a denial of a write by a rule about reading what a person can do.
func (v Verdict) ofWriting(r *rules.Rule, u *unit) Verdict {
	if v.Cause != say.CodeDeniedByRule || r.Tool != "Read" || !rules.EditTool(u.subject.Tool) {
		return v
	}
	v.Reason += ", and a deny of Read also denies writing"
	v.wayOut = ". Ask the user to make this change"
	if !v.Managed && r.Pos.File != "" {
		v.wayOut += ", or to narrow that rule"
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
	return Verdict{Decision: hookio.Deny, Check: v.Check, Part: v.Part, Managed: set.Scope == rules.Managed, Reason: v.sentence()}.
		marked(f.Check.ID + `: "catastrophic" is "deny", ` + set.Pos.String()).as(say.CodeCatastrophic)
}

type denyList struct {
	word  string
	rules []rules.Rule
	code  say.Code // of a denial
}

// denyLists are the lists of step 1 but those of an agent definition or skill.
func (in *Input) denyLists() iter.Seq[denyList] {
	p := in.Policy
	return func(yield func(denyList) bool) {
		more := yield(denyList{"deny rule", p.Deny, say.CodeDeniedByRule}) &&
			yield(denyList{"excluded content", p.Posture.ContentExclusion, say.CodeExcluded}) &&
			yield(denyList{"excluded url", p.Posture.URLs, say.CodeExcluded})
		if more && p.AutoRestricts() {
			yield(denyList{"autoMode.hard_deny", p.Auto.HardDeny, say.CodeAutoDenied})
		}
	}
}

// denyAuto is the built-in list of autoMode.hard_deny.
func denyAuto(c *Case) Verdict {
	if !c.Policy.AutoRestricts() {
		return Verdict{}
	}
	return c.byDefaults(rules.AutoHardDeny)
}

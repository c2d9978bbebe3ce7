package decide

import (
	"iter"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// stepDeny is final. It holds the deny rules of every scope, what an agent
// definition takes away, the two fences, excluded content, and the catastrophic
// list where the posture says so. Of several denials one that managed settings
// give answers, because it is in force even where the others are only observed.
func stepDeny(c *Case) (d verdict.Denial) {
	c.denyEarly()
	if d = denied(c); d.Holds() {
		c.tellHook(d)
	}
	return d.Changed(c.addFinding)
}

// denied is the denial of a call, the strictest of several.
func denied(c *Case) (d verdict.Denial) {
	for _, f := range [...]func(*Case) verdict.Denial{denyRules, denyTools, denyAgent, denyFences, denyCatastrophic, denyAuto} {
		d = d.Stricter(f(c))
	}
	return d
}

// denyRules answers when a deny rule matches the call or any part of it.
func denyRules(c *Case) (d verdict.Denial) {
	for list := range c.denyLists() {
		for u := range c.Units() {
			for _, hit := range c.matches(list.rules, u) {
				managed := hit.Rule.Scope == rules.Managed
				if !hit.Sure || d.Holds() && (!managed || d.Reason().Managed) {
					continue
				}
				r := byRule(list.word+": "+hit.Rule.Text, hit.Rule, u)
				r.Code, r.Managed = list.code, managed
				if ofWriting(&r, u); list.code == say.CodeAutoDenied {
					c.judged(&r, rules.AutoHardDeny, "")
				}
				d = verdict.Deny(r)
			}
		}
	}
	return d
}

// ofWriting adds to a denial of a write by a rule about reading what a person can do.
func ofWriting(r *verdict.Reason, u *unit) {
	if r.Code != say.CodeDeniedByRule || r.Rule.Tool != "Read" || !rules.EditTool(u.subject.Tool) {
		return
	}
	r.Text += ", and a deny of Read also denies writing"
	r.Hint = "Ask the user to make this change"
	if !r.Managed && r.Rule.Pos.File != "" {
		r.Hint += ", or to narrow that rule"
	}
}

// denyCatastrophic is the catastrophic list of a posture that denies it.
func denyCatastrophic(c *Case) (d verdict.Denial) {
	set := &c.Policy.Posture.Catastrophic
	f := c.firstFinding(bashsafety.Catastrophic)
	if set.Value != "deny" || f == nil {
		return d
	}
	r := c.found(f)
	r.Code, r.Managed = say.CodeCatastrophic, set.Scope == rules.Managed
	r.Mark = f.Check.ID + `: "catastrophic" is "deny", ` + set.Pos.String()
	return verdict.Deny(r)
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
func denyAuto(c *Case) (d verdict.Denial) {
	if !c.Policy.AutoRestricts() {
		return d
	}
	if r, matches := c.byDefaults(rules.AutoHardDeny); matches {
		r.Managed = c.Policy.Auto.Defaults[rules.AutoHardDeny].Scope == rules.Managed
		d = verdict.Deny(r)
	}
	return d
}

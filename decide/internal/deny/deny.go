// Package deny is step 1. Nothing takes a denial back, so it knows neither questions nor lifts.
package deny

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// Early is what the user and the administrator deny, where a project wrote very many rules: should the time be over
// before the rest was looked at, that is the answer.
func Early(c facts.Facts) verdict.Denial {
	p := *c.Policy()
	p.Deny, p.Auto.HardDeny = notOfProject(p.Deny), notOfProject(p.Auto.HardDeny)
	p.Posture.ContentExclusion, p.Posture.URLs = notOfProject(p.Posture.ContentExclusion), notOfProject(p.Posture.URLs)
	c = c.Under(&p)
	if d := denyRules(c); d.Holds() {
		return d
	}
	return denyFences(c)
}

// notOfProject returns the rules that came with no project.
func notOfProject(list []rules.Rule) []rules.Rule {
	out := make([]rules.Rule, 0, 16)
	for i := range list {
		if !list[i].Counted() {
			out = append(out, list[i])
		}
	}
	return out
}

// Step is what step 1 says of a call: the deny rules of every scope, what an agent definition takes away, the two
// fences, excluded content, and the catastrophic list where the posture says so. Of several denials one that managed
// settings give answers, because it is in force even where the others are only observed.
func Step(c facts.Facts) (d verdict.Denial) {
	type step = func(facts.Facts) verdict.Denial
	for _, deny := range [...]step{denyRules, denyTools, denyAgent, denyFences, denyCatastrophic, denyAuto} {
		d = d.Stricter(deny(c))
	}
	return d
}

// denyRules answers when a deny rule matches the call or any part of it.
func denyRules(c facts.Facts) (d verdict.Denial) {
	for list := range c.DenyLists() {
		for u := range c.Units() {
			for _, hit := range c.Matches(list.Rules, u) {
				managed := hit.Rule.Scope == rules.Managed
				if !hit.Sure || d.Holds() && (!managed || d.Reason().Managed) {
					continue
				}
				r := words.ByRule(c, list.Word, hit.Rule, u)
				r.Code, r.Managed = list.Code, managed
				if ofWriting(&r, u); list.Code == say.CodeAutoDenied {
					auto.Mark(c, &r, rules.AutoHardDeny, "")
				}
				d = verdict.Deny(r)
			}
		}
	}
	return d
}

// ofWriting adds to a denial of a write by a rule about reading what a person can do.
func ofWriting(r *verdict.Reason, u *facts.Unit) {
	if r.Code != say.CodeDeniedByRule || r.Rule.Tool != "Read" || !rules.EditTool(u.Subject().Tool) {
		return
	}
	r.Note("; a deny of Read also denies writing")
	if r.Way = "Ask the user to make this change"; !r.Managed && r.Rule.Pos.File != "" {
		r.Way += ", or to narrow that rule"
	}
}

// denyCatastrophic is the catastrophic list of a posture that denies it.
func denyCatastrophic(c facts.Facts) (d verdict.Denial) {
	set := &c.Policy().Posture.Catastrophic
	f := c.FirstFinding(bashsafety.Catastrophic)
	if set.Value != "deny" || f == nil {
		return d
	}
	r := words.Found(c, f)
	r.Code, r.Managed = say.CodeCatastrophic, set.Scope == rules.Managed
	r.Mark = f.Check.ID + `: "catastrophic" is "deny", ` + set.Pos.String()
	r.Note(", so it is denied")
	return verdict.Deny(r)
}

// denyAuto is the built-in list of autoMode.hard_deny.
func denyAuto(c facts.Facts) (d verdict.Denial) {
	if !c.Policy().AutoRestricts() {
		return d
	}
	if r, matches := auto.ByDefaults(c, rules.AutoHardDeny); matches {
		r.Managed = c.Policy().Auto.Defaults[rules.AutoHardDeny].Scope == rules.Managed
		d = verdict.Deny(r)
	}
	return d
}

package decide

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// matchBudget bounds the work of comparing the rules of a project with the parts
// of one call, in units of rules.Cost. Those of the user and of the administrator
// are compared without a bound.
const matchBudget = 2_000_000

// matchRules is Policy.Match. Where a project wrote very many rules they are
// compared as far as the budget goes; then the call is asked about.
func (c *Case) matchRules(list []rules.Rule, s *rules.Subject) []rules.Hit {
	if !c.Policy.Many() {
		return c.Policy.Match(list, s)
	}
	var hits []rules.Hit
	for len(list) > 0 {
		n, counted := 1, list[0].Counted()
		for n < len(list) && list[n].Counted() == counted {
			n++
		}
		part := list[:n]
		if counted {
			part = c.affordable(part, s)
		}
		hits, list = append(hits, c.Policy.Match(part, s)...), list[n:]
	}
	return hits
}

// affordable is what the budget still has room for.
func (c *Case) affordable(list []rules.Rule, s *rules.Subject) []rules.Rule {
	for i := range list {
		if c.overrun != nil {
			return list[:i]
		}
		if c.spent += list[i].Cost(s); c.spent > matchBudget {
			c.overrun = &list[i]
			return list[:i]
		}
	}
	return list
}

// immuneOverrun asks about a call that could not be compared with every rule.
func immuneOverrun(c *Case) Verdict {
	if c.overrun == nil {
		return Verdict{}
	}
	return immune("rule-budget", "", "the project's files contain too many rules "+
		"to compare with every part of the call (stopped at "+
		c.overrun.Pos.String()+"). Try splitting the call")
}

// ownDenials looks first at what the user and the administrator deny, where a
// project wrote very many rules: should the time be over before the rest was
// looked at, that is the answer.
func (c *Case) ownDenials() {
	if c.Denied == nil || !c.Policy.Many() {
		return
	}
	p := *c.Policy
	p.Deny, p.Auto.HardDeny = own(p.Deny), own(p.Auto.HardDeny)
	p.Posture.ContentExclusion, p.Posture.URLs = own(p.Posture.ContentExclusion), own(p.Posture.URLs)
	first := Case{Call: c.Call, Policy: &p, Script: c.Script, FS: c.FS, User: c.User, units: c.units,
		Guarded: c.Guarded}
	for _, f := range [...]func(*Case) Verdict{denyRules, denyFences} {
		if v := f(&first); v.Decision == hookio.Deny {
			c.noteDenied(v)
			return
		}
	}
}

// noteDenied tells the hook of a denial as soon as it is found.
func (c *Case) noteDenied(v Verdict) {
	if c.Denied != nil {
		v.Step, v.Origin = "1", "1"
		c.Denied(v)
	}
}

// own returns the rules that came with no project.
func own(list []rules.Rule) []rules.Rule {
	out := make([]rules.Rule, 0, 16)
	for i := range list {
		if !list[i].Counted() {
			out = append(out, list[i])
		}
	}
	return out
}

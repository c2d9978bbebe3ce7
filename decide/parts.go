package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// A Part is one part of a call that rules are matched against: a subcommand, a
// file or URL it touches, a path of a tool, or the call as a whole.
type Part struct {
	Label      string                 // how reasons name it: "git push", "write out.txt"
	Sub        *bashsafety.Subcommand // the subcommand it belongs to; nil outside shell texts
	Effect     *bashsafety.Effect     // nil for the subcommand itself and outside shell texts
	NeedsAllow bool                   // an allow has to cover it; deny and ask look at every part
	Subject    *rules.Subject         // what rules are matched against
	Hits       []rules.Hit            // every rule that matches it, strictest list first
}

// Parts lists the parts of a call with the rules that match them. It decides
// nothing: it is what explain shows with the verdict.
func Parts(c *Case) []Part {
	c.prepare()
	p := c.Policy
	lists := [][]rules.Rule{p.Deny, nil, p.Ask, c.Grants.Rules, p.Allow, nil}
	if a := p.Agent; a != nil {
		lists[1], lists[5] = a.Deny, a.Allow
	}
	parts := make([]Part, len(c.units))
	for i := range c.units {
		u := &c.units[i]
		parts[i] = u.part()
		for _, list := range lists {
			parts[i].Hits = append(parts[i].Hits, p.Match(list, &u.subject)...)
		}
	}
	return parts
}

// Under is the same call under another policy, ready to be decided: what a rule
// would change is found out by adding it and asking again. No program of the
// operator's is run for that.
func (c *Case) Under(p *rules.Policy) *Case {
	c.settle()
	in := c.Input
	in.Policy = p
	tried := New(in, c.World.Again(p))
	tried.Approve = func(*Case, Verdict) Approval { return Approval{} } // no one is asked about what is only tried
	return tried
}

// Missing lists the parts of the call that need an allow and have none in a
// list of allow rules: one list has to cover them all.
func Missing(c *Case, list []rules.Rule) []Part {
	c.prepare()
	var out []Part
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		if _, ok := c.allows(list, i); !ok {
			out = append(out, c.units[i].part())
		}
	}
	return out
}

// Outside lists the writes that step 3b asks about.
func Outside(c *Case) []Part {
	c.prepare()
	var out []Part
	for i := range c.units {
		if u := &c.units[i]; c.outside(u) && !c.takesBack(askWrite, question{unit: u}) {
			out = append(out, u.part())
		}
	}
	return out
}

// part is the unit as others see it, without the rules that match it.
func (u *unit) part() Part {
	return Part{Label: u.label(), Sub: u.sub, Effect: u.effect, NeedsAllow: u.needsAllow, Subject: &u.subject}
}

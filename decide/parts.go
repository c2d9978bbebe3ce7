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

package recommend

import (
	"cmp"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/propose"
)

// Wider is a proposal that is one step wider; why says why there is none.
func (x *Search) Wider(p *Proposal) (wider *Proposal, why string, err error) {
	text, why := x.wider(p.of)
	if text == "" {
		return nil, why, nil
	}
	return x.step(p, text)
}

// wider is the rule one step wider, or why there is none.
func (x *Search) wider(c *candidate) (text, why string) {
	switch c.kind {
	case Tool:
		return "", "no rule is wider"
	case Folder:
		text, why = propose.Parent(c.rule.Text)
	default:
		text = c.wider
	}
	if text == "" && x.o.Wide {
		text = c.rule.Tool
	}
	return text, cmp.Or(why, "only a rule for the whole tool is wider: --wide")
}

// Narrower is the exact rule for the most frequent of the calls that a proposal is for.
func (x *Search) Narrower(p *Proposal) (narrower *Proposal, why string, err error) {
	for _, e := range p.of.exacts {
		if !e.picked {
			return x.step(p, e.rule.Text)
		}
	}
	return nil, "no rule is narrower", nil
}

// step is a proposal for another rule in the place of one, with what it adds.
func (x *Search) step(from *Proposal, text string) (*Proposal, string, error) {
	c := x.candidate(text)
	if c == nil || slices.Contains(x.o.Never, text) {
		return nil, text + " is a rule you do not want to be asked about again", nil
	}
	if c.groups == nil {
		x.index([]*candidate{c})
	}
	x.weigh(c)
	if why, err := x.problem(c); why != "" || err != nil {
		return nil, text + " is not proposed: " + why, err
	}
	c.out = ""
	p := x.proposal(c)
	for _, g := range c.groups {
		if g.asks && x.spares(g, c) && !x.spares(g, from.of) {
			p.Adds = addTitle(p.Adds, g)
		}
	}
	return p, "", nil
}

// For returns the calls that a proposal is for, the most frequent first.
func (p *Proposal) For() []*hookio.Call {
	var out []*hookio.Call
	for _, g := range p.of.groups[:min(len(p.of.groups), maxFor)] {
		out = append(out, g.Call)
	}
	return out
}

// maxFor bounds For.
const maxFor = 50

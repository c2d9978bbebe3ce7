package recommend

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// Next returns the rule that spares the most prompts of those that are left, or nil.
func (x *Search) Next() (*Proposal, error) {
	for {
		best := x.best()
		if best == nil {
			return nil, nil
		}
		why, err := x.problem(best)
		if err != nil {
			return nil, err
		}
		if why == "" {
			return x.proposal(best), nil
		}
		best.out = why
	}
}

// Leave does without a proposal from now on.
func (x *Search) Leave(p *Proposal) { p.of.out = "you did not want it" }

// enough is how many hundredths of the prompts a narrower rule has to spare to be preferred.
const enough = 80

// best is the candidate to try next, nil when none spares anything.
func (x *Search) best() *candidate {
	var best *candidate
	for _, c := range x.all {
		if c.open() && c.gain > 0 && (best == nil || c.before(best)) {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	for _, e := range best.exacts {
		if e.open() && e.gain*100 >= best.gain*enough {
			return e
		}
	}
	return best
}

func (c *candidate) open() bool { return c.out == "" && !c.picked }

// before reports whether a candidate is to be tried before another one.
func (c *candidate) before(d *candidate) bool {
	return cmp.Or(cmp.Compare(d.gain, c.gain), cmp.Compare(slices.Index(kinds[:], c.kind), slices.Index(kinds[:], d.kind)),
		cmp.Compare(sessionsOf(d.groups), sessionsOf(c.groups)), cmp.Compare(c.rule.Text, d.rule.Text)) < 0
}

// weigh works out what a candidate spares with those that are picked.
func (x *Search) weigh(c *candidate) {
	c.gain = 0
	for _, g := range c.groups {
		if g.asks && x.spares(g, c) {
			c.gain += g.calls
		}
	}
}

// spares reports whether no one is asked about a group any more with a candidate.
func (x *Search) spares(g *group, c *candidate) bool {
	v := g.with(x.rulesFor(g, c)...)
	return v.Decision() == hookio.Allow && !prompts(v)
}

// rulesFor are the picked rules that match a part of a group, and a candidate.
func (x *Search) rulesFor(g *group, c *candidate) []rules.Rule {
	list := []rules.Rule{c.rule}
	for _, at := range g.parts {
		if p := x.all[at]; p.picked {
			list = append(list, p.rule)
		}
	}
	return list
}

// Take takes a proposal, and weighs again the rules that speak about the same calls.
func (x *Search) Take(p *Proposal) {
	c := p.of
	x.spared += c.gain
	var left []*group
	for _, g := range c.groups {
		if !g.asks {
			continue
		}
		if left = append(left, g); x.spares(g, c) {
			g.asks = false
		}
	}
	c.picked = true
	x.picked = append(x.picked, c)
	again := map[*candidate]bool{}
	for _, g := range left {
		for _, at := range g.parts {
			again[x.all[at]] = true
		}
	}
	for d := range again {
		if d.open() {
			x.weigh(d)
		}
	}
}

// problem says why a candidate is not proposed, "" for nothing.
func (x *Search) problem(c *candidate) (string, error) {
	for _, list := range [...]struct {
		groups []*group
		why    string
	}{
		{x.refused, "it would allow a call that you refused"},
		{x.givenUp, "it would allow a call that was asked about and did not run"},
		{x.settled, "it would allow a call that is asked about before any rule counts"},
		{x.attacked, "it would allow an attack"},
	} {
		for _, g := range list.groups {
			if x.touches(g, c) && x.opens(g, c) {
				return fmt.Sprintf("%s: %s", list.why, g.title()), nil
			}
		}
	}
	if x.o.Lint == nil {
		return "", nil
	}
	texts := []string{}
	for _, p := range x.picked {
		texts = append(texts, p.rule.Text)
	}
	in, err := x.o.Lint(append(texts, c.rule.Text))
	if err != nil {
		return "", err
	}
	if call, does, _ := in.Exploit(&c.rule); call != "" {
		return fmt.Sprintf("it would allow a call that %s: %s", does, call), nil
	}
	if how := in.Redundant(append(texts, c.rule.Text)); how != "" {
		return "one of the rules would do nothing: " + how, nil
	}
	for _, f := range lint.Run(in) {
		if r := ruleAt(in, f.Pos); r == c.rule.Text || slices.Contains(texts, r) {
			return fmt.Sprintf("lint: %s (%s)", f.Text, f.Check.ID), nil
		}
	}
	return "", nil
}

func (x *Search) touches(g *group, c *candidate) bool {
	return slices.Contains(g.parts, c.rule.Pos.Line-1)
}

// opens reports whether a group that was not allowed is with a candidate.
func (x *Search) opens(g *group, c *candidate) bool {
	return g.v.Decision() != hookio.Allow && g.with(x.rulesFor(g, c)...).Decision() == hookio.Allow
}

// ruleAt is the text of the rule in a place of the settings, "" for none.
func ruleAt(in *lint.Input, at rules.Pos) string {
	for _, r := range in.Rules {
		if r.Pos == at {
			return r.Text
		}
	}
	return ""
}

// title is what a group is called in messages, without its secrets.
func (g *group) title() string {
	text, _ := redact.Text(gate.Title(g.Call))
	return text
}

// Wider is a proposal that is one step wider; why says why none exists.
func (x *Search) Wider(p *Proposal) (wider *Proposal, why string, err error) {
	text, why := x.wider(p.of)
	if text == "" {
		return nil, why, nil
	}
	return x.step(p, text)
}

// wider is the rule one step wider, or why none exists.
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

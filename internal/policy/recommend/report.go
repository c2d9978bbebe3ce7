package recommend

import (
	"slices"
	"time"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
)

// A Report is what is recommended. Its JSON is what --json prints.
type Report struct {
	File     string         `json:"file"` // the settings file the rules are meant for
	Read     int            `json:"read"`
	Decided  int            `json:"decided"`
	Skipped  map[string]int `json:"skipped"`
	Sessions int            `json:"sessions"`
	First    time.Time      `json:"first,omitzero"`
	Last     time.Time      `json:"last,omitzero"`
	Prompts  int            `json:"prompts"`
	Settled  map[string]int `json:"settled"` // prompts that no allow rule should end, by step
	Spared   int            `json:"spared"`  // by all proposals
	Rules    []*Proposal    `json:"rules"`
	Rejected []Rejected     `json:"rejected"` // would spare prompts and are not proposed
	Unused   []Unused       `json:"unused"`   // of the rules of File
	Wide     []Wide         `json:"wide"`     // of these too
}

// A Proposal is one rule.
type Proposal struct {
	Rule     string   `json:"rule"`
	Kind     string   `json:"kind"`
	Asked    int      `json:"asked"`    // prompts about calls it matches a part of
	Sessions int      `json:"sessions"` // in which these were
	Spared   int      `json:"spared"`   // with the proposals before it
	Total    int      `json:"total"`    // by it and all before
	Calls    []string `json:"calls"`    // it spares prompts for, the most frequent
	// Others are calls it matches a part of, which are allowed without it, or not even with it.
	Others   map[string]int `json:"others"`
	Examples []string       `json:"examples"`
	Narrower []string       `json:"narrower,omitempty"` // exact rules it replaces, the most frequent
	Wider    string         `json:"wider,omitempty"`    // one step
	Adds     []string       `json:"-"`                  // calls it spares prompts for and the step before it did not

	of *candidate
}

// A Rejected rule is not proposed.
type Rejected struct {
	Rule string `json:"rule"`
	Asks int    `json:"prompts"` // it would spare
	Why  string `json:"why"`
}

// Bounds of what is named.
const (
	maxExamples = 3
	maxRejected = 10
)

// Report is a report without proposals.
func (s *Calls) Report(file string) *Report {
	return &Report{File: file, Read: s.Read, Decided: s.Decided, Skipped: s.Skipped, Sessions: len(s.sessionOf),
		First: s.First, Last: s.Last, Prompts: s.Prompts, Settled: s.Settled,
		Rules: []*Proposal{}, Rejected: []Rejected{}, Unused: []Unused{}, Wide: []Wide{}}
}

// Recommend works out what to propose if everything is taken.
func (s *Calls) Recommend(file string) (*Report, error) {
	x, r := s.Search(), s.Report(file)
	for len(r.Rules) < s.o.Most {
		p, err := x.Next()
		if err != nil {
			return nil, err
		}
		if p == nil {
			break
		}
		x.Take(p)
		r.Rules = append(r.Rules, p)
	}
	r.Spared, r.Rejected = x.spared, x.rejected()
	return r, nil
}

// proposal describes a rule that may be taken.
func (x *Search) proposal(c *candidate) *Proposal {
	p := &Proposal{
		Rule: c.rule.Text, Kind: c.kind, Sessions: sessionsOf(c.groups), Spared: c.gain, Total: x.spared + c.gain,
		Wider: c.wider, Others: map[string]int{}, Examples: []string{}, of: c,
	}
	byCalls(c.groups)
	for _, g := range c.groups {
		p.Asked += g.calls
		if g.asks && x.spares(g, c) {
			p.Calls = addTitle(p.Calls, g)
		}
	}
	slices.SortStableFunc(c.exacts, func(a, b *candidate) int { return b.asked() - a.asked() })
	for _, e := range c.exacts {
		p.Narrower = append(p.Narrower, e.rule.Text)
	}
	x.others(c, p)
	return p
}

// others counts the calls a rule matches without sparing a prompt.
func (x *Search) others(c *candidate, p *Proposal) {
	list := []rules.Rule{c.rule}
	for _, g := range x.order {
		if slices.Contains(c.groups, g) || !meets(g, list) {
			continue
		}
		kind := g.v.Decision().String()
		p.Others[kind] += g.calls
		p.Examples = addTitle(p.Examples, g)
	}
}

// meets reports whether a list has a rule that matches a part of a group.
func meets(g *group, list []rules.Rule) bool {
	return slices.ContainsFunc(g.v.Facts().Parts(), func(part facts.Part) bool {
		return slices.ContainsFunc(g.Policy.Match(list, part.Subject), func(h rules.Hit) bool { return h.Sure })
	})
}

// asked counts the prompts about calls that a candidate matches a part of.
func (c *candidate) asked() (n int) {
	for _, g := range c.groups {
		n += g.calls
	}
	return n
}

// rejected are the candidates that spare the most and are not proposed.
func (x *Search) rejected() []Rejected {
	out := []Rejected{}
	for _, c := range x.all {
		if c.out != "" && c.gain > 0 {
			out = append(out, Rejected{c.rule.Text, c.gain, c.out})
		}
	}
	slices.SortStableFunc(out, func(a, b Rejected) int { return b.Asks - a.Asks })
	return out[:min(len(out), maxRejected)]
}

func byCalls(list []*group) {
	slices.SortStableFunc(list, func(a, b *group) int { return b.calls - a.calls })
}

// addTitle adds what a group is called to examples, as long as there are few.
func addTitle(list []string, g *group) []string {
	if t := g.title(); len(list) < maxExamples && !slices.Contains(list, t) {
		return append(list, t)
	}
	return list
}

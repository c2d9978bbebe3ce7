package recommend

import (
	"slices"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// An Unused is an allow rule that matched no part of a call for some days.
type Unused struct {
	Rule    string    `json:"rule"`
	Place   string    `json:"place"` // file:line:col
	At      rules.Pos `json:"-"`
	LastHit time.Time `json:"lastHit,omitzero"`
	Costs   int       `json:"costs"` // prompts that its removal would have made
	Calls   []string  `json:"calls"` // these
}

// A Wide is an allow rule that is far wider than its use.
type Wide struct {
	Rule     string    `json:"rule"`
	Place    string    `json:"place"`
	At       rules.Pos `json:"-"`
	Calls    int       `json:"calls"`    // that it is needed for
	Narrower []string  `json:"narrower"` // together they do for all of these
}

// Bounds of what counts as far wider than its use.
const (
	maxNarrower = 5  // rules in place of one
	minUses     = 10 // calls that tell what it is used for
)

// Tighten adds to a report what of the allow rules of its file is not used, if the
// records reach back so many days, and what is far wider than its use.
func (s *Calls) Tighten(r *Report, days int, now time.Time) {
	since := now.AddDate(0, 0, -days)
	reach := !s.First.IsZero() && !s.First.After(since)
	for _, rule := range s.ownRules(r.File) {
		used := s.usesOf(&rule)
		last, recent := lastOf(used, since)
		if reach && !recent {
			u := Unused{Rule: rule.Text, Place: rule.Pos.String(), At: rule.Pos, LastHit: last}
			u.Costs, u.Calls = costs(used, &rule)
			r.Unused = append(r.Unused, u)
			continue
		}
		if w := s.narrower(&rule, used); w != nil {
			r.Wide = append(r.Wide, *w)
		}
	}
}

// ownRules are the allow rules of a file, as the calls' policies have them.
func (s *Calls) ownRules(file string) (out []rules.Rule) {
	file = s.world.OS.Canon(file)
	for _, g := range s.order {
		for _, r := range g.Policy.Allow {
			if r.Pos.File == file && !slices.ContainsFunc(out, func(o rules.Rule) bool { return same(&o, &r) }) {
				out = append(out, r)
			}
		}
		if len(out) > 0 {
			break // it is the same file for all
		}
	}
	return out
}

func same(a, b *rules.Rule) bool { return a.Pos == b.Pos && a.Text == b.Text }

// usesOf are the groups that a rule matches a part of.
func (s *Calls) usesOf(r *rules.Rule) (out []*group) {
	for _, g := range s.order {
		if slices.ContainsFunc(g.Hits(), func(h rules.Hit) bool { return same(h.Rule, r) }) {
			out = append(out, g)
		}
	}
	return out
}

// lastOf is when the last call was made, and whether that was after a time. A call
// without a time may have been made just now.
func lastOf(list []*group, since time.Time) (last time.Time, recent bool) {
	for _, g := range list {
		if g.last.After(last) {
			last = g.last
		}
		recent = recent || g.last.IsZero() || !g.last.Before(since)
	}
	return last, recent
}

// without decides a group again without a rule, and with others in its place.
func (g *group) without(r *rules.Rule, others ...rules.Rule) (*decide.Case, decide.Verdict) {
	p := *g.Policy
	p.Allow = slices.DeleteFunc(slices.Clone(p.Allow), func(o rules.Rule) bool { return same(&o, r) })
	p.Allow = append(p.Allow, others...)
	c := g.Under(&p)
	return c, decide.Decide(c)
}

// costs are the prompts that the removal of a rule makes.
func costs(used []*group, r *rules.Rule) (n int, calls []string) {
	for _, g := range used {
		if prompts(g.Case, g.v) {
			continue
		}
		if c, v := g.without(r); prompts(c, v) {
			n += g.calls
			calls = addTitle(calls, g)
		}
	}
	return n, calls
}

// narrower finds the rules that would do in place of one; nil where it is no far
// wider than its use.
func (s *Calls) narrower(r *rules.Rule, used []*group) *Wide {
	w := &Wide{Rule: r.Text, Place: r.Pos.String(), At: r.Pos}
	var list []rules.Rule
	var needed []*group
	for _, g := range used {
		c, v := g.without(r)
		if g.v.Decision != hookio.Allow || v.Decision == hookio.Allow {
			continue
		}
		needed = append(needed, g)
		w.Calls += g.calls
		found, refusal := propose.For(c, v, s.o.Into)
		if refusal != nil {
			return nil
		}
		for i := range found {
			list = s.addNarrower(list, w, &found[i])
		}
		if len(list) > maxNarrower {
			return nil
		}
	}
	if w.Calls < minUses || !s.inPlaceOf(r, list, needed) {
		return nil
	}
	return w
}

// addNarrower adds the stem of a proposal, or its exact rule where it has none.
func (s *Calls) addNarrower(list []rules.Rule, w *Wide, p *propose.Proposal) []rules.Rule {
	text := p.Stem
	if text == "" {
		text = p.Rule
	}
	if slices.Contains(w.Narrower, text) {
		return list
	}
	into := s.o.Into
	r, err := rules.ParseRule(text, rules.Allow, into.Scope, rules.Pos{File: mark}, into.Claude)
	if err == nil {
		w.Narrower = append(w.Narrower, text)
		list = append(list, r)
	}
	return list
}

// inPlaceOf reports whether rules are narrower than one, and do for all calls it is
// needed for.
func (s *Calls) inPlaceOf(r *rules.Rule, list []rules.Rule, needed []*group) bool {
	for i := range list {
		p := needed[0].Policy
		if !p.Covers(r, &list[i]) || p.Covers(&list[i], r) {
			return false
		}
	}
	for _, g := range needed {
		if _, v := g.without(r, list...); v.Decision != hookio.Allow {
			return false
		}
	}
	return len(list) > 0
}

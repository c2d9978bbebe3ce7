package recommend

import (
	"slices"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// An Unused is an allow rule that matched no part of a call for some days.
type Unused struct {
	Rule    string    `json:"rule"`
	Place   string    `json:"place"` // file:line:col
	At      rules.Pos `json:"-"`
	LastHit time.Time `json:"lastHit,omitzero"`
	Costs   int       `json:"costs"` // calls that were allowed and would not be without it and the unused rules before it
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

// A tightening is the rules found to go and those in their place, with which the next is judged.
type tightening struct {
	*Calls
	gone, more []rules.Rule
}

// Tighten adds which allow rules of the report's file are unused (over so many days), or too wide.
func (s *Calls) Tighten(r *Report, days int, now time.Time) {
	t := &tightening{Calls: s}
	since := now.AddDate(0, 0, -days)
	reach := !s.First.IsZero() && !s.First.After(since)
	var rest []rules.Rule
	for _, rule := range s.ownRules(r.File) {
		used := s.usesOf(&rule)
		last, recent := lastOf(used, since)
		if !reach || recent {
			rest = append(rest, rule)
			continue
		}
		u := Unused{Rule: rule.Text, Place: rule.Pos.String(), At: rule.Pos, LastHit: last}
		u.Costs, u.Calls = t.costs(used, rule)
		r.Unused = append(r.Unused, u)
		t.gone = append(t.gone, rule)
	}
	for _, rule := range rest {
		if w, list := t.narrower(rule); w != nil {
			r.Wide = append(r.Wide, *w)
			t.gone, t.more = append(t.gone, rule), append(t.more, list...)
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

// same reports whether two rules go together: a file may have one twice.
func same(a, b *rules.Rule) bool { return a.Pos.File == b.Pos.File && a.Text == b.Text }

// usesOf are the groups that a rule matches a part of.
func (s *Calls) usesOf(r *rules.Rule) (out []*group) {
	for _, g := range s.order {
		if slices.ContainsFunc(g.v.Facts().Hits(), func(h rules.Hit) bool { return same(h.Rule, r) }) {
			out = append(out, g)
		}
	}
	return out
}

// lastOf is the time of the last call, and whether it is after one. Without a time it may be now.
func lastOf(list []*group, since time.Time) (last time.Time, recent bool) {
	for _, g := range list {
		if g.last.After(last) {
			last = g.last
		}
		recent = recent || g.undated || !g.last.Before(since)
	}
	return last, recent
}

// without decides a group again without what goes and further rules.
func (t *tightening) without(g *group, list ...rules.Rule) decide.Verdict {
	return t.instead(g, list, nil)
}

// instead decides a group again with others in the place of rules.
func (t *tightening) instead(g *group, gone, others []rules.Rule) decide.Verdict {
	gone = append(slices.Clip(t.gone), gone...)
	p := *g.Policy
	p.Allow = slices.DeleteFunc(slices.Clone(p.Allow), func(o rules.Rule) bool {
		return slices.ContainsFunc(gone, func(r rules.Rule) bool { return same(&o, &r) })
	})
	p.Allow = append(append(p.Allow, t.more...), others...)
	return decide.Decide(g.Under(&p))
}

// costs are the calls that are allowed and are not any more without a rule.
func (t *tightening) costs(used []*group, r rules.Rule) (n int, calls []string) {
	calls = []string{}
	for _, g := range used {
		if t.without(g).Decision() == hookio.Allow && t.without(g, r).Decision() != hookio.Allow {
			n += g.calls
			calls = addTitle(calls, g)
		}
	}
	return n, calls
}

// narrower finds the rules that would do in place of one, nil where it is not far too wide.
func (t *tightening) narrower(r rules.Rule) (w *Wide, list []rules.Rule) {
	w = &Wide{Rule: r.Text, Place: r.Pos.String(), At: r.Pos}
	var needed []*group
	for _, g := range t.usesOf(&r) {
		v := t.without(g, r)
		if g.v.Decision() != hookio.Allow || v.Decision() == hookio.Allow {
			continue
		}
		needed = append(needed, g)
		w.Calls += g.calls
		found, refusal := propose.For(v, t.o.Into)
		if refusal != nil {
			return nil, nil
		}
		for i := range found {
			list = t.addNarrower(list, w, &found[i])
		}
		if len(list) > maxNarrower {
			return nil, nil
		}
	}
	if w.Calls < minUses || !t.inPlaceOf(r, list, needed) {
		return nil, nil
	}
	return w, list
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

// inPlaceOf reports whether rules are narrower than one, and do for all calls that need it.
func (t *tightening) inPlaceOf(r rules.Rule, list []rules.Rule, needed []*group) bool {
	for i := range list {
		p := algebra.Of(needed[0].Policy)
		if !p.Covers(&r, &list[i]) || p.Covers(&list[i], &r) {
			return false
		}
	}
	for _, g := range needed {
		if t.instead(g, []rules.Rule{r}, list).Decision() != hookio.Allow {
			return false
		}
	}
	return len(list) > 0
}

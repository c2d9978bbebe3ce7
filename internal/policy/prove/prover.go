package prove

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// maxTries is how many calls are decided for one rule.
const maxTries = 50

// maxDecided is how many calls are remembered.
const maxDecided = 200

// usualBudget is how many states a search visits.
const usualBudget = 400_000

// A prover works on one job. Its sides are the policy and the other one, in this order;
// where there is no other one, both are the same.
type prover struct {
	job     *Job
	sides   [2]*side
	book    *book
	report  *Report
	carried []string             // see carriers
	hunts   []*hunt              // that found nothing yet
	swapped bool                 // the sides are, so that what is found is stricter
	decided map[string][2]answer // see answers
}

func (p *prover) budget() int { return cmp.Or(p.job.Budget, usualBudget) }

// looser looks for calls that the first side answers laxer than the second.
func (p *prover) looser() {
	p.book = &book{at: map[spelling]*entry{}}
	for i, s := range p.sides {
		p.book.read(i, s)
	}
	p.book.share()
	p.spell()
	for _, g := range p.groups() {
		p.looked(g)
		if g.levels[0] != g.levels[1] || differs(g.variants) {
			p.compile(g)
			p.settingsOf(g)
		}
		for _, part := range g.parts() {
			p.compile(part)
			for _, i := range part.loosened() {
				p.rule(part, i)
			}
			p.others()
			part.drop()
		}
	}
	for _, g := range p.acrossOnly() {
		p.compile(g)
		for _, i := range g.loosened() {
			if r := &g.rules[i]; r.why == "" {
				p.across(g, r)
			}
		}
	}
	p.keys()
}

// differs reports whether the sides say different things of calls that no rule is about.
func differs(list []variant) bool {
	return slices.ContainsFunc(list, func(v variant) bool { return v.base[0] != v.base[1] })
}

func (p *prover) looked(g *group) {
	for _, tool := range g.tools {
		if name := shownTool(tool); !slices.Contains(p.report.Tools, name) {
			p.report.Tools = append(p.report.Tools, name)
		}
	}
}

// laxer reports whether a text that lists match may be answered laxer by the first side.
func (g *group) laxer(l automaton.Lists) bool {
	return slices.ContainsFunc(g.variants, func(v variant) bool { return g.gap(l, &v) > 0 })
}

// gap is how much laxer the first side answers.
func (g *group) gap(l automaton.Lists, v *variant) int {
	l |= v.extra
	return g.levels[1].rank(l, 1, v) - g.levels[0].rank(l, 0, v)
}

// caused reports whether it is one rule that has a text answered laxer: without its change
// it would not be, or by its change alone it would be.
func (g *group) caused(r *governing, f *automaton.Found) bool {
	var others, alike, own automaton.Lists
	for _, at := range f.Patterns {
		switch {
		case !slices.Contains(r.patterns, at):
			others |= g.patterns[at].Lists
			alike |= common(g.patterns[at].Lists)
		case at < r.patterns[0]+r.sures(): // in front of those that may match
			own = r.sure
		case own == 0:
			own = r.maybe
		}
	}
	return slices.ContainsFunc(g.variants, func(v variant) bool {
		gap := g.gap(others|own, &v)
		return gap > max(0, g.gap(others|common(own), &v)) || gap > 0 && g.gap(alike|own, &v) > 0
	})
}

// sures is how many patterns match for certain.
func (r *governing) sures() int {
	n := len(r.lang.Sure)
	if r.lang.All {
		n++
	}
	return n
}

// A search is one of a group, made when it is needed.
type search func() *automaton.Prepared

// searches are those of a group: of texts that are wholly known first, which say more to
// people.
func (p *prover) searches(g *group, patterns []automaton.Pattern) []search {
	of := func(u automaton.Universe) search {
		return sync.OnceValue(func() *automaton.Prepared {
			s := &automaton.Search{Universe: u, Patterns: patterns, Budget: p.budget(),
				Wanted: func(automaton.Lists) bool { return false }}
			return s.Prepare()
		})
	}
	u := p.universe(g)
	if u, ok := u.(literalFirst); ok && !u.whole {
		return []search{of(literalFirst{u.Universe, true}), of(u)}
	}
	return []search{of(u)}
}

// apart are the searches of a group in which one rule is kept apart from the others, so
// that what it matches for certain is nothing that it may match. That makes a difference
// under bypass alone, where a rule asks about what it may match, and not about what it
// matches.
func (p *prover) apart(g *group, r *governing) ([]search, func(automaton.Lists) bool) {
	if !g.levels[1].bypass || r.sure&(bitAsk<<sideBits) == 0 {
		return g.searches, g.laxer
	}
	list := slices.Clone(g.patterns)
	for n, at := range r.patterns {
		if list[at].Lists = bitOwnMaybe; n < r.sures() {
			list[at].Lists = bitOwn
		}
	}
	return p.searches(g, list), func(l automaton.Lists) bool {
		switch {
		case l&bitOwn != 0:
			l |= r.sure
		case l&bitOwnMaybe != 0:
			l |= r.maybe
		}
		return g.laxer(l)
	}
}

// run looks at the texts of a rule, or with nil at all, in one search after the other
// until one is found.
func (h *hunt) run(searches []search, wanted func(automaton.Lists) bool, found func(automaton.Found) bool) {
	h.complete = true
	for _, s := range searches {
		if s := s().With(wanted); h.r == nil {
			h.complete = s.Run(found)
		} else {
			h.complete = s.RunFor(h.r.patterns, found)
		}
		if h.found != nil {
			return
		}
	}
}

// rule looks for the shortest call that a rule has answered laxer.
func (p *prover) rule(g *group, i int) {
	r := &g.rules[i]
	if r.why != "" {
		return
	}
	h := &hunt{p: p, g: g, r: r}
	searches, wanted := p.apart(g, r)
	h.run(searches, wanted, func(f automaton.Found) bool {
		if !g.caused(r, &f) {
			h.rest = append(h.rest, f.Text)
			return len(h.rest) < maxTries
		}
		return !h.try(f.Text)
	})
	if r.lang.All && kindOf(g.tool()) == commands && h.found == nil && g.bareOnly() {
		h.tryText(noCommand, false)
	}
	if h.found == nil {
		p.hunts = append(p.hunts, h)
		return
	}
	h.end()
}

// others looks at the texts of rules for which nothing was found but what another rule is
// responsible for as well.
func (p *prover) others() {
	for _, h := range p.hunts {
		for n := 0; n < len(h.rest) && !h.met() && h.found == nil; n++ {
			if h.known = h.known || p.known(h.g, h.rest[n]); h.known {
				break
			}
			h.try(h.rest[n])
		}
		h.end()
	}
	p.hunts = nil
}

// noCommand is a shell text without any command. Rules with a pattern speak of none.
const noCommand = "#"

// bareOnly reports whether a text of which only rules without a pattern speak may be
// answered laxer.
func (g *group) bareOnly() bool {
	var l automaton.Lists
	for i := range g.rules {
		if g.rules[i].lang.All {
			l |= g.rules[i].sure
		}
	}
	return g.laxer(l)
}

// known reports whether a text was reported for another rule.
func (p *prover) known(g *group, text []automaton.Symbol) bool {
	s := written(text)
	return slices.ContainsFunc(p.report.Findings, func(f Finding) bool {
		return f.Text == s && slices.Contains(g.tools, f.Tool)
	})
}

// open notes what keeps a rule from being decided upon.
func (p *prover) open(g *group, r *governing, why string) {
	rule, _ := p.blamed(r.entry)
	p.report.Open = append(p.report.Open, Open{Tool: shownTool(g.tool()), Rule: rule.Text, Place: rule.Pos.String(), Why: why})
}

// blamed is the rule that a finding names, and whether it is of the other policy only.
func (p *prover) blamed(e *entry) (r *rules.Rule, gone bool) {
	now := of(0, e.sure|e.maybe)
	if was := of(1, e.sure|e.maybe); e.rule[1] != nil && now&^was&grantBits == 0 {
		return e.rule[1], !p.swapped
	}
	return e.rule[0], p.swapped
}

func (h *hunt) met() bool { return h.tries >= maxTries }

// end adds what a hunt found, or says why nothing is known.
func (h *hunt) end() {
	if h.found == nil && !h.known && !h.bare {
		h.last()
	}
	switch {
	case h.found != nil:
		h.p.report.Findings = append(h.p.report.Findings, *h.found)
	case !h.complete, len(h.texts) > 0 && !h.known:
		h.p.open(h.g, h.r, h.reason())
	case h.p.job.Claim != Always:
		h.p.across(h.g, h.r)
		h.p.fields(h.g, h.r)
	}
}

// last tries what is left to be tried.
func (h *hunt) last() {
	if h.complete && len(h.texts) > 0 {
		h.more()
	}
	if h.found == nil {
		h.otherwise()
	}
	if h.found == nil && len(h.texts) > 0 {
		h.pastAsked()
	}
}

// otherwise tries calls that no search knows: what a rule names that lifts questions, the
// very text of one that asks, and what another command runs.
func (h *hunt) otherwise() {
	switch r := h.r.entry.any(); {
	case h.p.job.Claim == Always:
	case r.List == rules.Allow:
		h.lifted()
	case kindOf(h.g.tool()) != commands:
	case !h.tryText(strings.TrimSuffix(strings.TrimSuffix(r.Pattern, "*"), ":"), true):
		h.wrapped()
	}
}

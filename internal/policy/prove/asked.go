package prove

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
)

// pastAsked looks again where the edits that were found are asked about by both sides
// whatever the rules say: for one that is not.
func (h *hunt) pastAsked() {
	p := h.p
	g, ok := p.withAsked(h.g)
	if !ok || p.job.Claim == Always {
		return
	}
	searches, wanted := p.apart(g, h.r)
	if p.job.Claim == Never {
		searches, wanted = g.searches, g.refuted(Never)
	}
	again := &hunt{p: p, g: g, r: h.r}
	again.run(searches, wanted, func(f automaton.Found) bool {
		if p.job.Claim != Never && !g.caused(h.r, &f) && p.known(g, f.Text) {
			h.known = true
			return true
		}
		return !again.try(f.Text)
	})
	if again.complete {
		h.complete, h.texts = true, again.texts
	}
	h.found, h.trial = again.found, again.trial
}

// withAsked is a group with the paths that step 2 asks about. Mode plan lets some of them
// pass that only the program that calls knows.
func (p *prover) withAsked(g *group) (*group, bool) {
	if !rules.EditTool(g.tool()) {
		return nil, false
	}
	own := *g
	own.patterns = slices.Clone(g.patterns)
	for i, s := range p.sides {
		a, ok := p.told(s, stripped(s.policy), g.tool(), s.policy.Cwd.Given+"/.git/xyzzy")
		l := &own.levels[i]
		l.asks = ok && a.v.Origin == "2" && a.told == l.immune && s.policy.Mode.Value != "plan"
		if !l.asks {
			return nil, false
		}
	}
	for _, path := range p.sides[0].sample.AskedPaths() {
		as, l := rules.Allow, bitAsked
		switch path.Answer {
		case decide.AskedUnless:
			l = bitAskedUnless
		case decide.Unasked:
			as, l = rules.Deny, bitExempt // read in every spelling
		}
		list := p.paths(path.Pattern, as)
		for _, m := range list {
			own.patterns = append(own.patterns, automaton.Pattern{Machine: m, Lists: l})
		}
		if len(list) == 0 {
			return nil, false
		}
	}
	own.searches = p.searches(&own, own.patterns)
	return &own, true
}

// paths are the paths that a pattern of a rule matches; nil where it cannot be written down.
func (p *prover) paths(pattern string, as rules.List) []*automaton.Machine {
	r, err := rules.ParseRule("Edit("+pattern+")", as, rules.Managed, rules.Pos{}, false)
	lang, why := p.sides[0].policy.LanguageOf(&r, "Edit")
	if err != nil || why != "" {
		return nil
	}
	return lang.Sure
}

// asksAnyway reports whether step 2 asks about a path whatever the rules say.
func (l *levels) asksAnyway(lists automaton.Lists) bool {
	return l.asks && (lists&bitAsked != 0 || lists&bitAskedUnless != 0 && lists&bitExempt == 0)
}

// namesOne reports whether an allow rule names one thing. Such a rule lifts questions that
// no other rule does, by the scope it has: about what is destructive, and about secrets.
func namesOne(r *rules.Rule) bool {
	return r.List == rules.Allow && !r.Bare && !strings.ContainsAny(r.Pattern, "*?[")
}

// lifted tries what a rule names that the first side alone has.
func (h *hunt) lifted() {
	r, p := h.r.rule[0], h.p.sides[0].policy
	if r == nil || h.r.rule[1] != nil || !namesOne(r) {
		return
	}
	switch kindOf(h.g.tool()) {
	case commands:
		if !h.tryText(r.Pattern, true) {
			h.tryText("cd "+rules.Quote(p.Project.Given)+" && "+r.Pattern, true)
		}
	case files:
		if p.Posture.Secrets.Value == "ask" || p.AutoRestricts() {
			h.liftedFiles()
		}
	}
}

// liftedFiles tries the file that a rule names.
func (h *hunt) liftedFiles() {
	every := func(automaton.Lists) bool { return true }
	h.g.searches[0]().With(every).RunFor(h.r.patterns, func(f automaton.Found) bool {
		name, only := written(f.Text), h.p.job.Tool
		shell := only != "" && kindOf(only) == commands
		if !shell && h.tryText(name, true) || !shell && only != "" {
			return false
		}
		for _, text := range h.touching(name) {
			if h.tryCall(trialOf(h.p.shell(), text), false) {
				break
			}
		}
		return false
	})
}

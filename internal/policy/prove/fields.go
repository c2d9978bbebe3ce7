package prove

import (
	"slices"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// fields looks for calls that a rule on a field of the input, Tool(param:value), has
// answered laxer. Such a rule restricts whatever the tool is called on, so that calls
// which are allowed otherwise are tried with that field.
func (p *prover) fields(g *group, r *governing) {
	h := &hunt{p: p, g: g, r: r, bare: true, complete: true}
	for i := range r.lang.Fields {
		name := r.lang.Fields[i].Name
		if !fieldOf(g.tool(), name) {
			continue
		}
		value, was := p.value(g, r, i)
		if was == allow {
			continue
		}
		laxest := deny
		for _, text := range p.calls(g) {
			t := trialOf(g.tool(), text, field{name, value})
			if h.tryCall(t, true) {
				p.report.Findings = append(p.report.Findings, *h.found)
				return
			}
			if a, ok := p.told(p.sides[0], p.sides[0].policy, g.tool(), text); ok {
				laxest = min(laxest, a.told)
			}
		}
		if laxest < was && h.why != "" {
			p.open(g, r, h.why)
		}
	}
}

// fieldOf reports whether calls of a tool may have a field. Those of commands are known:
// Bash(git:*) is about git, and no field.
func fieldOf(tool, name string) bool {
	if kindOf(tool) != commands {
		return true
	}
	switch name {
	case "description", "timeout", "run_in_background", "dangerouslyDisableSandbox":
		return true
	}
	return false
}

// value is the shortest value of a field that the rules of the other side are stricter
// about, and what these say of it; allow for none. Never is about values that no rule restricts.
func (p *prover) value(g *group, r *governing, field int) (string, int) {
	own := &r.lang.Fields[field]
	s := &automaton.Search{Universe: unmarked{p.sides[0].policy.Universe("Skill")}, Budget: p.budget()}
	for i := range g.rules {
		for _, f := range g.rules[i].lang.Fields {
			if f.Name == own.Name {
				s.Patterns = append(s.Patterns, automaton.Pattern{Machine: f.Value, Lists: g.rules[i].sure})
			}
		}
	}
	only := slices.IndexFunc(s.Patterns, func(q automaton.Pattern) bool { return q.Machine == own.Value })
	answers := func(l automaton.Lists) (now, was int) {
		v := variant{}
		a, done := g.levels[0].strict(of(0, l)|bitInside, l|g.levels[0].require, 0, &v)
		b, had := g.levels[1].strict(of(1, l)|bitInside, l|g.levels[1].require, 1, &v)
		if !done && of(0, l)&bitAsk != 0 {
			a = g.levels[0].ask
		}
		if p.job.Claim == Never {
			return a, silence
		}
		if !had && of(1, l)&bitAsk != 0 {
			b = g.levels[1].ask
		}
		return a, b
	}
	s.Wanted = func(l automaton.Lists) bool {
		now, was := answers(l)
		return now < was
	}
	out, strictest := "", allow
	complete := s.Prepare().RunFor([]int{only}, func(f automaton.Found) bool {
		out = written(f.Text)
		_, strictest = answers(f.Lists)
		return false
	})
	if !complete {
		p.open(g, r, tooMany())
	}
	return out, strictest
}

// calls are texts of calls of a group that may be allowed.
func (p *prover) calls(g *group) []string {
	out := samples(g.tool(), p.sides[0].policy.Cwd.Given)
	for i := range g.rules {
		r := &g.rules[i]
		if of(0, r.sure)&bitAllow == 0 || len(r.patterns) == 0 || len(out) > maxTries/2 {
			continue
		}
		p.first(g, r, func(text string) { out = append(out, text) })
	}
	return out
}

// first hands on the shortest text that an allow rule allows.
func (p *prover) first(g *group, r *governing, take func(string)) {
	wanted := func(l automaton.Lists) bool { return g.levels[0].rank(l, 0, &variant{base: [2]int{deny, deny}}) < ask }
	g.searches[0]().With(wanted).RunFor(r.patterns, func(f automaton.Found) bool {
		take(written(f.Text))
		return false
	})
}

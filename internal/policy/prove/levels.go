package prove

import (
	"slices"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
)

// outside is a path that is in no workspace.
const outside = "/xyzzy/plugh"

// calibrate finds out what a program is told of calls of a tool by each list, and by none.
func (p *prover) calibrate(g *group) {
	tool := g.tool()
	seen := map[[2]int]bool{}
	for i, s := range p.sides {
		g.levels[i] = p.levelsOf(s, tool)
	}
	for _, text := range samples(tool, p.sides[0].policy.Cwd.Given) {
		var v variant
		decided := true
		for i, s := range p.sides {
			a, ok := p.told(s, stripped(s.policy), tool, text)
			decided = decided && ok && byMode(a.v.Origin)
			v.base[i] = a.told
		}
		if !decided || seen[v.base] {
			continue
		}
		seen[v.base] = true
		g.variants = append(g.variants, v)
	}
	if rules.EditTool(tool) {
		g.either(func(v *variant) { v.is |= bitSystem })
		if p.runs() {
			g.either(func(v *variant) { v.is |= bitRun })
		}
	}
	if len(p.temporary(g)) > 0 {
		g.either(func(v *variant) { v.temp = true })
	}
	if g.levels[0].bypass || g.levels[1].bypass {
		g.either(func(v *variant) { v.doubt = true })
	}
}

// byMode reports whether a step decides about calls that no rule is about.
func byMode(step string) bool { return step != "1" && step != "2" && step != "3b" }

// either adds to each variant another that differs in what is not known.
func (g *group) either(change func(*variant)) {
	for _, v := range slices.Clone(g.variants) {
		change(&v)
		g.variants = append(g.variants, v)
	}
}

// told decides the call of a tool on a text under a policy.
func (p *prover) told(s *side, policy *rules.Policy, tool, text string) (answer, bool) {
	call, err := trialOf(tool, text).call(p.job.Flags, p.job.Bind)
	if err != nil {
		return answer{}, false
	}
	return s.under(policy, call), true
}

// levelsOf are the levels of one side.
func (p *prover) levelsOf(s *side, tool string) levels {
	text := samples(tool, s.policy.Cwd.Given)[0]
	with := func(change func(q *rules.Policy, tool string)) int {
		t := trialOf(tool, text)
		q := stripped(s.policy)
		change(q, t.tool)
		a, _ := p.told(s, q, tool, text)
		return a.told
	}
	l := levels{
		managed: with(func(q *rules.Policy, tool string) { q.Deny = bare(tool, rules.Deny, rules.Managed) }),
		deny:    with(func(q *rules.Policy, tool string) { q.Deny = bare(tool, rules.Deny, rules.User) }),
		immune:  with(func(q *rules.Policy, tool string) { q.Ask = bare(tool, rules.Ask, rules.Managed) }),
		ask:     with(func(q *rules.Policy, tool string) { q.Ask = bare(tool, rules.Ask, rules.User) }),
		auto:    with(func(q *rules.Policy, tool string) { q.Auto.Allow = bare(tool, rules.Allow, rules.User) }),
		allow: with(func(q *rules.Policy, tool string) {
			q.Allow = bare(tool, rules.Allow, rules.User)
			if q.Agent != nil {
				q.Agent.Granted = q.Allow
			}
		}),
	}
	pol := s.policy
	edit, file := rules.EditTool(tool), kindOf(tool) == files
	l.bypass = pol.Mode.Value == "bypassPermissions" && !decide.NeedsUser(tool)
	l.places, l.fence = file && pol.Posture.OutsideReads.Value == "ask", file && pol.FenceRead.On()
	if edit {
		l.places, l.fence = true, pol.FenceWrite.On()
	}
	l.urls = tool == "WebFetch" && pol.Posture.URLsSet.Pos.File != ""
	l.managedURLs = l.urls && pol.Posture.URLsSet.Scope == rules.Managed
	if a, ok := p.told(s, stripped(pol), tool, pol.Cwd.Given+"/Makefile"); ok && edit {
		l.run = a.told
	}
	if a, ok := p.told(s, stripped(pol), tool, outside); ok && l.places {
		l.outside = a.told
	}
	if a, ok := p.told(s, stripped(pol), tool, "touch "+outside); ok && kindOf(tool) == commands {
		l.outside = a.told
	}
	l.required(s, tool)
	return l
}

// required finds which lists of tools have to cover calls of a tool.
func (l *levels) required(s *side, tool string) {
	p := s.policy
	name := kindOf(tool) == toolNames
	need := func(list []rules.Rule, bit automaton.Lists, otherwise bool) {
		named := false
		for i := range list {
			named = named || name || (&entry{rule: [2]*rules.Rule{&list[i]}}).governs(tool)
		}
		if named {
			l.require |= bit
		} else if otherwise || len(list) == 0 {
			l.excluded = true
		}
	}
	if p.HasTools {
		need(p.Tools, bitTools, true)
	}
	if a := p.Agent; a != nil {
		if a.HasTools {
			need(a.Tools, bitAgentTools, true)
		}
		if a.HasAllow {
			need(a.Allow, bitAgentAllow, !rules.SafeTool(tool))
		}
	}
	if a := p.Skill; a != nil && a.HasAllow {
		need(a.Allow, bitSkillAllow, !rules.SafeTool(tool))
	}
}

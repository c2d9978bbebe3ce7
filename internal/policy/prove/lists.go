package prove

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// lists looks at what settings list besides rules: folders, names, files that cannot be
// used, and the parts of mode auto.
func (p *prover) lists() {
	now, was := p.sides[0].policy, p.sides[1].policy
	p.dirs(now)
	p.gone(was)
	for _, s := range now.Posture.Rebuildable {
		known := func(o rules.Setting) bool { return o.Value == s.Value }
		if !slices.ContainsFunc(was.Posture.Rebuildable, known) {
			p.unshown("rebuildable", s.Pos.String(), s.Value+" is new there")
		}
	}
	closed := func(f rules.Fault) bool { return f.Closed }
	if slices.ContainsFunc(was.Faults, closed) && !slices.ContainsFunc(now.Faults, closed) {
		p.unshown("settings", "", "a file of the other policy cannot be used, so that it allows nothing")
	}
	for list := range rules.AutoKeys {
		p.builtIn(list)
	}
}

// builtIn looks at a built-in list of mode auto that counts for one side only, by its examples.
func (p *prover) builtIn(list int) {
	grants := list == rules.AutoAllow
	if now := p.sides[0].builtIn(list); now == p.sides[1].builtIn(list) || now != grants {
		return
	}
	var tools, texts []string
	for i := range auto.Defaults {
		for _, call := range auto.Defaults[i].Hits {
			if tool, text, _ := strings.Cut(call, " "); auto.Defaults[i].List == list {
				tools, texts = append(tools, tool), append(texts, text)
			}
		}
	}
	h := p.witness(tools, texts)
	if h.found == nil {
		p.unshown("autoMode", "", "its built-in list "+rules.AutoKeys[list].Name+" counts otherwise")
		return
	}
	if p.blame(h); !p.reported(h.found) {
		p.report.Findings = append(p.report.Findings, *h.found)
	}
}

// builtIn reports whether a built-in list of mode auto counts for a side.
func (s *side) builtIn(list int) bool {
	in, _ := auto.InForce(s.sample.Facts(), list)
	if list == rules.AutoAllow {
		return in && s.policy.Mode.Value == "auto"
	}
	return in && s.policy.AutoRestricts()
}

// dirs looks at additional folders that only the first side has.
func (p *prover) dirs(now *rules.Policy) {
	if p.sides[0].sample.Facts().Strict() {
		return
	}
	for i := range now.Dirs {
		d := &now.Dirs[i]
		if p.sides[1].holds(d) {
			continue
		}
		h := p.witness(p.uses(d.Path.Given))
		why := ""
		if h.found == nil {
			h, why = p.searchDir()
		}
		switch f := h.found; {
		case f != nil:
			f.List, f.Gone = "", p.swapped
			f.Rule, f.Place, f.Scope = "additionalDirectories", d.Pos.String(), d.Scope.String()
			p.report.Findings = append(p.report.Findings, *f)
		case why != "":
			p.report.Open = append(p.report.Open, Open{Rule: "additionalDirectories", Place: d.Pos.String(),
				Why: d.Path.Given + " is new there: " + why})
		}
	}
}

// gone looks at folders that only the other side has: where a temporary one is no part of the workspace,
// mode auto does not ask about the files in it that are run.
func (p *prover) gone(was *rules.Policy) {
	for i := range was.Dirs {
		d := &was.Dirs[i]
		if !p.runs() || p.sides[0].holds(d) || p.sides[1].sample.Facts().Strict() {
			continue
		}
		file := d.Path.Given + "/Makefile"
		if f := p.witness([]string{"Edit", "Bash"}, []string{file, "touch " + grammar.Quote(file)}).found; f != nil {
			f.Gone, f.Rule, f.Place, f.Scope = !p.swapped, "additionalDirectories", d.Pos.String(), d.Scope.String()
			p.report.Findings = append(p.report.Findings, *f)
		}
	}
}

// holds reports whether all that is at or below a folder is in the workspace of a side.
func (s *side) holds(d *rules.Dir) bool {
	roots := []rules.Path{s.policy.Cwd, s.policy.Project}
	for i := range s.policy.Dirs {
		if !s.sample.Facts().Strict() {
			roots = append(roots, s.policy.Dirs[i].Path)
		}
	}
	within := func(dir string) bool {
		return slices.ContainsFunc(roots, func(r rules.Path) bool { return rules.Within(dir, r.Given) || rules.Within(dir, r.Real) })
	}
	return within(d.Path.Given) && within(d.Path.Real)
}

// uses are calls that a folder may make a difference to: which file tools and commands
// read and write there, source from there, or which repository they change.
func (p *prover) uses(dir string) (tools, texts []string) {
	file := dir + "/xyzzy"
	tools, texts = []string{"Edit", "Read"}, []string{file, file}
	file = grammar.Quote(file)
	commands := []string{"touch " + file, "cat " + file}
	for _, text := range p.carriers() {
		commands = append(commands, text+" > "+file)
	}
	for _, text := range append(commands, "source "+file, "git -C "+grammar.Quote(dir)+" add xyzzy") {
		tools, texts = append(tools, "Bash"), append(texts, text)
	}
	return tools, texts
}

// searchDir looks for a call on a file that is answered laxer where it is in the
// workspace of the first side alone. why says what keeps calls from being looked at.
func (p *prover) searchDir() (h *hunt, why string) {
	for _, g := range p.groups() {
		switch kindOf(g.tool()) {
		case commands:
			if !p.idle(g) {
				why = "whether it loosens what a command does there depends on more than rules, and none that was tried is " +
					"answered otherwise. permgate check decides one command, and --tool Edit looks at edits alone"
			}
		case files:
			p.compile(g)
			h = &hunt{p: p, g: g}
			h.run(g.searches, g.opened, h.goOn)
			switch {
			case h.found != nil:
				return h, ""
			case !h.complete, len(h.texts) > 0:
				why = h.reason()
			case p.heldElsewhere():
				why = "files there may be asked about for other reasons than rules. permgate check --tool Edit decides one call"
			}
		}
	}
	return &hunt{}, why
}

// opened reports whether a text is answered laxer that is in the workspace of the first
// side alone.
func (g *group) opened(l automaton.Lists) bool {
	return of(0, l)&bitInside != 0 && of(1, l)&bitInside == 0 && g.laxer(l)
}

// idle reports whether no command can be answered laxer because of where it works: the
// first side allows none and is silent about none, and the second denies none for its
// place. Or the first denies all.
func (p *prover) idle(g *group) bool {
	runs := p.sides[1].policy.FenceRead.On() || p.sides[1].policy.FenceWrite.On() || len(g.variants) == 0
	for i := range g.variants {
		runs = runs || g.variants[i].base[0] < ask
	}
	for i := range g.rules {
		r := &g.rules[i]
		says := of(0, r.sure)
		if says&bitDeny != 0 && r.rule[0].Bare && g.levels[0].deny == deny {
			return true
		}
		runs = runs || says&grantBits != 0
	}
	return !runs
}

// heldElsewhere reports whether more is asked about outside the workspace than searches
// know: what grants that do not count are about.
func (p *prover) heldElsewhere() bool {
	was := p.sides[1].policy
	return len(was.Untrusted) > 0 || len(was.Dropped) > 0
}

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
			decided = decided && ok && byMode(a.v.Origin())
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
	l.bypass = pol.Mode.Value == "bypassPermissions" && !facts.NeedsUser(tool)
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
	for i := range p.Tools {
		if l.tools |= bitTools << i; !name && !facts.NamesTool(p.Tools[i].Rules, tool) {
			l.excluded = true
		}
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

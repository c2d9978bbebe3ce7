package prove

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
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
	for i := range decide.AutoDefaults {
		for _, call := range decide.AutoDefaults[i].Hits {
			if tool, text, _ := strings.Cut(call, " "); decide.AutoDefaults[i].List == list {
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
	in, _ := s.sample.AutoInForce(list)
	if list == rules.AutoAllow {
		return in && s.policy.Mode.Value == "auto"
	}
	return in && s.policy.AutoRestricts()
}

// dirs looks at additional folders that only the first side has.
func (p *prover) dirs(now *rules.Policy) {
	if !p.sides[0].sample.Inherits() {
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
		if !p.runs() || p.sides[0].holds(d) || !p.sides[1].sample.Inherits() {
			continue
		}
		file := d.Path.Given + "/Makefile"
		if f := p.witness([]string{"Edit", "Bash"}, []string{file, "touch " + rules.Quote(file)}).found; f != nil {
			f.Gone, f.Rule, f.Place, f.Scope = !p.swapped, "additionalDirectories", d.Pos.String(), d.Scope.String()
			p.report.Findings = append(p.report.Findings, *f)
		}
	}
}

// holds reports whether all that lies at or below a folder is in the workspace of a side.
func (s *side) holds(d *rules.Dir) bool {
	roots := []rules.Path{s.policy.Cwd, s.policy.Project}
	for i := range s.policy.Dirs {
		if s.sample.Inherits() {
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
	file = rules.Quote(file)
	commands := []string{"touch " + file, "cat " + file}
	for _, text := range p.carriers() {
		commands = append(commands, text+" > "+file)
	}
	for _, text := range append(commands, "source "+file, "git -C "+rules.Quote(dir)+" add xyzzy") {
		tools, texts = append(tools, "Bash"), append(texts, text)
	}
	return tools, texts
}

// searchDir looks for a call on a file that is answered laxer where it lies in the
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

// opened reports whether a text is answered laxer that lies in the workspace of the first
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

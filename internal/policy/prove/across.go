package prove

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Rules on files and addresses are about commands as well: about what these read, write
// and fetch.

// shell is the tool whose calls are commands.
func (p *prover) shell() string {
	if p.job.Tool != "" && kindOf(p.job.Tool) == commands {
		return rules.CanonicalTool(p.job.Tool)
	}
	return "Bash"
}

// touched are the tools whose rules are about what commands touch.
var touched = [...]string{"Read", "Edit", "Write", "WebFetch"}

// acrossOnly are the groups of those where only calls of commands are looked at.
func (p *prover) acrossOnly() []*group {
	if p.job.Tool == "" || kindOf(p.job.Tool) != commands {
		return nil
	}
	return p.groupsOf(touched[:])
}

// across looks for commands that a rule on files or addresses has answered laxer. What
// they are allowed by is another rule, or the mode: so they may be where the tool of that
// rule is not.
func (p *prover) across(g *group, r *governing) {
	about := func(tool string) bool { return slices.Contains(touched[:], tool) }
	alone := p.job.Tool != "" && kindOf(p.job.Tool) != commands
	if p.job.Claim == Always || alone || !slices.ContainsFunc(g.tools, about) {
		return
	}
	own := *g
	own.variants = p.bases(g.tool())
	if len(own.variants) == 0 {
		return
	}
	if len(p.temporary(g)) > 0 {
		own.either(func(v *variant) { v.temp = true })
	}
	for i := range own.levels { // lists of tools are about the tool itself
		own.levels[i].require, own.levels[i].tools, own.levels[i].excluded = 0, 0, false
	}
	h := &hunt{p: p, g: &own, r: r, complete: true}
	look := func(searches []search, wanted func(automaton.Lists) bool) {
		if h.complete && h.found == nil && len(h.texts) == 0 {
			h.run(searches, wanted, func(f automaton.Found) bool {
				h.commands(strings.ToLower(written(f.Text)))
				return h.found == nil && !h.met()
			})
		}
	}
	look(g.searches, p.laxerAcross(&own))
	if p.job.Claim != Never {
		look(p.patterned(g), p.laxerAcross(&own))
	}
	if of(0, r.sure)&bitOpens != 0 {
		look(g.searches, own.laxerPlaces)
	}
	if r.lang.All && own.laxer(own.unknown()) && h.found == nil {
		h.commands(`"$x"`)
	}
	if h.found == nil && p.job.Tool != "" {
		h.lifted()
	}
	if h.found != nil || !h.complete || len(h.texts) > 0 {
		h.bare = true
		h.end()
	}
}

// patterned are the searches of a group without its rules that have no pattern: these say nothing of
// files that a text names and may mean.
func (p *prover) patterned(g *group) []search {
	list := slices.Clone(g.patterns)
	for i := range list {
		if owner := g.owner[i]; owner >= 0 && g.rules[owner].lang.All {
			list[i].Lists = 0
		}
	}
	if slices.Equal(list, g.patterns) {
		return nil
	}
	return p.searches(g, list)
}

// bases are what both sides may say of commands that no rule is about, and that do what a tool does.
func (p *prover) bases(tool string) (out []variant) {
	if len(p.carriers()) > 0 {
		out = append(out, variant{base: [2]int{allow, allow}}, variant{base: [2]int{silence, silence}})
	}
	if a, ok := p.told(p.sides[0], p.sides[0].policy, p.shell(), "xyzzy"); ok && a.told == ask && p.job.Claim != Never {
		out = append(out, variant{base: [2]int{ask, ask}})
	}
	if p.fetches(tool) {
		const curl = "curl https://xyzzy.example/"
		now, _ := p.told(p.sides[0], p.sides[0].policy, p.shell(), curl)
		was, _ := p.told(p.sides[1], p.sides[1].policy, p.shell(), curl)
		out = append(out, variant{base: [2]int{now.told, was.told}})
	}
	return out
}

// fetches reports whether what an allow rule says of a tool counts for commands as well: a request
// of an address that is allowed only reads.
func (p *prover) fetches(tool string) bool {
	return kindOf(tool) == addresses && p.sides[0].policy.Posture.ReadOnlyCommands.Value == "allow"
}

// laxerAcross reports whether commands that touch what lists match may refute a claim.
func (p *prover) laxerAcross(g *group) func(automaton.Lists) bool {
	grants := bitAllow | bitAuto
	if p.fetches(g.tool()) {
		grants = bitAuto
	}
	return func(l automaton.Lists) bool {
		l &^= grants | grants<<sideBits
		if p.job.Claim == Never {
			return g.levels[0].rank(l, 0, &g.variants[0]) < ask
		}
		// under bypass a rule asks about what may be such a file, and not about the file
		if g.levels[1].bypass && of(1, l)&bitAsk != 0 {
			l = l&^(bitAsk<<sideBits) | bitMaybeAsk<<sideBits
		}
		return g.laxer(l)
	}
}

// unknown is what rules say of a file that is only known when a command runs: those with a pattern may be
// about it.
func (g *group) unknown() (l automaton.Lists) {
	for i := range g.rules {
		if r := &g.rules[i]; r.lang.All {
			l |= r.sure
		} else {
			l |= r.maybe
		}
	}
	return l &^ (grantBits | grantBits<<sideBits)
}

// laxerPlaces reports whether commands that work in a folder may be answered laxer because it is open to
// them: what rules say of the files in it may not bind them.
func (g *group) laxerPlaces(l automaton.Lists) bool {
	const places = bitOpens | bitInside
	return g.laxer(l & (places | places<<sideBits | bitTemp))
}

// commands tries commands that read, write or fetch something.
func (h *hunt) commands(what string) {
	h.texts = append(h.texts, grammar.Quote(what))
	for _, text := range h.touching(what) {
		if h.tryCall(trialOf(h.p.shell(), text), h.r.any().List != rules.Allow) {
			return
		}
	}
}

// touching are commands that do with something what the tool of a hunt does.
func (h *hunt) touching(what string) (by []string) {
	name, feed := grammar.Quote(what), " < "
	if what == `"$x"` { // it is no name
		name = what
	}
	switch {
	case kindOf(h.g.tool()) == addresses:
		return []string{"curl " + name}
	case rules.EditTool(h.g.tool()):
		by, feed = []string{"touch " + name, "touch " + name + "*", "echo " + name + " && touch $x"}, " > "
	default:
		by = []string{"cat " + name, "cat " + name + "*", "cat " + grammar.Quote(path.Dir(what)) + "/*", "echo " + name + " && cat $x",
			"python3 -c 'print(1)' " + name, "git -C " + name + " status"}
	}
	for _, text := range h.p.carriers() {
		by = append(by, text+feed+name)
	}
	return by
}

// barred looks for commands that an allow rule matches and another rule asks about or
// denies for what they touch. What bars every such command has been searched already.
func (p *prover) barred(g *group, r *governing) {
	command, why := p.oneOf(r.rule[0], g.tool()), ""
	if kindOf(g.tool()) != commands || command == "" {
		return
	}
	for _, e := range p.book.entries {
		for _, tool := range touched {
			if e == r.entry || of(0, e.sure)&(bitDeny|bitAsk) == 0 || !e.governs(tool) {
				continue
			}
			h := &hunt{p: p, g: g, r: r}
			what := grammar.Quote(p.oneOf(e.rule[0], tool))
			for _, text := range []string{command + " " + what, command + " < " + what, command + " > " + what} {
				if h.found == nil {
					h.tryCall(trialOf(g.tool(), text), true)
				}
			}
			if h.found != nil {
				p.report.Findings = append(p.report.Findings, *h.found)
				return
			}
			if why == "" {
				why = "what such a command reads, writes or fetches may be what " + e.any().Text + " is about"
			}
		}
	}
	if why != "" {
		p.open(g, r, why)
	}
}

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
		l.asks = ok && a.v.Origin() == "2" && a.told == l.immune && s.policy.Mode.Value != "plan"
		if !l.asks {
			return nil, false
		}
	}
	for _, path := range askedPaths(p.sides[0].sample.Call.Host) {
		as, l := rules.Allow, bitAsked
		switch path.answer {
		case askedUnless:
			l = bitAskedUnless
		case unasked:
			as, l = rules.Deny, bitExempt // read in every spelling
		}
		list := p.paths(path.pattern, as)
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
	lang, why := p.sides[0].langs.LanguageOf(&r, "Edit")
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
			h.tryText("cd "+grammar.Quote(p.Project.Given)+" && "+r.Pattern, true)
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

package prove

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
)

// maxCarriers is how many commands that are allowed are tried with what they could do
// besides.
const maxCarriers = 8

// carriers are commands that the first side lets run: such a one may write any file by a
// redirect, and run behind a program like timeout.
func (p *prover) carriers() []string {
	if p.carried != nil {
		return p.carried
	}
	p.carried = []string{}
	add := func(text string) {
		a, ok := p.told(p.sides[0], p.sides[0].policy, "Bash", text)
		if ok && a.told < ask && len(p.carried) < maxCarriers {
			p.carried = append(p.carried, text)
		}
	}
	for _, text := range samples("Bash", "") {
		add(text)
	}
	for _, list := range p.sides[0].sample.GrantLists() {
		for i := range list {
			if len(p.carried) < maxCarriers && list[i].Governs("Bash") {
				for _, text := range p.shortest(&list[i]) {
					add(text)
				}
			}
		}
	}
	return p.carried
}

// shortest are the shortest commands that an allow rule matches, and some that go on.
func (p *prover) shortest(r *rules.Rule) (out []string) {
	l, why := p.sides[0].policy.LanguageOf(r, "Bash")
	if why != "" || l.All {
		return []string{"xyzzy"}
	}
	s := &automaton.Search{Universe: literalFirst{p.sides[0].policy.Universe("Bash"), true}, Budget: p.budget(),
		Wanted: func(l automaton.Lists) bool { return l != 0 }}
	for _, m := range l.Sure {
		s.Patterns = append(s.Patterns, automaton.Pattern{Machine: m, Lists: 1})
	}
	s.Run(func(f automaton.Found) bool {
		text := written(f.Text)
		out = append(out, text, text+" a")
		return false
	})
	return out
}

// wrapped tries commands that run behind others: a rule on timeout is about the whole,
// an allow rule about what timeout runs.
func (h *hunt) wrapped() {
	r := h.r.entry.any()
	first, _, _ := strings.Cut(strings.TrimSpace(r.Pattern), " ")
	first = path.Base(strings.TrimSuffix(first, ":*"))
	own := false
	for _, w := range [...]string{"timeout 1", "timeout 5", "timeout 10", "gtimeout 1", "gtimeout 5", "time", "gtime",
		"nice", "nice -n 10", "gnice", "nohup", "stdbuf -o0", "stdbuf -oL", "gstdbuf -o0"} {
		program, _, _ := strings.Cut(w, " ")
		if own = own || first == program; first != program && !strings.ContainsAny(first, "*?") {
			continue
		}
		for _, text := range h.p.carriers() {
			if h.tryCall(trialOf("Bash", w+" "+text), true) {
				return
			}
		}
	}
	if own && strings.ContainsAny(r.Pattern, "*?") && len(h.p.carriers()) > 0 {
		h.texts = append(h.texts, first)
	}
}

// redirects tries shell commands that write files: a rule that asks about edits is about
// them as well, and they may be allowed where edits are not.
func (p *prover) redirects(g *group, r *governing) {
	if !rules.EditTool(g.tool()) || !p.bindsCommands(r) {
		return
	}
	own := *g
	own.variants = nil
	for told := range ask {
		own.variants = append(own.variants, variant{base: [2]int{told, told}})
	}
	h := &hunt{p: p, g: &own, r: r}
	const grants = bitAllow | bitAuto
	wanted := func(l automaton.Lists) bool {
		l &^= grants | grants<<sideBits
		return own.laxer(l) || p.job.Claim == Never && own.levels[0].rank(l, 0, &own.variants[allow]) < ask
	}
	h.run(g.searches, wanted, func(f automaton.Found) bool {
		h.files(rules.Quote(strings.ToLower(written(f.Text))))
		return h.found == nil && !h.met()
	})
	own.variants = g.variants
	if h.found != nil || !h.complete || len(h.texts) > 0 {
		h.bare = true
		h.end()
	}
}

// bindsCommands reports whether a rule on edits can make a difference to commands.
func (p *prover) bindsCommands(r *governing) bool {
	if p.job.Tool != "" && p.job.Tool != "Bash" || len(p.carriers()) == 0 {
		return false
	}
	if p.job.Claim == Never {
		return p.writes()
	}
	return of(1, r.sure)&(bitAsk|bitDeny)&^of(0, r.sure) != 0
}

// writes reports whether some command that writes a file may be allowed: by a rule, or by
// the mode.
func (p *prover) writes() bool {
	for _, list := range p.sides[0].sample.GrantLists() {
		for i := range list {
			if list[i].Governs("Bash") {
				return true
			}
		}
	}
	a, ok := p.told(p.sides[0], p.sides[0].policy, "Bash", "touch xyzzy")
	return ok && a.told < ask
}

// files tries commands that write a file.
func (h *hunt) files(file string) {
	h.texts = append(h.texts, file)
	if h.tryCall(trialOf("Bash", "touch "+file), true) {
		return
	}
	for _, text := range h.p.carriers() {
		if h.tryCall(trialOf("Bash", text+" > "+file), true) {
			return
		}
	}
}

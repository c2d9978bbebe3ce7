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
		a, ok := p.told(p.sides[0], p.sides[0].policy, p.shell(), text)
		runs := a.told == allow || a.told == silence && p.job.Claim != Never
		if ok && runs && len(p.carried) < maxCarriers {
			p.carried = append(p.carried, text)
		}
	}
	for _, text := range samples("Bash", "") {
		add(text)
	}
	for _, list := range p.sides[0].sample.GrantLists() {
		for i := range list {
			if len(p.carried) < maxCarriers && list[i].Governs(p.shell()) {
				for _, text := range p.shortest(&list[i]) {
					add(text)
				}
			}
		}
	}
	return p.carried
}

// shortest are the shortest commands that an allow rule matches, and some that go on.
func (p *prover) shortest(r *rules.Rule) []string {
	text := p.oneOf(r, p.shell())
	switch text {
	case "":
		return nil
	case "xyzzy":
		return []string{text}
	}
	return []string{text, text + " a"}
}

// oneOf is the shortest text that a rule matches among the calls of a tool, and "xyzzy"
// where it matches any. "" is returned for none.
func (p *prover) oneOf(r *rules.Rule, tool string) (text string) {
	l, why := p.sides[0].policy.LanguageOf(r, tool)
	if why != "" || l.All {
		return "xyzzy"
	}
	u := p.sides[0].policy.Universe(tool)
	s := &automaton.Search{Universe: unmarked{u}, Budget: p.budget(), Wanted: func(l automaton.Lists) bool { return l != 0 }}
	if kindOf(tool) == commands {
		s.Universe = literalFirst{u, true}
	}
	for _, m := range l.Sure {
		s.Patterns = append(s.Patterns, automaton.Pattern{Machine: m, Lists: 1})
	}
	s.Run(func(f automaton.Found) bool {
		text = written(f.Text)
		return false
	})
	return text
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
			if h.tryCall(trialOf(h.p.shell(), w+" "+text), true) {
				return
			}
		}
	}
	if own && strings.ContainsAny(r.Pattern, "*?") && len(h.p.carriers()) > 0 {
		h.texts = append(h.texts, first)
	}
}

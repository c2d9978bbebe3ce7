package prove

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
)

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

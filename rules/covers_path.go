package rules

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// written reports whether rules that may cover b are compared by their languages.
func written(b *Rule) bool {
	if mcpRule(b) || b.Bare || strings.ContainsAny(b.Tool, "*?") {
		return false
	}
	kind := b.kind(b.Tool)
	return kind == "Read" || kind == "Edit" || kind == "WebFetch"
}

// mostStates bounds how long one comparison takes.
const mostStates = 1 << 14

// languagesCover is CoveredBy for a rule on files or URLs.
func (p *Policy) languagesCover(as []*Rule, b *Rule) bool {
	may := slices.DeleteFunc(slices.Clone(as), func(a *Rule) bool { return !a.spokenOf(b) || charactersDiffer(a, b) })
	if len(may) == 0 || b.strict() && !p.globsCover(may, b) || !p.languageCovers(may, b, b.Tool) {
		return false
	}
	if _, _, field := fieldPattern(b.Pattern); !field || !b.strict() {
		return true
	}
	// main fields have other names in other tools
	return !slices.ContainsFunc(governed[:], func(tool string) bool {
		return b.governs(tool) && !p.languageCovers(may, b, tool)
	})
}

// spokenOf reports whether a speaks about all calls that b does: an entry of "urls" in
// deny binds more tools than a rule on WebFetch does.
func (a *Rule) spokenOf(b *Rule) bool {
	return a.governsAll(b) && (b.URL == nil || a.URL != nil || !b.strict())
}

// languageCovers is languagesCover for the calls of one tool. A rule that matches none, or
// is not written down, is covered by one that is read alike only.
func (p *Policy) languageCovers(as []*Rule, b *Rule, tool string) bool {
	want, why := p.LanguageOf(b, tool)
	var have Language
	for _, a := range as {
		l, _ := p.LanguageOf(a, tool)
		if l.All {
			return true
		}
		have.Sure = append(have.Sure, l.Sure...)
		have.Maybe = append(have.Maybe, l.Maybe...)
		have.Fields = append(have.Fields, l.Fields...)
	}
	u := p.Universe(tool)
	within := func(want, have []*automaton.Machine, u automaton.Universe) bool {
		return !slices.ContainsFunc(want, func(m *automaton.Machine) bool {
			_, included, complete := automaton.Includes(u, have, m, mostStates)
			return !included || !complete
		})
	}
	if why != "" || want.All || within(want.Sure, nil, u) || !within(want.Sure, have.Sure, u) {
		return slices.ContainsFunc(as, func(a *Rule) bool { return readAlike(a, b) })
	}
	for _, f := range want.Fields {
		var values []*automaton.Machine
		for _, g := range have.Fields {
			if g.Name == f.Name {
				values = append(values, g.Value)
			}
		}
		if !within([]*automaton.Machine{f.Value}, values, newNameTexts()) {
			return false
		}
	}
	return !b.strict() || within(want.Maybe, append(have.Sure, have.Maybe...), u)
}

// globsCover reports whether what a deny or ask matches of a pattern that the shell
// expands is matched by others as well: they have to hold it as a pattern.
func (p *Policy) globsCover(as []*Rule, b *Rule) bool {
	if kind := b.kind(b.Tool); kind != "Read" && kind != "Edit" {
		return true
	}
	var have []spec
	for _, a := range as {
		if a.Bare || readAlike(a, b) {
			return true
		}
		have = append(have, p.specs(a)...)
	}
	want := p.specs(b)
	for i := range want {
		holds := func(s spec) bool { return contains(ruleSegments(&s), ruleSegments(&want[i])) }
		if !slices.ContainsFunc(have, holds) {
			return false
		}
	}
	return true
}

// charactersDiffer: what is one character in one spelling is none, or three, where
// deny and ask compare.
func charactersDiffer(a, b *Rule) bool {
	return a.strict() && !b.strict() && strings.Contains(b.Pattern, "?") && b.Tool != "WebFetch"
}

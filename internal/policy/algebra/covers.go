// Package algebra says what the rules of a policy match, each written as automata, and compares them with each other:
// which rules cover others, and which have no effect. No hook asks that.
package algebra

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A Policy is one whose rules are compared.
type Policy struct {
	*rules.Policy
	letters letters // see WithLetters
}

// Of is a policy whose rules are compared.
func Of(p *rules.Policy) *Policy { return &Policy{Policy: p} }

// Covers reports whether everything b matches is matched by a as well, so that b has no
// effect where a is asked before it: whatever b matches for certain a matches for certain,
// and what b may match a may match. Rules are read as their lists read them. It is sound,
// and exact for rules on commands and names, and for the texts of Universe where b is an
// allow rule on files or URLs. Nothing is said here of what the lists do; see Shadows.
func (p *Policy) Covers(a, b *rules.Rule) bool { return p.Compare(b).CoveredBy(a) }

// CoveredBy is Covers for several rules together. Where b allows commands or names and
// they restrict, it is enough that they may match: that is asked about.
func (p *Policy) CoveredBy(as []*rules.Rule, b *rules.Rule) bool {
	c := p.Compare(b)
	if written(b) {
		return c.written(as)
	}
	if slices.ContainsFunc(as, c.CoveredBy) {
		return true
	}
	return c.includes(as, len(as) > 0 && as[0].Strict() && !b.Strict()) && c.meant(as)
}

// meant reports whether one of some rules covers what the rule matches by meaning, which no text shows.
func (c *Comparison) meant(as []*rules.Rule) bool {
	means := c.p.meaningOf(c.b)
	if means == nil {
		return true
	}
	every := rules.Rule{Tool: c.b.Tool, List: c.b.List, Pattern: means.Form() + " *"}
	return slices.ContainsFunc(as, func(a *rules.Rule) bool {
		return a.Pattern == c.b.Pattern || c.p.meaningOf(a).Covers(means) || c.p.Covers(a, &every)
	})
}

// meaningOf is what a rule says by meaning, nil where it is only compared as it is written.
func (p *Policy) meaningOf(r *rules.Rule) *bashsafety.Meaning {
	if !r.Strict() || !rules.CommandTool(r.Tool) || !strings.Contains(r.Pattern, " -") {
		return nil
	}
	read := p.ReadCommand(r, r.Tool == "PowerShell")
	return bashsafety.MeaningOf(read.Literal())
}

// written is CoveredBy for allow rules on files and URLs.
func (c *Comparison) written(as []*rules.Rule) bool {
	doubtful := func(a *rules.Rule) bool { return c.b.Strict() && !a.Strict() }
	return c.p.languagesCover(slices.DeleteFunc(slices.Clone(as), doubtful), c.b)
}

// readingsCover is Covers where it shows by comparing patterns place by place.
func (p *Policy) readingsCover(a, b *rules.Rule) bool {
	have := a.Readings()
	for _, want := range b.Readings() {
		if !slices.ContainsFunc(have, func(a rules.Rule) bool { return p.covers(&a, &want) }) {
			return false
		}
	}
	return true
}

// covers is Covers for one reading of each.
func (p *Policy) covers(a, b *rules.Rule) bool {
	if b.OfMCP() {
		return namesCover(a, b)
	}
	switch {
	case a.OfMCP() || a.URL != nil || !governsAll(a, b):
		return false
	case a.Bare || b.Bare:
		return a.Bare
	case b.Strict() && !fieldCovers(a, b):
		return false
	}
	return p.patternCovers(a, b)
}

// namesCover is Covers for a rule about the names of tools.
func namesCover(a, b *rules.Rule) bool {
	if a.OfMCP() {
		return mcpCovers(a, b)
	}
	return a.Bare && a.Tool == "*"
}

// readAlike reports whether two rules have the same pattern, and it is read alike.
func readAlike(a, b *rules.Rule) bool {
	return a.Pattern == b.Pattern && a.Claude == b.Claude && a.List == b.List && (a.Scope == rules.User) == (b.Scope == rules.User)
}

// patternCovers is Covers for patterns in the grammar of their tool.
func (p *Policy) patternCovers(a, b *rules.Rule) bool {
	switch kind := rules.KindOf(b.Tool); {
	case strings.ContainsAny(a.Tool+b.Tool, "*?"):
		return a.Tool == b.Tool && readAlike(a, b)
	case rules.CommandTool(kind):
		return p.commandCovers(a, b, kind == "PowerShell")
	default:
		return nameCovers(a, b, kind == "Skill")
	}
}

// governed are the tools that a rule about another tool may govern, as Read governs Grep.
var governed = [...]string{"Read", "Grep", "Glob", "LSP", "LS", "NotebookRead", "Edit", "Write", "NotebookEdit",
	"Bash", "Monitor", "WebFetch"}

// governsAll reports whether a speaks about every tool that b speaks about.
func governsAll(a, b *rules.Rule) bool {
	if strings.ContainsAny(b.Tool, "*?") {
		if a.Tool == b.Tool {
			return true
		}
		g, o := grammar.Compile(a.Tool), grammar.Compile(b.Tool)
		return g.Holds(&o)
	}
	return a.SpeaksOf(b.Tool) && !slices.ContainsFunc(governed[:], func(tool string) bool {
		return b.SpeaksOf(tool) && !a.SpeaksOf(tool)
	})
}

func (p *Policy) commandCovers(a, b *rules.Rule, powershell bool) bool {
	if b.Whole() && !coversWhole(a, b, powershell) {
		return false
	}
	if !powershell && otherCommands(a, b) { // as most rules are
		return false
	}
	ra, rb := p.ReadCommand(a, powershell), p.ReadCommand(b, powershell)
	switch {
	case b.Strict():
		return anyHolds(ra.Wide(), rb.Wide())
	case a.Strict():
		return anyHolds(ra.Wide(), []grammar.Glob{rb.Narrow()})
	}
	// a rule without wildcard also covers wrappers left on and options that
	// narrow, which no pattern does
	ga, gb := ra.Narrow(), rb.Narrow()
	return ga.Plain() == gb.Plain() && ga.Holds(&gb)
}

// coversWhole reports whether a also matches the text that b spells whole, which may
// be several commands.
func coversWhole(a, b *rules.Rule, powershell bool) bool {
	if a.Whole() && a.Pattern == b.Pattern {
		return true
	}
	return !powershell && grammar.Alone(b.Pattern) && (a.Strict() || a.Whole())
}

// otherCommands reports whether the commands that two patterns match begin differently.
func otherCommands(a, b *rules.Rule) bool {
	pa, _ := grammar.PlainHead(a.Pattern)
	pb, _ := grammar.PlainHead(b.Pattern)
	return !strings.HasPrefix(pb, pa) && !strings.HasPrefix(pa, pb)
}

// mostCompared bounds the work of one comparison of rules, in states.
const mostCompared = 1 << 15

// A Comparison is a rule that many others are compared with.
type Comparison struct {
	p     *Policy
	b     *rules.Rule
	like  []*rules.Subject // some that it matches
	tried bool             // like is known
}

// Compare begins to compare a rule.
func (p *Policy) Compare(b *rules.Rule) *Comparison { return &Comparison{p: p, b: b} }

// CoveredBy is Policy.Covers.
func (c *Comparison) CoveredBy(a *rules.Rule) bool {
	if !a.Strict() && c.b.Strict() {
		return false // b also matches what it only may
	}
	if written(c.b) {
		return c.written([]*rules.Rule{a})
	}
	return (c.p.readingsCover(a, c.b) || c.includes([]*rules.Rule{a}, false)) && c.meant([]*rules.Rule{a})
}

// includes compares what rules match. may says that it is enough where some may match.
func (c *Comparison) includes(list []*rules.Rule, may bool) bool {
	p, b := c.p, c.b
	if textless(b) || c.misses(list, may) {
		return false
	}
	var have []*rules.Rule
	whole := !b.Whole()
	for _, a := range list {
		if p.comparable(a, b) {
			have = append(have, a)
			whole = whole || coversWhole(a, b, b.Tool == "PowerShell")
		}
	}
	if !whole || len(have) == 0 {
		return false
	}
	var all Language
	for _, a := range have {
		all.add(p.textsOf(a, b.Tool))
	}
	u, want := p.Universe(b.Tool), p.textsOf(b, b.Tool)
	matches := slices.ContainsFunc(want.Sure, func(m *automaton.Machine) bool {
		_, some, _ := automaton.Shortest(u, m, mostCompared)
		return some
	})
	return matches && all.includes(u, fieldTexts{newNameTexts()}, want, may) // what matches nothing has another mistake
}

// textless reports whether what a rule matches are no commands and no names, or not those
// alone.
func textless(r *rules.Rule) bool {
	if r.Bare || r.URL != nil || r.OfMCP() {
		return true
	}
	return written(r) || strings.ContainsAny(r.Tool, "*?")
}

// comparable reports whether what both rules match are texts of one kind that can be
// compared as such, and a matches those of all tools that b is about.
func (p *Policy) comparable(a, b *rules.Rule) bool {
	if textless(a) || textless(b) {
		return false
	}
	switch {
	case b.Strict() && !a.Strict(), !governsAll(a, b):
		return false
	case !rules.CommandTool(b.Tool):
		return true
	case b.Tool != "PowerShell" && otherCommands(a, b):
		return false
	}
	return a.Strict() || p.plain(a) || !p.plain(b) // see commandCovers
}

// plain reports whether an allow rule on commands has no wildcard.
func (p *Policy) plain(r *rules.Rule) bool {
	read := p.ReadCommand(r, r.Tool == "PowerShell")
	g := read.Narrow()
	return g.Plain()
}

// textsOf is the language of a rule that is comparable, programs by their path read as
// they are: what covers one spelling covers the others.
func (p *Policy) textsOf(r *rules.Rule, tool string) Language {
	if rules.CommandTool(tool) {
		return p.commandLanguage(r, tool)
	}
	return nameLanguage(r, tool)
}

// includes reports whether l holds all of want. fields are the values that an input field
// may have.
func (l *Language) includes(u, fields automaton.Universe, want Language, may bool) bool {
	maybe := slices.Concat(l.Sure, l.Maybe)
	sure := l.Sure
	if may {
		sure = maybe
	}
	for i := range want.Fields {
		var have []*automaton.Machine
		for n := range l.Fields {
			if l.Fields[n].Name == want.Fields[i].Name {
				have = append(have, l.Fields[n].Value)
			}
		}
		if !included(fields, have, []*automaton.Machine{want.Fields[i].Value}) {
			return false
		}
	}
	return included(u, sure, want.Sure) && included(u, maybe, want.Maybe)
}

// included reports whether all that each of want matches one of have matches.
func included(u automaton.Universe, have, want []*automaton.Machine) bool {
	return !slices.ContainsFunc(want, func(m *automaton.Machine) bool {
		_, is, complete := automaton.Includes(u, have, m, mostCompared)
		return !is || !complete
	})
}

// fieldTexts are the texts of an input field, which may be empty.
type fieldTexts struct{ nameTexts }

func (fieldTexts) Accepts(int) bool { return true }

// misses reports whether something that the rule matches is matched by none of others:
// mostly that is found at once.
func (c *Comparison) misses(list []*rules.Rule, may bool) bool {
	if !c.tried {
		c.tried = true
		c.try()
	}
	return slices.ContainsFunc(c.like, func(s *rules.Subject) bool {
		return !slices.ContainsFunc(list, func(a *rules.Rule) bool {
			hits := c.p.Match([]rules.Rule{*a}, s)
			return len(hits) > 0 && (may || hits[0].Sure)
		})
	})
}

// try fills the wildcards of the rule in some ways.
func (c *Comparison) try() {
	stem, tail := grammar.CutTail(strings.TrimSpace(c.b.Pattern))
	for _, fill := range [...]string{"Zq", "", "y w"} {
		text := strings.NewReplacer("*", fill, "?", "z").Replace(stem)
		if tail != 0 {
			text += strings.TrimRight(" "+fill, " ")
		}
		s := &rules.Subject{Tool: c.b.Tool, Name: text, HasName: true}
		if rules.CommandTool(c.b.Tool) {
			var ok bool
			if text, ok = grammar.Canonical(text); !ok || !isCommand(text) {
				continue
			}
			s.Command = &rules.Command{Allow: []grammar.Text{{{Lit: text}}}}
		}
		if hits := c.p.Match([]rules.Rule{*c.b}, s); len(hits) > 0 && hits[0].Sure {
			c.like = append(c.like, s)
		}
	}
}

// isCommand reports whether a text is a command as commandTexts has them.
func isCommand(text string) bool {
	state, ok := 0, true
	for _, r := range text {
		if state, ok = (commandTexts{}).Next(state, r); !ok {
			return false
		}
	}
	return (commandTexts{}).Accepts(state)
}

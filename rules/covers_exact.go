package rules

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/automaton"
)

// mostCompared bounds the work of one comparison of rules, in states.
const mostCompared = 1 << 15

// A Comparison is a rule that many others are compared with.
type Comparison struct {
	p     *Policy
	b     *Rule
	like  []*Subject // some that it matches
	tried bool       // like is known
}

// Compare begins to compare a rule.
func (p *Policy) Compare(b *Rule) *Comparison { return &Comparison{p: p, b: b} }

// CoveredBy is Policy.Covers.
func (c *Comparison) CoveredBy(a *Rule) bool {
	if !a.strict() && c.b.strict() {
		return false // b also matches what it only may
	}
	if written(c.b) {
		return c.written([]*Rule{a})
	}
	return c.p.readingsCover(a, c.b) || c.includes([]*Rule{a}, false)
}

// includes compares what rules match. may says that it is enough where some may match.
func (c *Comparison) includes(list []*Rule, may bool) bool {
	p, b := c.p, c.b
	if textless(b) || c.misses(list, may) {
		return false
	}
	var have []*Rule
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
		l := p.textsOf(a, b.Tool)
		all.Sure, all.Maybe = append(all.Sure, l.Sure...), append(all.Maybe, l.Maybe...)
		all.Fields = append(all.Fields, l.Fields...)
	}
	u, want := p.Universe(b.Tool), p.textsOf(b, b.Tool)
	matches := slices.ContainsFunc(want.Sure, func(m *automaton.Machine) bool {
		_, some, _ := automaton.Shortest(u, m, mostCompared)
		return some
	})
	return matches && all.includes(u, want, may) // what matches nothing has another mistake
}

// textless reports whether what a rule matches are no commands and no names, or not those
// alone.
func textless(r *Rule) bool {
	if r.Bare || r.URL != nil || mcpRule(r) {
		return true
	}
	return written(r) || strings.ContainsAny(r.Tool, "*?")
}

// comparable reports whether what both rules match are texts of one kind that can be
// compared as such, and a matches those of all tools that b is about.
func (p *Policy) comparable(a, b *Rule) bool {
	if textless(a) || textless(b) {
		return false
	}
	switch {
	case b.strict() && !a.strict(), !a.governsAll(b):
		return false
	case !commandTool(b.Tool):
		return true
	case b.Tool != "PowerShell" && otherCommands(a, b):
		return false
	}
	return a.strict() || p.plain(a) || !p.plain(b) // see commandCovers
}

// plain reports whether an allow rule on commands has no wildcard.
func (p *Policy) plain(r *Rule) bool {
	read := reading{pattern: strings.TrimSpace(r.Pattern), powershell: r.Tool == "PowerShell", claude: r.Claude}
	g := read.narrow()
	return g.plain()
}

// textsOf is the language of a rule that is comparable, programs by their path read as
// they are: what covers one spelling covers the others.
func (p *Policy) textsOf(r *Rule, tool string) (l Language) {
	if commandTool(tool) {
		l, _ = p.commandLanguage(r, tool)
	} else {
		l, _ = p.nameLanguage(r, tool)
	}
	return l
}

func (l *Language) includes(u automaton.Universe, want Language, may bool) bool {
	maybe := slices.Concat(l.Sure, l.Maybe)
	sure := l.Sure
	if may {
		sure = maybe
	}
	included := func(u automaton.Universe, have, want []*automaton.Machine) bool {
		for _, m := range want {
			if _, is, complete := automaton.Includes(u, have, m, mostCompared); !is || !complete {
				return false
			}
		}
		return true
	}
	for i := range want.Fields {
		var have []*automaton.Machine
		for n := range l.Fields {
			if l.Fields[n].Name == want.Fields[i].Name {
				have = append(have, l.Fields[n].Value)
			}
		}
		if !included(fieldTexts{newNameTexts()}, have, []*automaton.Machine{want.Fields[i].Value}) {
			return false
		}
	}
	return included(u, sure, want.Sure) && included(u, maybe, want.Maybe)
}

// fieldTexts are the texts of an input field, which may be empty.
type fieldTexts struct{ nameTexts }

func (fieldTexts) Accepts(int) bool { return true }

// misses reports whether something that the rule matches is matched by none of others:
// mostly that is found at once.
func (c *Comparison) misses(list []*Rule, may bool) bool {
	if !c.tried {
		c.tried = true
		c.try()
	}
	for _, s := range c.like {
		if !slices.ContainsFunc(list, func(a *Rule) bool {
			sure, some := c.p.matchRule(a, s)
			return sure || may && some
		}) {
			return true
		}
	}
	return false
}

// try fills the wildcards of the rule in some ways.
func (c *Comparison) try() {
	stem, tail := cutTail(strings.TrimSpace(c.b.Pattern))
	for _, fill := range [...]string{"Zq", "", "y w"} {
		text := strings.NewReplacer("*", fill, "?", "z").Replace(stem)
		if tail != 0 {
			text += strings.TrimRight(" "+fill, " ")
		}
		s := &Subject{Tool: c.b.Tool, Name: text, HasName: true}
		if commandTool(c.b.Tool) {
			words, ok := lexWords(text, "", true)
			if !ok {
				continue
			}
			if text = string(joinWords(words)); !isCommand(text) {
				continue
			}
			s.Command = &Command{Allow: []Text{{{Lit: text}}}}
		}
		if all, _ := c.p.matchRule(c.b, s); all {
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

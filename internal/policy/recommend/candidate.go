package recommend

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// The kinds of a rule, the narrowest first.
const (
	Exact  = "exact"  // one text, one file
	Domain = "domain" // one host
	Stem   = "stem"   // a command with any arguments
	Folder = "folder" // a folder and all below it
	Tool   = "tool"   // every call of a tool
)

// kinds are in the order in which the narrower of two rules is taken.
var kinds = [...]string{Exact, Domain, Stem, Folder, Tool}

// A candidate is a rule that may be proposed.
type candidate struct {
	rule   rules.Rule
	kind   string
	wider  string       // the stem or folder of an exact rule; "" for none
	exacts []*candidate // of a stem or folder: the exact rules of the calls it would do for
	named  []*group     // what it was proposed for
	groups []*group     // what is asked about and has a part that it matches
	gain   int          // prompts it spares with those that are picked
	out    string       // why it is not proposed; "" while it may be
	picked bool
}

// mark is the file that the place of a candidate names; its line is its index.
const mark = "the proposed rule"

// kindOf says how wide a rule is.
func kindOf(r *rules.Rule) string {
	switch {
	case r.Bare:
		return Tool
	case strings.HasPrefix(r.Pattern, "domain:"):
		return Domain
	case strings.HasSuffix(r.Pattern, "/**"):
		return Folder
	case strings.HasSuffix(r.Pattern, ":*"):
		return Stem
	}
	return Exact
}

// A Search looks for the rules to propose, one after the other.
type Search struct {
	*Calls
	all      []*candidate
	byText   map[string]*candidate
	asked    []*group // what a rule might spare
	givenUp  []*group // no rule should allow it: someone was asked and it did not run
	settled  []*group // nor these: a step before 7 answers them
	attacked []*group // nor these
	picked   []*candidate
	spared   int // prompts, by those that are picked
}

// Search collects the candidates: what package propose says of the calls that are asked about.
func (s *Calls) Search() *Search {
	x := &Search{Calls: s, byText: map[string]*candidate{}}
	for _, g := range s.order {
		if !g.asks {
			if g.v.Decision() != hookio.Allow && g.v.Origin() != "7" {
				x.settled = append(x.settled, g)
			}
			continue
		}
		x.asked = append(x.asked, g) // what no exact rule can say a stem may still cover
		list, _ := propose.For(g.v, s.o.Into)
		for i := range list {
			x.add(g, &list[i])
		}
	}
	if s.o.Wide {
		x.addTools()
	}
	x.attacked, x.givenUp = s.attacks(), s.givenUp()
	x.drop()
	x.match()
	for _, c := range x.all {
		if c.out == "" {
			x.weigh(c)
		}
	}
	return x
}

func (x *Search) add(g *group, p *propose.Proposal) {
	exact := x.candidate(p.Rule)
	if exact == nil {
		return
	}
	exact.named = append(exact.named, g)
	if p.Stem == "" {
		return
	}
	exact.wider = p.Stem
	if stem := x.candidate(p.Stem); stem != nil && !slices.Contains(stem.exacts, exact) {
		stem.exacts = append(stem.exacts, exact)
	}
}

// addTools adds a rule for every tool that is asked about.
func (x *Search) addTools() {
	for _, g := range x.asked {
		for _, part := range g.Input.Facts().Missing(g.Policy.Allow) {
			tool := part.Subject.Tool
			if rules.EditTool(tool) {
				tool = "Edit"
			}
			if !strings.ContainsAny(tool, "*?()") { // it is the call that says it
				x.candidate(tool)
			}
		}
	}
}

// candidate returns the candidate of a rule, nil where its text is no rule.
func (x *Search) candidate(text string) *candidate {
	if c := x.byText[text]; c != nil {
		return c
	}
	into := x.o.Into
	r, err := rules.ParseRule(text, rules.Allow, into.Scope, rules.Pos{File: mark, Line: len(x.all) + 1}, into.Claude)
	if err != nil {
		return nil
	}
	c := &candidate{rule: r, kind: kindOf(&r)}
	x.byText[text] = c
	x.all = append(x.all, c)
	return c
}

// drop takes away what is not proposed whatever it spares.
func (x *Search) drop() {
	for _, c := range x.all {
		switch c.kind {
		case Exact:
			if !x.o.Rare && sessionsOf(c.named) < 2 { // no other call has this very text
				c.out = inOneSession
			}
		case Tool:
			if !x.o.Wide {
				c.out = "it is for a whole tool: --wide"
			}
		case Stem, Folder:
			if len(c.exacts) < 2 {
				c.out = "one call alone needs it"
			}
		}
		if c.kind != Exact && x.o.Exact {
			c.out = "it is not exact"
		}
		if slices.Contains(x.o.Never, c.rule.Text) {
			c.out = "you do not want to be asked about it again"
		}
	}
}

// match finds which candidates match a part of which calls.
func (x *Search) match() {
	list := make([]*candidate, 0, len(x.all))
	for _, c := range x.all {
		if c.out == "" {
			list = append(list, c)
		}
	}
	x.index(list)
	for _, c := range list {
		if !x.o.Rare && sessionsOf(c.groups) < 2 {
			c.out = inOneSession
		}
	}
}

// index notes with every group which of some new candidates match a part of it.
func (x *Search) index(list []*candidate) {
	own := make([]rules.Rule, len(list))
	for i, c := range list {
		own[i] = c.rule
	}
	tried := map[*rules.Policy]*rules.Policy{} // each policy with the candidates in place of its allow rules
	for _, groups := range [...][]*group{x.asked, x.refused, x.givenUp, x.settled, x.attacked} {
		for _, g := range groups {
			p := tried[g.Policy]
			if p == nil {
				with := *g.Policy
				with.Allow = own
				p = with.AsIndexed(0)
				tried[g.Policy] = p
			}
			for _, part := range g.Under(p).Facts().Parts() {
				g.matched(part.Hits)
			}
		}
	}
	for _, g := range x.asked {
		for _, c := range list {
			if x.touches(g, c) {
				c.groups = append(c.groups, g)
			}
		}
	}
}

// matched notes the candidates among the rules that match a part.
func (g *group) matched(hits []rules.Hit) {
	for _, h := range hits {
		if at := h.Rule.Pos.Line - 1; h.Sure && h.Rule.Pos.File == mark && !slices.Contains(g.parts, at) {
			g.parts = append(g.parts, at)
		}
	}
}

// inOneSession is why a rule is not proposed without Options.Rare.
const inOneSession = "it was seen in one session only: --rare"

func sessionsOf(list []*group) int {
	seen := map[int32]bool{}
	for _, g := range list {
		for _, id := range g.sessions {
			seen[id] = true
		}
	}
	return len(seen)
}

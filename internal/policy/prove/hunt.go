package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/algebra/automaton"
	"github.com/permgate--owner/permgate/rules"
)

// A hunt is for a call that one rule has answered laxer. Each is decided under both
// policies: what the texts of the rules say may be overruled by what a command does.
type hunt struct {
	p     *prover
	g     *group
	r     *governing // nil where no rule is responsible
	tries int
	texts []string // that were tried
	found *Finding
	trial *trial // of it
	why   string // why the first one refutes nothing

	rest     [][]automaton.Symbol // texts that another rule is responsible for as well
	known    bool                 // one of them was found for that
	complete bool                 // all texts were looked at
	bare     bool                 // its texts are no calls of the tools
}

// try tries the calls on a text, and reports whether one refutes the claim, or no more
// are to be tried.
func (h *hunt) try(symbols []automaton.Symbol) bool {
	text := written(symbols)
	h.texts = append(h.texts, text)
	if kindOf(h.g.tool()) == names && slices.Contains(symbols, automaton.Any) {
		t := trialOf(h.g.tool(), "")
		t.input = []byte(`{"description":"x","prompt":"x"}`)
		return h.tryCall(t, false) || h.met()
	}
	if low := strings.ToLower(text); low != text && h.r != nil && h.tryText(low, true) {
		return true // deny and ask rules do not know capital letters
	}
	return h.tryText(text, false)
}

// tryText tries the calls of a text. Where it is no text of the search, the rule has to
// match it.
func (h *hunt) tryText(text string, check bool) bool {
	if h.g.tool() == anyOther && rules.KnownTool(text) {
		return h.met()
	}
	return slices.ContainsFunc(h.g.tools, func(tool string) bool {
		return h.tryCall(trialOf(tool, text), check) || h.met()
	})
}

func (h *hunt) tryCall(t *trial, check bool) bool {
	h.tries++
	a, err := h.p.answers(t)
	if err != nil {
		return false
	}
	if !h.p.refutes(&a) {
		if h.why == "" {
			h.why = "every call tried is answered alike, the first by step " + a[0].v.Origin() + ": " + hookio.Escape(a[0].v.Reason())
		}
		return false
	}
	if check && h.r != nil && !h.meets(&a) {
		return false
	}
	h.found, h.trial = h.p.finding(h.r, t, &a), t
	return true
}

// answers are those of both sides. What was decided for another rule is not decided again:
// each rule that begins with a star tries the same calls, see wrapped.
func (p *prover) answers(t *trial) (a [2]answer, err error) {
	key := fmt.Sprint(p.swapped, t.tool, "\x00", t.text, "\x00", string(t.input), "\x00", t.fields)
	if a, known := p.decided[key]; known {
		return a, nil
	}
	for i, s := range p.sides {
		call, err := t.call(p.job.Flags, p.job.Bind)
		if err != nil {
			return a, err
		}
		a[i] = s.decide(call)
	}
	if p.decided == nil || len(p.decided) >= maxDecided {
		p.decided = map[string][2]answer{}
	}
	p.decided[key] = a
	return a, nil
}

// meets reports whether the rule matches a call, or decides it for what it may touch.
func (h *hunt) meets(a *[2]answer) bool {
	for i, r := range h.r.rule {
		if r == nil {
			continue
		}
		decides := a[i].v.Why().Rule
		if meets, _, _ := a[i].v.Facts().Meets(*r); meets || decides != nil && decides.Pos == r.Pos && decides.Text == r.Text {
			return true
		}
	}
	return false
}

// more tries texts that go on where those of the search ended.
func (h *hunt) more() {
	ends := []string{" a", " --help", " --version", " status", " -l", " list", " a b", " x.go"}
	switch kindOf(h.g.tool()) {
	case files:
		ends = []string{"/a", "a", "/a.txt", ".md", "/src/a.go"}
	case addresses:
		ends = []string{"/", "/a", "a"}
	case names, toolNames:
		ends = []string{"a", "__a", "-a"}
	}
	for _, text := range h.texts[:min(len(h.texts), 8)] {
		for _, end := range ends {
			if h.tryText(text+end, true) {
				return
			}
		}
	}
}

// refutes reports whether the answers of both sides refute the claim.
func (p *prover) refutes(a *[2]answer) bool {
	switch p.job.Claim {
	case Never:
		return a[0].told == allow
	case Always:
		return a[0].told != allow
	}
	return a[0].told < a[1].told && !p.heldBack(a)
}

// heldBack reports whether the other side asks, where this one is silent, only because of a grant
// that the program reads too and may read more widely: it has lost that grant as well.
func (p *prover) heldBack(a *[2]answer) bool {
	if a[0].told != silence || a[1].told != ask || a[1].v.Why().Rule != nil {
		return false
	}
	return p.sides[1].under(stripped(p.sides[1].policy), a[1].c.Call).told == silence
}

// finding is a call that refutes the claim.
func (p *prover) finding(r *governing, t *trial, a *[2]answer) *Finding {
	f := &Finding{Tool: t.tool, Text: t.text, Input: t.input}
	now, was := &a[0], &a[1]
	if p.swapped {
		now, was = was, now
	}
	f.Is, f.Why = ranks[now.told], now.v.Reason()
	switch {
	case p.job.Claim == Never:
		f.Kind = Kinds[6]
	case p.job.Claim == Always:
		f.Kind = Kinds[7]
	case p.swapped:
		f.Was, f.Kind = ranks[was.told], Kinds[3+was.told]
	default:
		f.Was, f.Kind = ranks[was.told], Kinds[now.told]
	}
	rule := now.v.Why().Rule
	if r != nil && p.job.Claim != Never && p.job.Claim != Always {
		rule, f.Gone = p.blamed(r.entry)
	}
	if rule != nil {
		f.Rule, f.List, f.Scope, f.Place = rule.Text, rule.List.String(), rule.Scope.String(), rule.Pos.String()
	}
	return f
}

// goOn tries the calls on a text that was found, and reports whether more are wanted.
func (h *hunt) goOn(f automaton.Found) bool { return !h.try(f.Text) }

// reason says why a hunt found nothing.
func (h *hunt) reason() string {
	if !h.complete {
		return tooMany()
	}
	return h.why
}

// tooMany says that a search ended before it was complete.
func tooMany() string { return "the rules about it take too long, or too much memory, to compare" }

// Levels are what a program is told of a call of one tool by what decides it: the
// numbers of ranks. They are found by deciding calls under the policy without its rules.
type levels struct {
	managed, deny, immune, outside, ask, allow, auto int
	run                                              int // of an edit of what is run

	bypass bool // the mode decides before ask and allow rules do
	places bool // calls outside the workspace are asked about
	fence  bool // or denied
	asks   bool // paths of bitAsked are asked about, see withAsked
	urls   bool // addresses that no entry names are asked about
	// and no mode lifts that
	managedURLs bool
	require     automaton.Lists
	tools       automaton.Lists // as require, of the lists that each side has of its own
	excluded    bool            // no list of tools names it
}

// A variant is what calls that no rule is about may be like: what both sides say of
// them, and what is not known of the text.
type variant struct {
	base  [2]int
	doubt bool            // what an ask rule of both may match it does not match for certain
	temp  bool            // a path in a temporary folder is not asked about
	is    automaton.Lists // of bitSystem and bitRun: what the path is that may be so
	extra automaton.Lists // of rules that are not written down: they may match
}

// rank is what a program is told of a text by one side.
func (l *levels) rank(lists automaton.Lists, side int, v *variant) int {
	b, base := of(side, lists), v.base[side]
	if lists&v.is&bitRun != 0 {
		base = l.run
	}
	if r, decided := l.strict(b, lists, side, v); decided {
		return r
	}
	if l.bypass {
		return base
	}
	in := b&(bitInside|bitOpens) != 0 || v.temp && lists&bitTemp != 0
	unlisted := l.urls && b&bitListed == 0
	switch {
	case l.places && !in:
		return max(l.outside, base)
	case b&bitAsk != 0, unlisted:
		return l.ask
	case b&bitAllow != 0:
		return l.allow
	case b&bitAuto != 0:
		return min(l.auto, base)
	}
	return base
}

// strict is what steps 1 and 2 say.
func (l *levels) strict(b, lists automaton.Lists, side int, v *variant) (rank int, decided bool) {
	fenced := l.fence && b&bitInside == 0
	system := lists&v.is&bitSystem != 0
	switch {
	case b&bitManaged != 0:
		return l.managed, true
	case b&bitDeny != 0, l.excluded, lists&l.require != l.require, b&l.tools != l.tools, fenced:
		return l.deny, true
	case b&(bitMaybeDeny|bitImmune) != 0, l.mayAsk(b, lists, side, v),
		l.asksAnyway(lists), l.managedURLs && b&bitListed == 0, system:
		return l.immune, true
	}
	return 0, false
}

// mayAsk reports whether an ask rule may match. A rule that asks for certain is not one
// of them, which makes a difference under bypass alone: there, where some rule asks for
// certain, only the rule looked at may ask.
func (l *levels) mayAsk(b, lists automaton.Lists, side int, v *variant) bool {
	maybe, both := b&bitMaybeAsk != 0, lists&bitMaybeBoth != 0
	if !l.bypass || b&bitAsk == 0 {
		return maybe || both
	}
	own := side == 1 && lists&(bitOwn|bitOwnMaybe) == bitOwnMaybe
	return maybe && own || both && v.doubt
}

// refuted reports whether a text that lists match may refute Never or Always.
func (g *group) refuted(c Claim) func(automaton.Lists) bool {
	return func(l automaton.Lists) bool {
		return slices.ContainsFunc(g.variants, func(v variant) bool {
			return g.levels[0].rank(l|v.extra, 0, &v) == allow == (c == Never)
		})
	}
}

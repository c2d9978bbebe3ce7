package prove

import (
	"slices"

	"github.com/permgate--owner/permgate/rules/automaton"
)

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
	excluded    bool // no list of tools names it
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
	case b&bitDeny != 0, l.excluded, lists&l.require != l.require, fenced:
		return l.deny, true
	case b&(bitMaybeDeny|bitImmune) != 0, l.mayAsk(b, lists, side, v),
		l.asksAnyway(lists), l.managedURLs && b&bitListed == 0, system:
		return l.immune, true
	}
	return 0, false
}

// mayAsk reports whether an ask rule may match. A rule that asks for certain is none of
// those, which makes a difference under bypass alone: there, where some rule asks for
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

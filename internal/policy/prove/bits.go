package prove

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/automaton"
)

// What the lists of one side say about a text, one bit each. Those of the other policy
// are shifted by otherSide.
const (
	bitManaged   automaton.Lists = 1 << iota // a managed deny rule matches
	bitDeny                                  // any deny rule
	bitMaybeDeny                             // a deny rule may match
	bitMaybeAsk                              // an ask rule may match
	bitImmune                                // a managed ask rule matches
	bitAsk                                   // any ask rule
	bitAllow                                 // an allow rule
	bitOpens                                 // one that lets a call leave the workspace
	bitListed                                // an entry of urls.allow
	bitAuto                                  // an entry of autoMode.allow
	bitInside                                // the path is in the workspace
)

const (
	sideBits  = 11
	sideMask  = 1<<sideBits - 1
	grantBits = bitAllow | bitOpens | bitListed | bitAuto | bitInside
)

// What both sides share: how far lists of allowed tools cover the text, whether it lies
// in a temporary folder, what may match on both, and that the rule looked at matches or
// may match it.
const (
	bitTools automaton.Lists = 1 << (2*sideBits + iota)
	bitAgentTools
	bitAgentAllow
	bitSkillAllow
	bitTemp
	bitMaybeBoth // an ask rule that both sides have may match
	bitOwn
	bitOwnMaybe
	bitAsked       // step 2 asks about the path, see withAsked
	bitAskedUnless // it does where bitExempt is not set
	bitSystem      // the path may be one of the system
	bitRun         // it may be a file that is run, which mode auto asks about
)

// bitExempt is of paths, which no entry of urls.allow names.
const bitExempt = bitListed | bitListed<<sideBits

// An entry is one rule, as often as it is written.
type entry struct {
	rule        [2]*rules.Rule  // the first one of each side; nil for none
	sure, maybe automaton.Lists // what is said where it matches, and where it may
}

// A spelling is what tells rules apart.
type spelling struct {
	tool, pattern, written, url string
	bare, claude, home          bool
	list                        rules.List
	scope                       rules.Scope // where it makes a difference, see namesOne
}

func spellingOf(r *rules.Rule) spelling {
	s := spelling{tool: r.Tool, pattern: r.Pattern, written: r.Written, bare: r.Bare, claude: r.Claude, list: r.List}
	if namesOne(r) {
		s.scope = r.Scope
	}
	if r.URL != nil {
		s.url = r.Text
	}
	// the only pattern whose meaning depends on the scope, see rules.Policy.specs
	s.home = r.Claude && r.Scope == rules.User && strings.HasPrefix(r.Pattern, "/")
	return s
}

// A book is the rules of both sides.
type book struct {
	entries []*entry
	at      map[spelling]*entry
}

// add adds the rules of a list of one side.
func (b *book) add(side int, list []rules.Rule, sure, maybe automaton.Lists) {
	for i := range list {
		r := &list[i]
		s, m := sure, maybe
		if r.Scope == rules.Managed {
			switch {
			case sure&bitDeny != 0:
				s |= bitManaged
			case sure&bitAsk != 0:
				s |= bitImmune
			}
		}
		if sure == bitAllow && opens(r) {
			s |= bitOpens
		}
		if s < bitTools {
			s, m = s<<(side*sideBits), m<<(side*sideBits)
		}
		b.put(side, r, s, m)
	}
}

func (b *book) put(side int, r *rules.Rule, sure, maybe automaton.Lists) {
	key := spellingOf(r)
	e := b.at[key]
	if e == nil {
		e = &entry{}
		b.at[key] = e
		b.entries = append(b.entries, e)
	}
	if e.rule[side] == nil {
		e.rule[side] = r
	}
	e.sure |= sure
	e.maybe |= maybe
}

// opens reports whether an allow rule names places outside the workspace, as step 3b
// wants it.
func opens(r *rules.Rule) bool {
	return !r.Bare && (strings.HasPrefix(r.Pattern, "//") || strings.HasPrefix(r.Pattern, "~/"))
}

// read adds all rules of a side.
func (b *book) read(at int, s *side) {
	p := s.policy
	b.add(at, p.Deny, bitDeny, bitMaybeDeny)
	b.add(at, p.Posture.ContentExclusion, bitDeny, bitMaybeDeny)
	b.add(at, p.Posture.URLs, bitDeny, bitMaybeDeny)
	b.add(at, p.Ask, bitAsk, bitMaybeAsk)
	if p.AutoRestricts() {
		b.add(at, p.Auto.HardDeny, bitDeny, bitMaybeDeny)
		b.add(at, p.Auto.SoftDeny, bitAsk, bitMaybeAsk)
	}
	for _, list := range s.sample.GrantLists() {
		b.add(at, list, bitAllow, 0)
	}
	b.add(at, p.Posture.URLAllow, bitListed, 0)
	b.add(at, p.Auto.Allow, bitAuto, 0)
	b.add(at, p.Tools, bitTools, 0)
	if a := p.Agent; a != nil {
		b.add(at, a.Deny, bitDeny, bitMaybeDeny)
		b.add(at, a.Tools, bitAgentTools, 0)
		b.add(at, a.Allow, bitAgentAllow, 0)
	}
	if a := p.Skill; a != nil {
		b.add(at, a.Deny, bitDeny, bitMaybeDeny)
		b.add(at, a.Allow, bitSkillAllow, 0)
	}
}

// of is what lists say of one side, the new one for 0.
func of(side int, l automaton.Lists) automaton.Lists { return l >> (side * sideBits) & sideMask }

// loosens reports whether a rule is one that may make the new side laxer than the other:
// one that only it grants, or that only the other restricts.
func (e *entry) loosens() bool {
	now, was := of(0, e.sure|e.maybe), of(1, e.sure|e.maybe)
	return now&^was&grantBits != 0 || was&^now&^grantBits != 0
}

// common is what a rule says where both sides have it, of some bits.
func common(l automaton.Lists) automaton.Lists {
	both := of(0, l) & of(1, l)
	return l&^(1<<(2*sideBits)-1) | both | both<<sideBits
}

// share gives the ask rules that both sides have one bit for what they may match: it
// counts for both or for none.
func (b *book) share() {
	const both = bitMaybeAsk | bitMaybeAsk<<sideBits
	for _, e := range b.entries {
		if e.maybe&both == both {
			e.maybe = e.maybe&^both | bitMaybeBoth
		}
	}
}

package algebra

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/rules"
)

// A ShadowKind says why a rule has no effect.
type ShadowKind uint8

const (
	ShadowSame   ShadowKind = iota // another rule of the list says the same
	ShadowWider                    // another rule of the list covers all of it
	ShadowDenied                   // whatever it matches is denied in step 1
	ShadowAsked                    // an allow rule, and whatever it matches is asked about before step 6
	ShadowMeant                    // another rule of the list covers it by meaning, but where words are not known
	ShadowBypass                   // an ask rule, and the mode in effect allows before step 5
)

// String returns the word of `permgate rules --json`.
func (k ShadowKind) String() string {
	return [...]string{"same", "wider", "denied", "asked", "meaning", "bypass"}[k]
}

// A Shadow is a rule of a policy that has no effect. It points into the policy.
type Shadow struct {
	Rule, By *rules.Rule // By is nil for ShadowBypass
	Kind     ShadowKind
	With     []*rules.Rule // those that By needs to cover all of Rule, mostly none
}

// by names what covers it.
func (s *Shadow) by() string {
	names := s.By.Text
	for i, r := range s.With {
		if i < len(s.With)-1 {
			names += ", " + r.Text
		} else {
			names += " and " + r.Text
		}
	}
	return names
}

// How says it in words; the places of By and With are left to the caller.
func (s *Shadow) How() string {
	switch s.Kind {
	case ShadowSame:
		return "the same as " + s.by()
	case ShadowWider:
		return "covered by " + s.by()
	case ShadowMeant:
		return "covered by " + s.by() + " by meaning"
	case ShadowDenied:
		return "denied first by " + s.by()
	case ShadowAsked:
		return "asked about first by " + s.by()
	}
	return "silenced by mode bypassPermissions for what it matches for certain; only managed ask rules override it"
}

// Shadows lists the rules of the deny, ask and allow lists that provably have
// no effect, in the order of the lists. Of two that say the same the first stays.
// That a rule is missing here proves nothing. Restrictions of managed settings
// are shadowed by those of managed settings only: in observe mode they alone hold.
func Shadows(p *rules.Policy) []Shadow {
	own := Of(p)
	deny, ask, allow := newCoverers(own, p.Deny), newCoverers(own, p.Ask), newCoverers(own, p.Allow)
	urls := newCoverers(own, p.Posture.URLs)
	denies := [...]*coverers{deny, newCoverers(own, p.Posture.ContentExclusion), urls}
	var out []Shadow
	for i := range p.Deny {
		out = deny.within(out, i)
	}
	for i := range p.Posture.URLs {
		out = urls.within(out, i)
	}
	for i := range p.Ask {
		r := &p.Ask[i]
		if by, _ := coveredBy(r, nil, denies[:]...); by != nil {
			out = append(out, shadow(r, ShadowDenied, by))
		} else if p.Mode.Value == "bypassPermissions" && r.Scope != rules.Managed {
			out = append(out, Shadow{Rule: r, Kind: ShadowBypass})
		} else {
			out = ask.within(out, i)
		}
	}
	for i := range p.Allow {
		r := &p.Allow[i]
		if by, near := coveredBy(r, nil, denies[:]...); by != nil {
			out = append(out, shadow(r, ShadowDenied, by))
		} else if by, _ := coveredBy(r, near, ask); by != nil {
			out = append(out, shadow(r, ShadowAsked, by))
		} else {
			out = allow.within(out, i)
		}
	}
	return out
}

// mostCovers bounds how often Shadows compares rules of one list: what a person
// writes is far below it, and very many rules that all begin alike are not.
const mostCovers = 1 << 17

// coverers are the rules of one list, to find those that cover another.
type coverers struct {
	p     *Policy
	list  []rules.Rule
	index *rules.Index
	left  int
	idle  map[*rules.Rule]bool // those that others of the list cover
}

func newCoverers(p *Policy, list []rules.Rule) *coverers {
	return &coverers{p: p, list: list, index: p.Index(list), left: mostCovers, idle: map[*rules.Rule]bool{}}
}

// of are the places of the rules to compare with r.
func (c *coverers) of(r *rules.Rule) []int32 {
	found := c.index.Covering(r)
	found = found[:min(len(found), c.left)]
	c.left -= len(found)
	return found
}

func shadow(r *rules.Rule, kind ShadowKind, by []*rules.Rule) Shadow {
	return Shadow{Rule: r, By: by[0], Kind: kind, With: by[1:]}
}

// coveredBy returns the first rule of stricter lists that leaves r nothing, or a few that
// do together with each other and those near it of lists that are stricter still.
func coveredBy(r *rules.Rule, stricter []*rules.Rule, lists ...*coverers) (by, near []*rules.Rule) {
	near = stricter
	compared := lists[0].p.Compare(r)
	for _, c := range lists {
		for _, i := range c.of(r) {
			o := &c.list[i]
			if !outranks(o, r) {
				continue
			}
			if compared.CoveredBy(o) {
				return []*rules.Rule{o}, nil
			}
			near = append(near, o)
		}
	}
	if len(near) == len(stricter) {
		return nil, near // as before
	}
	return together(lists[0].p, r, near), near
}

// mostTogether is of how many rules it is tried whether they cover another together.
const mostTogether = 8

// together returns those of several rules that it takes to cover another, nil if all of
// them do not.
func together(p *Policy, r *rules.Rule, near []*rules.Rule) []*rules.Rule {
	if len(near) < 2 || len(near) > mostTogether || !p.CoveredBy(near, r) {
		return nil
	}
	for i := len(near) - 1; i >= 0; i-- {
		if rest := slices.Concat(near[:i], near[i+1:]); p.CoveredBy(rest, r) {
			near = rest
		}
	}
	return near
}

// outranks reports whether a rule of a stricter list always answers before r: a
// managed one does; another neither before a restriction of managed settings, which
// alone holds in observe mode, nor as an ask before an allow that counts in step 3b.
func outranks(by, r *rules.Rule) bool {
	if by.Scope == rules.Managed {
		return true
	}
	managed := r.List != rules.Allow && r.Scope == rules.Managed
	return !managed && (by.List != rules.Ask || !r.NamesOutside())
}

// within adds rule i of a list when others of the list do all it does.
func (c *coverers) within(out []Shadow, i int) []Shadow {
	r := &c.list[i]
	spelt := newSpelling(c.p, r)
	var wider, meant *rules.Rule
	var near []*rules.Rule
	for _, j := range c.of(r) {
		by := &c.list[j]
		if int(j) == i || spelt.liftsLess(by) || !spelt.replaceable(by) {
			continue
		}
		if !spelt.coveredBy(by) {
			if !c.idle[by] { // else each could go because the other is there
				near = append(near, by)
				ours, its := c.p.meaningOf(r), c.p.meaningOf(by)
				if first := int(j) < i || !ours.Covers(its); meant == nil && first && !r.Claude && its.Covers(ours) {
					meant = by // Claude Code knows no meaning
				}
			}
			continue
		}
		switch back := Replaces(c.p.Policy, r, by); {
		case back && int(j) > i: // the first of them stays
		case c.p.Covers(r, by):
			c.idle[r] = true
			return append(out, shadow(r, ShadowSame, []*rules.Rule{by}))
		case wider == nil:
			wider = by
		}
	}
	by := []*rules.Rule{wider}
	if wider == nil {
		by = together(c.p, r, near)
	}
	kind := ShadowWider
	if len(by) == 0 && meant != nil {
		kind, by = ShadowMeant, []*rules.Rule{meant}
	}
	if len(by) == 0 {
		return out
	}
	c.idle[r] = true
	return append(out, shadow(r, kind, by))
}

// A spelling is a rule that others of its list are compared with, and what command it
// spells out.
type spelling struct {
	p        *Policy
	r        *rules.Rule
	compared *Comparison
	lifts    bool // see liftsQuestions
	read     bool // command and one are known
	command  facts.PlainCommand
	one      bool // it is one command
}

func newSpelling(p *Policy, r *rules.Rule) spelling {
	return spelling{p: p, r: r, compared: p.Compare(r), lifts: r.List == rules.Allow && liftsQuestions(p.Policy, r)}
}

// Replaces reports whether r could go because by, of the same list, is there.
func Replaces(p *rules.Policy, by, r *rules.Rule) bool {
	s := newSpelling(Of(p), r)
	return !s.liftsLess(by) && s.replaceable(by) && s.coveredBy(by)
}

// replaceable reports whether r could go because of by where that matches.
func (s *spelling) replaceable(by *rules.Rule) bool {
	r := s.r
	switch {
	case r.List != rules.Allow:
		return r.Scope != rules.Managed || by.Scope == rules.Managed
	case r.NamesOutside() && !by.NamesOutside():
		return false
	case !by.Bare && strings.Contains(by.Pattern, "://") && !strings.Contains(r.Pattern, "://"):
		return false // see facts.PlainCommand
	}
	return true
}

func (s *spelling) coveredBy(by *rules.Rule) bool {
	return s.compared.CoveredBy(by) || s.r.List == rules.Allow && s.coveredAsText(by)
}

// liftsQuestions reports whether an allow rule names one thing and takes back, for that,
// what is asked whatever other rules allow: see liftedBy and allowedByName of decide.
func liftsQuestions(p *rules.Policy, r *rules.Rule) bool {
	if p.Posture.Secrets.Value == "ask" || p.AutoRestricts() {
		if facts.NamesOne(r) {
			return true
		}
	}
	own := r.Scope == rules.User || r.Scope == rules.Local
	return own && r.Exact() && p.Posture.Destructive.Value == "practical"
}

// liftsLess reports whether a rule lifts less than r, which may lift something.
func (s *spelling) liftsLess(by *rules.Rule) bool {
	return s.lifts && !(by.Scope == s.r.Scope && liftsQuestions(s.p.Policy, by))
}

// coveredAsText is Covers for an allow rule r that spells out one command: such a
// rule also covers options and launchers that patterns do not, so what the
// command is has to be known.
func (s *spelling) coveredAsText(by *rules.Rule) bool {
	r := s.r
	if !commandUnderPattern(by, r) {
		return false
	}
	as := *r
	wider := rules.Rule{Tool: by.Tool, Pattern: by.Pattern, List: rules.Ask, Claude: by.Claude}
	if as.List = rules.Ask; !s.p.Covers(&wider, &as) {
		return false // read more widely, it would cover no less
	}
	if !s.read {
		s.command, s.one = facts.OnePlainCommand(s.p.Policy, r.Pattern)
		s.read = true
	}
	return s.one && s.command.CoveredBy(by) && s.command.CoveredBy(r)
}

// commandUnderPattern reports whether r spells out a command and by has a pattern.
func commandUnderPattern(by, r *rules.Rule) bool {
	if r.Tool != "Bash" || by.Tool != "Bash" || r.Bare || by.Bare {
		return false
	}
	return !strings.ContainsAny(r.Pattern, "*?") && strings.Contains(by.Pattern, "*")
}

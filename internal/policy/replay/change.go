package replay

import (
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// kindOf names a change by what the program is told now.
func kindOf(told string) string {
	switch told {
	case "allow":
		return Allowed
	case "ask":
		return Asked
	case "deny":
		return Refused
	}
	return Left
}

// responsible returns which answer explains that two differ, with the rule in it that
// does: one that only one side has, the new side first. Where there is none, the
// settings differ in something else, and the new answer says which step decides.
func responsible(d *decided, p, old *decide.Case) (by Answer, gone bool) {
	now, was := only(&d.now, p, old.Policy), only(&d.was, old, p.Policy)
	switch {
	case now != nil && now == d.now.rule, was == nil && now != nil:
		return d.now.under(now), false
	case was != nil:
		return d.was.under(was), true
	}
	return d.now, false
}

// only returns the rule of a side that the other policy does not have: the one that
// decided, else one that matches part of the call; nil for none.
func only(a *Answer, of *decide.Case, other *rules.Policy) *rules.Rule {
	if a.rule != nil && !has(other, a.rule) {
		return a.rule
	}
	for _, h := range of.Hits() {
		if !has(other, h.Rule) {
			return h.Rule
		}
	}
	return nil
}

// under is the answer with another rule to name.
func (a Answer) under(r *rules.Rule) Answer {
	a.rule, a.Rule, a.List, a.Place, a.Check = r, r.Text, r.List.String(), r.Pos.String(), ""
	return a
}

// has reports whether a policy has a rule, on whatever line.
func has(p *rules.Policy, r *rules.Rule) bool {
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range list {
			if o := &list[i]; o.Text == r.Text && o.List == r.List && o.Scope == r.Scope {
				return true
			}
		}
	}
	return false
}

// maxShown bounds the text of a call that is shown, in bytes.
const maxShown = 400

// clip takes the secrets out of a text and cuts it. What lies a little behind the cut
// is looked at as well, so that no secret is cut in two before it is recognised.
func clip(s string, limit int) string {
	const margin = 4 << 10
	long := len(s) > limit
	s, _ = redact.Text(strings.Clone(s[:min(len(s), limit+margin)]))
	if !long || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + " ..."
}

// shownPlace is a place as people may see it. Its numbers are no value of what is before them.
func shownPlace(place string) string {
	file := strings.TrimRight(place, ":0123456789")
	return clip(file, 4*maxReason) + place[len(file):]
}

package propose

import (
	"fmt"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// trial decides the call with further rules.
func trial(c *decide.Case, into Into, texts []string) (*decide.Case, decide.Verdict) {
	p, grants := *c.Policy, c.Grants
	lists := [...]*[]rules.Rule{rules.Allow: &p.Allow, rules.Ask: &p.Ask, rules.Deny: &p.Deny}
	list := lists[into.List]
	if into.Scope == rules.Session {
		list = &grants.Rules
	}
	*list = append([]rules.Rule(nil), *list...)
	for _, text := range texts {
		if r, err := rules.ParseRule(text, into.List, into.Scope, newRule, into.Claude); err == nil {
			*list = append(*list, r)
		}
	}
	with := c.Under(&p)
	with.Grants = grants
	return with, decide.Decide(with)
}

// newRule is where the rules of a trial stand.
var newRule = rules.Pos{File: "the new rule"}

// effect says why a deny or ask rule would not do what it is for.
func effect(c *decide.Case, into Into, rule string) *Refusal {
	want, step := hookio.Deny, "1"
	if into.List == rules.Ask {
		want, step = hookio.Ask, "5"
	}
	with, t := trial(c, into, []string{rule})
	for _, h := range with.Hits() {
		// step 2 may ask before the rule does, and step 8 make a deny of its ask
		if h.Sure && h.Rule.Pos == newRule && t.Decision >= want && t.Origin <= step {
			return nil
		}
	}
	return refuse("", "with %s in %s the decision is still different: %s", rule, into.List, t.Reason)
}

// bound reports whether a rule of the list, or a stricter one, is certain to match.
func bound(p *decide.Part, list rules.List) bool {
	for _, h := range p.Hits {
		if h.Sure && h.Rule.List >= list {
			return true
		}
	}
	return false
}

func hits(p *decide.Part, list rules.List) string {
	for _, h := range p.Hits {
		if h.Sure && h.Rule.List >= list {
			return fmt.Sprintf("%s %s (%s)", h.Rule.List, h.Rule.Text, h.Rule.Pos)
		}
	}
	return ""
}

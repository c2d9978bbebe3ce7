package decide

import (
	"fmt"

	"github.com/permgate--owner/permgate/rules"
)

// matchBudget bounds the work of comparing rules with the parts of one call, in units
// of rules.Cost. What a deny rule of the user or the administrator says is always asked.
const matchBudget = 2_000_000

// fewParts is how many parts a call has at most whose rules are not worth an index.
const fewParts = 8

// matchRules is Policy.Match. Rules of a project that are very many, and those for a call
// of many parts, are compared as far as the budget goes; then the call is asked about.
func (c *matcher) matchRules(list []rules.Rule, s *rules.Subject) []rules.Hit {
	if len(c.units) <= fewParts && !c.Policy.Many {
		return c.Policy.Match(list, s)
	}
	return c.Policy.MatchWhere(list, s, func(r *rules.Rule) bool { return c.affords(r, s) })
}

// affords reports whether the budget still has room for a rule.
func (c *matcher) affords(r *rules.Rule, s *rules.Subject) bool {
	if r.List == rules.Deny && !r.Counted() {
		return true
	}
	if c.overrun == nil {
		if c.spent += r.Cost(s); c.spent > matchBudget {
			c.overrun = r
		}
	}
	return c.overrun == nil
}

// immuneOverrun asks about a call that could not be compared with every rule.
func immuneOverrun(c *Case) Verdict {
	if c.overrun == nil {
		return Verdict{}
	}
	return immune("rule-budget", "", fmt.Sprintf("the call has too many parts (%d) to compare each with every rule "+
		"(stopped at %s). Try splitting the call", len(c.units), c.overrun.Pos.String()))
}

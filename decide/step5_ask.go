package decide

import (
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/rules"
)

// stepAsk is the ask rules, the soft denials of mode auto, and addresses that
// urls.allow does not name.
func stepAsk(c *Case) []verdict.Question {
	asks := func(why func() verdict.Reason) []verdict.Question {
		return []verdict.Question{verdict.Must(verdict.Doubtful, why)}
	}
	p := c.Policy
	if u, hit := c.match(p.Ask, true); u != nil {
		return asks(func() verdict.Reason { return byRule("ask rule: "+hit.Rule.Text, hit.Rule, u) })
	}
	if p.AutoRestricts() {
		if u, hit := c.match(p.Auto.SoftDeny, true); u != nil {
			return asks(func() verdict.Reason {
				r := byRule("autoMode.soft_deny: "+hit.Rule.Text, hit.Rule, u)
				c.judged(&r, rules.AutoSoftDeny, "")
				return r
			})
		}
		if r, matches := c.byDefaults(rules.AutoSoftDeny); matches {
			return asks(func() verdict.Reason { return r })
		}
	}
	return unlistedURL(c)
}

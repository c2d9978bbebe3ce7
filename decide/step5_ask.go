package decide

import (
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/rules"
)

// stepAsk is the ask rules, the soft denials of mode auto, and addresses that
// urls.allow does not name.
func stepAsk(c *Case) []verdict.Question {
	asks := func(r verdict.Reason) []verdict.Question {
		return []verdict.Question{verdict.Must(verdict.Doubtful, r)}
	}
	p := c.Policy
	if u, hit := c.match(p.Ask, true); u != nil {
		return asks(byRule("ask rule: "+hit.Rule.Text, hit.Rule, u))
	}
	if p.AutoRestricts() {
		if u, hit := c.match(p.Auto.SoftDeny, true); u != nil {
			r := byRule("autoMode.soft_deny: "+hit.Rule.Text, hit.Rule, u)
			c.judged(&r, rules.AutoSoftDeny, "")
			return asks(r)
		}
		if r, matches := c.byDefaults(rules.AutoSoftDeny); matches {
			return asks(r)
		}
	}
	return unlistedURL(c)
}

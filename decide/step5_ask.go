package decide

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepAsk is the ask rules, the soft denials of mode auto, and addresses that
// urls.allow does not name.
func stepAsk(c *Case, _ Verdict) Verdict {
	p := c.Policy
	if u, hit := c.match(p.Ask, true); u != nil {
		return byRule(hookio.Ask, "ask rule: "+hit.Rule.Text, hit.Rule, u)
	}
	if p.AutoRestricts() {
		if u, hit := c.match(p.Auto.SoftDeny, true); u != nil {
			v := byRule(hookio.Ask, "autoMode.soft_deny: "+hit.Rule.Text, hit.Rule, u)
			return c.judged(v, rules.AutoSoftDeny, "")
		}
		if v := c.byDefaults(rules.AutoSoftDeny); v.Decision != hookio.Pass {
			return v
		}
	}
	return unlistedURL(c)
}

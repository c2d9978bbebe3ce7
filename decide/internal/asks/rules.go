package asks

import (
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/rules"
)

// Rules is the ask rules, the soft denials of mode auto, and addresses that
// urls.allow does not name.
func Rules(c facts.Facts) []verdict.Question {
	asks := func(r verdict.Reason) []verdict.Question {
		return []verdict.Question{verdict.Must(verdict.Doubtful, r)}
	}
	p := c.Policy()
	if u, hit := c.Match(p.Ask, true); u != nil {
		return asks(words.ByRule(c, "ask rule", hit.Rule, u))
	}
	if c.Call().Guessed != "" {
		return nil
	}
	if p.AutoRestricts() {
		if u, hit := c.Match(p.Auto.SoftDeny, true); u != nil {
			r := words.ByRule(c, "autoMode.soft_deny", hit.Rule, u)
			auto.Mark(c, &r, rules.AutoSoftDeny, "")
			return asks(r)
		}
		if r, matches := auto.ByDefaults(c, rules.AutoSoftDeny); matches {
			return asks(r)
		}
	}
	return unlistedURL(c)
}

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
	if all := AskRules(c); len(all) > 0 {
		return all
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

// AskRules is the first ask rule that matches for certain.
func AskRules(c facts.Facts) []verdict.Question {
	u, hit := c.Match(c.Policy().Ask, true)
	if u == nil {
		return nil
	}
	return []verdict.Question{verdict.Must(verdict.Doubtful, words.ByRule(c, "ask rule", hit.Rule, u))}
}

package decide

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
)

// stepAllow allows when the rules of one list together cover every part of the
// call: the settings for the main loop, the definition's list for a subagent.
func stepAllow(c facts.Facts) verdict.Allowed[verdict.Rules] {
	missed := ""
	for _, list := range c.GrantLists() {
		hit, missing := c.Covered(list)
		if missing == nil {
			return verdict.ByRules(words.Allows("allow rule", hit.Rule, ""))
		}
		if hit, ok := proofs.Mixed(c, list); ok {
			return verdict.ByRules(words.Allows("allow rule", hit.Rule, ", and the rest only reads"))
		}
		if missed == "" {
			missed = c.Uncovered(list, c.Cause(list))
		}
	}
	return verdict.No[verdict.Rules](missed)
}

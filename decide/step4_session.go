package decide

import (
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/rules"
)

// stepSession is what the user granted for the running session. A subagent
// inherits no grant unless the posture says it works like the main session.
func stepSession(c facts.Facts) (a verdict.Allowed[verdict.Session]) {
	if c.Strict() {
		return a
	}
	if c.Policy().ManagedOnly.On() {
		return verdict.No[verdict.Session]("session grants do not count under allowManagedPermissionRulesOnly")
	}
	what := ""
	switch g := c.Grants(); {
	case g.All && !facts.NeedsUser(c.Call().Tool):
		what = "allow all"
	case g.AllEdits && rules.EditTool(c.Call().Grantee()):
		what = "allow all edits"
	case g.AllBash && c.Call().Grantee() == "Bash" && c.Call().Escape == "":
		what = "allow all Bash"
	}
	if what != "" {
		return verdict.BySession(verdict.Reason{Text: "session: " + what + c.Grants().Ending()})
	}
	if hit, missing := c.Covered(c.Grants().Rules); missing == nil {
		return verdict.BySession(words.Allows("session pattern", hit.Rule, c.Grants().End(hit.Rule.Text)))
	}
	return a
}

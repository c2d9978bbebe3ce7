package decide

import (
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepSession is what the user granted for the running session. A subagent
// inherits no grant unless the posture says it works like the main session.
func stepSession(c *Case, _ Verdict) Verdict {
	if c.strict() {
		return Verdict{}
	}
	if c.Policy.ManagedOnly.On() {
		return Verdict{Reason: "session grants do not count under allowManagedPermissionRulesOnly"}
	}
	switch g := &c.Grants; {
	case g.All && !NeedsUser(c.Call.Tool):
		return grantSession.allow("session: allow all" + g.until())
	case g.AllEdits && rules.EditTool(c.Call.Grantee()):
		return grantSession.allow("session: allow all edits" + g.until())
	case g.AllBash && c.Call.Grantee() == "Bash" && c.Call.Escape == "":
		return grantSession.allow("session: allow all Bash" + g.until())
	}
	if hit, missing := c.covered(c.Grants.Rules); missing == nil {
		v := grantSessionRule.by(byRule(hookio.Pass, "session pattern: "+hit.Rule.Text, hit.Rule, nil))
		v.Reason += c.Grants.End(hit.Rule.Text)
		return v
	}
	return Verdict{}
}

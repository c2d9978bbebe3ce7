package decide

import (
	"strings"

	"permgate/hookio"
	"permgate/rules"
)

// Answer is what goes to the host: the verdict, or silence where silence is
// the answer. Silence is never put in the place of a deny, and takes the place
// of an ask only where the host then asks or decides itself.
func (v Verdict) Answer(c *Case) hookio.Answer {
	if v.Observed(c) {
		return hookio.Answer{Reason: v.Reason}
	}
	return v.Enforced(c)
}

// Enforced is what Answer is where the gate does not only observe.
func (v Verdict) Enforced(c *Case) hookio.Answer {
	a := hookio.Answer{Decision: v.Decision, Reason: v.Reason}
	silence := hookio.Answer{Reason: v.Reason}
	if v.Decision == hookio.Ask && c.askIsLost() {
		v.Decision = hookio.Deny
		a = hookio.Answer{Decision: hookio.Deny, Reason: v.Reason + "; denied, because " + c.Call.Host.Title +
			" in bypassPermissions writes this file whatever a hook asks: leave that mode to be asked"}
	}
	switch {
	case !c.Call.Event.Decides():
		return silence
	case v.Decision == hookio.Deny && v.Origin == "7" && c.Policy.Mode.Value == "plan" && c.Call.Mode == "plan" && c.defers() && !c.closed():
		if c.Call.Event == hookio.PermissionRequest || !c.heldBack() {
			return silence // the host sent plan, so it enforces plan itself
		}
		if !c.Headless && !c.Policy.NoPrompts.On() && !c.subagentDenies() { // rules for commands count in its plan mode
			a.Decision = hookio.Ask
		}
		return a
	case v.Decision == hookio.Deny:
		return a
	case c.Call.Event == hookio.PermissionRequest:
		return c.answerRequest(v)
	case c.Call.Tool == "ExitPlanMode" && v.Decision == hookio.Allow:
		return silence
	case v.Decision == hookio.Allow && v.Step == "7" && c.Policy.Mode.Value == "auto" && c.Call.Host.AutoClassifier && !rules.SafeTool(c.Call.Tool):
		return silence // the host's own classifier looks at it (decisions 8)
	case v.Decision == hookio.Ask && v.Step == "7" && NeedsUser(c.Call.Tool):
		return silence
	case v.Decision == hookio.Ask && v.Step == "7" && c.defers() && !c.closed() && !c.heldBack():
		return silence
	}
	return a
}

// Observed reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) Observed(c *Case) bool {
	return c.Policy.Gate.Enforce.Value == "false" && !(v.Decision == hookio.Deny && v.Managed) && !c.closedBy(rules.Managed)
}

// askIsLost reports whether the host would run the call although a hook asks
// (Host.Guards).
func (c *Case) askIsLost() bool {
	h := c.Call.Host
	if h == nil || len(h.Guards) == 0 || c.Call.Mode != "bypassPermissions" || c.Call.Event != hookio.PreToolUse {
		return false
	}
	for i := range c.units {
		u := &c.units[i]
		if !u.write {
			continue
		}
		if c.sensitive(u) != "" {
			return true
		}
		for _, p := range [...]string{u.hit.Given, u.hit.Real} {
			for _, part := range strings.Split(foldPath(p), "/") {
				for _, g := range h.Guards {
					if part != "" && componentIs(part, g) {
						return true
					}
				}
			}
		}
	}
	return false
}

// answerRequest answers PermissionRequest, where an ask is the dialog that is
// shown anyway. Only what the user or a rule allowed answers it; a mode's
// default does not.
func (c *Case) answerRequest(v Verdict) hookio.Answer {
	a := hookio.Answer{Decision: v.Decision, Reason: v.Reason}
	if v.Decision != hookio.Allow || NeedsUser(c.Call.Tool) {
		return hookio.Answer{Reason: v.Reason}
	}
	switch v.Step {
	case "3", "4", "6":
		return a
	case "7":
		if c.Policy.Mode.Value == "auto" && !c.Call.Host.AutoClassifier {
			return a
		}
	}
	return hookio.Answer{Reason: v.Reason}
}

// Remember reports whether the host is to be told, with the answer, to allow the
// very same text by itself until its session ends. Only "alwaysAllow": "session"
// asks for that, for what a rule or a grant of the user allows, and only for a
// plain command that is read alike by everybody and names no file: a host looks at
// the text, and knows neither the folder it would run in then nor what a pattern
// holds back. What a subagent may is not what the session may.
func (v Verdict) Remember(c *Case) bool {
	s := c.Script
	if c.Policy.Gate.AlwaysAllow.Value != "session" || c.Call.Event != hookio.PermissionRequest || v.Decision != hookio.Allow || v.Step != "4" && v.Step != "6" ||
		c.Call.Tool != "Bash" || c.Call.Dir != "" || c.Call.Subagent() || c.asAgent() ||
		s == nil || len(s.Subcommands) != 1 || len(s.Findings)+len(s.Doubts) > 0 || len(c.units) != 1 {
		return false
	}
	sub := &s.Subcommands[0]
	if len(sub.Narrow)+len(sub.Via)+len(sub.Assigns)+len(sub.Outer) > 0 || sub.Launcher || sub.Remote || Spell(sub.Argv) != c.Call.Command {
		return false
	}
	for _, r := range c.Call.Command {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(" -_./=,@+:", r)) {
			return false
		}
	}
	return !strings.HasSuffix(c.Call.Command, ":")
}

// defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own behind silence.
func (c *Case) defers() bool {
	return c.Policy.Gate.OnUnmatched.Value == "defer" && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// closed reports whether a settings file could not be used: a rule may be
// missing, so nothing is left to the host.
func (c *Case) closed() bool { return c.closedBy(rules.ScopeNone) }

// closedBy reports the same of one scope; ScopeNone is any. A managed file that
// cannot be used may have held the denials that bind even when others observe.
func (c *Case) closedBy(scope rules.Scope) bool {
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed && (scope == rules.ScopeNone || f.Scope == scope) {
			return true
		}
	}
	return false
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

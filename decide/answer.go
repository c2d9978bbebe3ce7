package decide

import (
	"permgate/hookio"
	"permgate/rules"
)

// Answer is what goes to the host: the verdict, or silence where silence is
// the answer. Silence is never put in the place of a deny of steps 1 and 2, and
// takes the place of an ask only where the host then asks or decides itself.
func (v Verdict) Answer(c *Case) hookio.Answer {
	if v.Observed(c) {
		return hookio.Answer{Reason: v.Reason}
	}
	return v.Enforced(c)
}

// Enforced is what Answer is where the gate does not only observe: step 9.
func (v Verdict) Enforced(c *Case) hookio.Answer {
	if v.Silence(c) != "" {
		return hookio.Answer{Reason: v.Reason}
	}
	return c.spoken(v)
}

// Silence says why the host gets no answer and decides by itself, "" where it gets
// one. "It" is the host.
func (v Verdict) Silence(c *Case) string {
	if notDeciding(c, v) {
		return "this event takes no decision"
	}
	if c.spoken(v).Decision == hookio.Deny && v.Origin != "3b" && v.Origin != "7" {
		return ""
	}
	for _, s := range [...]struct {
		holds func(*Case, Verdict) bool
		why   string
	}{
		{questionToUser, "the tool is itself a question to the user"},
		{dialogOpen, "it is about to ask anyway"},
		{hostClassifies, "its own classifier judges the call in this mode"},
		{hostsModeAllows, "no rule allows the call"},
		{hostsOwnFile, "the file is one of its own"},
		{hostChecksPlace, "it checks writes outside its folders by itself"},
		{projectFault, "a settings file of the project cannot be used"},
		{unmatched, "no rule speaks about the call"},
	} {
		if s.holds(c, v) {
			return s.why
		}
	}
	return ""
}

// spoken is the verdict as the host would hear it: an ask that would be lost is
// a deny, a deny for a mode the host enforces itself is the ask it was made of,
// and an allow that only rules nobody trusted explain is an ask.
func (c *Case) spoken(v Verdict) hookio.Answer {
	a := hookio.Answer{Decision: v.Decision, Reason: v.Reason}
	switch {
	case v.Decision == hookio.Ask && c.askIsLost():
		a.Decision = hookio.Deny
		a.Reason += "; denied, because " + c.Call.Host.Title +
			" in bypassPermissions writes this file whatever a hook asks: leave that mode to be asked"
	case v.Decision == hookio.Deny && c.modeDenied(v) && c.hostCanAsk():
		a.Decision = hookio.Ask
	case v.Decision == hookio.Allow && v.Step == "7" && !v.ReadOnly && c.defers() && c.untrustedRead():
		a.Decision = hookio.Ask
		a.Reason = "a rule that you have not trusted allows this" + c.dropped(&c.units[0])
		if c.Call.Event == hookio.PreToolUse && (c.cannotAsk() || !c.hostCanAsk()) {
			a.Decision = hookio.Deny
		}
	}
	return a
}

// notDeciding: the event carries no decision.
func notDeciding(c *Case, _ Verdict) bool { return !c.Call.Event.Decides() }

// questionToUser: a tool that asks the user is never answered for them.
func questionToUser(c *Case, v Verdict) bool {
	return NeedsUser(c.Call.Tool) && (v.Decision == hookio.Allow && c.Call.Tool == "ExitPlanMode" || v.Decision == hookio.Ask && v.Step == "7" ||
		v.Decision == hookio.Allow && c.Call.Event == hookio.PermissionRequest)
}

// dialogOpen: on PermissionRequest an ask is the dialog that is shown anyway,
// and only what the user or a rule allowed answers it; a mode's default does not.
func dialogOpen(c *Case, v Verdict) bool {
	if c.Call.Event != hookio.PermissionRequest || c.spoken(v).Decision == hookio.Deny {
		return false
	}
	if v.Decision != hookio.Allow {
		return true
	}
	switch v.Step {
	case "4", "6":
		return false
	case "3":
		return c.defers()
	}
	auto := c.Policy.Mode.Value == "auto" && !c.Call.Host.AutoClassifier && !c.defers()
	return !v.ReadOnly && !auto
}

// hostClassifies: an allow of mode auto would silence the host's classifier.
func hostClassifies(c *Case, v Verdict) bool {
	return v.Decision == hookio.Allow && v.Step == "7" && c.Policy.Mode.Value == "auto" && c.Call.Host.AutoClassifier && !rules.SafeTool(c.Call.Tool)
}

// hostsModeAllows: an allow that no rule, grant or switch gave. The host has its
// own idea of what is safe, and our allow would skip its questions.
func hostsModeAllows(c *Case, v Verdict) bool {
	return c.defers() && c.spoken(v).Decision == hookio.Allow && (v.Step == "3" || v.Step == "7" && !v.ReadOnly)
}

// hostsOwnFile: what the host tells its agent to write is not allowed by us.
func hostsOwnFile(c *Case, v Verdict) bool {
	return c.defers() && v.Decision == hookio.Allow && c.writesOwn()
}

// hostChecksPlace: the host looks by itself at writes outside its folders. Our
// ask would be a second one, and our allow for a temporary file would skip its own.
func hostChecksPlace(c *Case, v Verdict) bool {
	if !c.defers() || c.closed() || !c.Call.Host.ChecksWorkspace(c.Call.Tool, c.hostMode()) {
		return false
	}
	switch {
	case v.Decision == hookio.Allow:
		return c.writesTemporary()
	case v.Origin == "3b" && c.Policy.Gate.OutsideReads.Value != "ask":
		return !c.strictMode() && !c.cannotAsk() && !c.mightCover()
	}
	return false
}

// projectFault: a settings file of the project that cannot be used takes our
// allow away and no more; in modes where silence runs the call the ask stays, and
// where the mode in effect is stricter than the host's.
func projectFault(c *Case, v Verdict) bool {
	if !v.Faulted || !c.defers() || c.closed() {
		return false
	}
	if mode := c.hostMode(); mode == "bypassPermissions" || mode == "acceptEdits" || c.strictMode() {
		return v.Origin == "3" || v.Origin == "7"
	}
	return true
}

// unmatched: no rule spoke, and the mode that answered is the host's own.
func unmatched(c *Case, v Verdict) bool {
	return v.Origin == "7" && !v.Faulted && (v.Decision == hookio.Ask || v.Decision == hookio.Deny) &&
		c.defers() && !c.closed() && !c.strictMode() && !c.modeIsOurs(v) && (c.Call.Event == hookio.PermissionRequest || !c.heldBack())
}

// defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own behind silence.
func (c *Case) defers() bool {
	return c.Policy.Gate.OnUnmatched.Value == "defer" && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// Observed reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) Observed(c *Case) bool {
	return c.Policy.Gate.Enforce.Value == "false" && !(v.Decision == hookio.Deny && v.Managed) && !c.closedBy(rules.Managed)
}

// closed reports whether a settings file that is not the project's could not be
// used: a rule may be missing, so nothing is left to the host.
func (c *Case) closed() bool {
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed && f.Scope != rules.Shared && f.Scope != rules.Local {
			return true
		}
	}
	return false
}

// closedBy reports whether a file of one scope could not be used. A managed file
// may have held the denials that bind even when others observe.
func (c *Case) closedBy(scope rules.Scope) bool {
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed && f.Scope == scope {
			return true
		}
	}
	return false
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

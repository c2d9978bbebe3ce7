package decide

import "github.com/permgate--owner/permgate/hookio"

// A Deferral is a reason to tell the host nothing, so that it decides itself.
type Deferral struct {
	Why   string // "it" is the host
	holds func(c *Case, v Verdict, told hookio.Decision) bool
}

// Deferrals are tried in order. Only the first one keeps a deny of steps 1 and 2 from the
// host (Step.host).
var Deferrals = [...]Deferral{
	{"this event takes no decision", notDeciding},
	{"the tool is itself a question to the user", questionToUser},
	{"it is about to ask anyway", dialogOpen},
	{"its own classifier judges the call in this mode", hostClassifies},
	{"no rule allows the call", hostsModeAllows},
	{"your settings only observe, and another file that enforces may not allow for you", observedAllow},
	{"the file is one of its own", hostsOwnFile},
	{"it checks writes outside its folders by itself", hostChecksPlace},
	{"a settings file of the project cannot be used", projectFault},
	{"no rule speaks about the call", unmatched},
}

// hostStep is step 9: what the host would be told of a verdict, and why it is
// told nothing instead, "" where it is told.
func (c *Case) hostStep(v Verdict) (told hookio.Answer, silence string) {
	told = hookio.Answer{Decision: v.Decision, Reason: v.Reason}
	for i := 0; i < len(HostSteps) && silence == ""; i++ {
		told, silence = HostSteps[i].host(c, v, told)
	}
	return told, silence
}

// Silence says why the host is told nothing and decides by itself, "" where it is
// told. "It" is the host.
func (v Verdict) Silence(c *Case) string {
	_, why := c.hostStep(v)
	return why
}

// tellStricter: an ask that the host would not heed is a deny, and an allow that only an
// untrusted rule explains is an ask.
func tellStricter(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	switch {
	case v.Decision == hookio.Ask && c.hostIgnoresAsk():
		v = v.saying("; denied, because " + c.Call.Host.Title +
			" in bypassPermissions writes this file even if a hook asks: leave that mode to get the prompt")
		return hookio.Answer{Decision: hookio.Deny, Reason: v.Reason}, ""
	case allowedByMode(v) && c.withholds() && c.untrustedRead():
		return hookio.Answer{Decision: c.untrustedAnswer(), Reason: "a rule that you have not trusted allows this" +
			c.dropped(&c.units[0]) + markOpens + "projectTrust" + markCloses}, ""
	}
	return told, ""
}

// tellAsk: a deny for a mode that the host enforces itself is the ask it was made of, and so is one that is only
// about the sandbox.
func tellAsk(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	if (c.modeDenied(v) || c.escapeDenied(v)) && c.hostCanAsk() {
		return hookio.Answer{Decision: hookio.Ask, Reason: v.Reason}, ""
	}
	return told, ""
}

// tellNothing is the first of Deferrals that holds.
func tellNothing(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	for i := range Deferrals {
		if d := &Deferrals[i]; d.holds(c, v, told.Decision) {
			return told, d.Why
		}
	}
	return told, ""
}

// mustBeTold reports whether an answer is for the host whatever it would do by itself: one of a
// person to this very call, and a deny of a step whose opinion silence cannot have been.
func (v Verdict) mustBeTold(told hookio.Answer) bool {
	switch v.Origin {
	case "3", "3b", "7":
		return v.Step == approverStep
	}
	return v.Step == approverStep || told.Decision == hookio.Deny
}

// tellUnseen: an ask that the host does not show in the mode it sent is a deny.
func tellUnseen(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	if told.Decision == hookio.Ask && c.hostAsksNobody() {
		told = v.adding(hookio.Answer{Decision: hookio.Deny, Reason: told.Reason}, "; denied, because "+c.Call.Host.Title+
			" asks no one in dontAsk")
	}
	return told, ""
}

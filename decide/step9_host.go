package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Deferral is a reason to tell the host nothing, so that it decides itself.
type Deferral struct {
	Why   string // "it" is the host
	holds func(c *Case, v Verdict, told hookio.Decision) bool
}

// Deferrals are tried in order. None but the first keeps a deny of steps 1 and 2
// from the host.
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
		return hookio.Answer{Decision: hookio.Deny, Reason: v.Reason + "; denied, because " + c.Call.Host.Title +
			" in bypassPermissions writes this file even if a hook asks: leave that mode to get the prompt"}, ""
	case c.allowedByMode(v) && c.withholds() && c.untrustedRead():
		return hookio.Answer{Decision: c.untrustedAnswer(), Reason: "a rule that you have not trusted allows this" +
			c.dropped(&c.units[0])}, ""
	}
	return told, ""
}

// tellAsk: a deny for a mode that the host enforces itself is the ask it was made of.
func tellAsk(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	if c.modeDenied(v) && c.hostCanAsk() {
		return hookio.Answer{Decision: hookio.Ask, Reason: v.Reason}, ""
	}
	return told, ""
}

// tellNothing is the first of Deferrals that holds.
func tellNothing(c *Case, v Verdict, told hookio.Answer) (hookio.Answer, string) {
	for i := range Deferrals {
		d := &Deferrals[i]
		if i > 0 && v.mustBeTold(told) {
			break
		}
		if d.holds(c, v, told.Decision) {
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

// tellUnseen: an ask that the host shows nobody in the mode it sent is a deny.
func tellUnseen(c *Case, _ Verdict, told hookio.Answer) (hookio.Answer, string) {
	if told.Decision == hookio.Ask && c.hostAsksNobody() {
		told = hookio.Answer{Decision: hookio.Deny, Reason: told.Reason + "; denied, because " + c.Call.Host.Title +
			" asks nobody in dontAsk"}
	}
	return told, ""
}

// allowedByMode reports whether a mode's default allowed the call, and no rule,
// grant or switch of the user.
func (c *Case) allowedByMode(v Verdict) bool {
	return v.Decision == hookio.Allow && v.Step == "7" && !v.ReadOnly
}

// untrustedAnswer is an ask, or a deny where no prompt would be shown.
func (c *Case) untrustedAnswer() hookio.Decision {
	ours := c.deniesUnasked() && !(c.defers() && c.hostEnforcesMode())
	if c.Call.Event == hookio.PreToolUse && (ours || c.cannotAsk() || !c.hostCanAsk()) {
		return hookio.Deny
	}
	return hookio.Ask
}

func notDeciding(c *Case, _ Verdict, _ hookio.Decision) bool { return !c.Call.Event.Decides() }

// questionToUser: a tool that asks the user is never answered for them.
func questionToUser(c *Case, v Verdict, _ hookio.Decision) bool {
	if !NeedsUser(c.Call.Tool) {
		return false
	}
	if v.Decision == hookio.Allow {
		return c.Call.Tool == "ExitPlanMode" || c.Call.Event == hookio.PermissionRequest
	}
	return v.Decision == hookio.Ask && v.Step == "7"
}

// dialogOpen: on PermissionRequest an ask is the dialog that is shown anyway,
// and only what the user or a rule allowed answers it; a mode's default does not.
func dialogOpen(c *Case, v Verdict, told hookio.Decision) bool {
	if c.Call.Event != hookio.PermissionRequest || told == hookio.Deny {
		return false
	}
	if v.Decision != hookio.Allow {
		return true
	}
	switch v.Step {
	case "4", "6":
		return false
	case "3":
		return c.withholds()
	}
	return !v.ReadOnly && !c.autoSpeaks()
}

// autoSpeaks reports whether an allow of mode auto is ours to give.
func (c *Case) autoSpeaks() bool {
	ours := c.Policy.Mode.Value == "auto" && !c.Call.Host.AutoClassifier && !c.withholds()
	return ours && !rules.SafeTool(c.Call.Grantee())
}

// hostClassifies: an allow of mode auto would silence the host's classifier.
func hostClassifies(c *Case, v Verdict, told hookio.Decision) bool {
	if c.Policy.Mode.Value != "auto" || !c.Call.Host.AutoClassifier {
		return false
	}
	return told == hookio.Allow && v.Step == "7" && !rules.SafeTool(c.Call.Grantee())
}

// observedAllow: the user's files observe, and a file that takes that back brings
// questions and denials back.
func observedAllow(c *Case, v Verdict, told hookio.Decision) bool {
	return c.Policy.Posture.Observes && told == hookio.Allow && !v.ObserveOnly(c)
}

// hostsModeAllows: an allow that no rule, grant or switch gave. The host has its
// own idea of what is safe, and our allow would skip its questions.
func hostsModeAllows(c *Case, v Verdict, told hookio.Decision) bool {
	return c.withholds() && told == hookio.Allow && (v.Step == "3" || c.allowedByMode(v))
}

// hostsOwnFile: what the host tells its agent to write is not allowed by us.
func hostsOwnFile(c *Case, v Verdict, _ hookio.Decision) bool {
	return c.withholds() && v.Decision == hookio.Allow && c.writesOwn()
}

// hostChecksPlace: the host looks by itself at writes outside its folders. Our
// ask would be a second one, and our allow for a temporary file would skip its own.
func hostChecksPlace(c *Case, v Verdict, told hookio.Decision) bool {
	if !c.withholds() || !c.Call.Host.ChecksWorkspace(c.Call.Grantee(), c.hostMode()) {
		return false
	}
	switch {
	case told == hookio.Allow:
		return c.writesTemporary()
	case !c.leavesToHost():
	case v.Origin == "3b" && c.Policy.Posture.OutsideReads.Value != "ask":
		return !c.strictMode() && !c.modeIsOurs(v) && !c.mightCover()
	}
	return false
}

// projectFault: a settings file of the project that cannot be used takes our
// allow away and no more; in modes where silence runs the call the ask stays, where
// the mode in effect is stricter than the host's, and where the user's own file or a
// managed one holds an unknown key.
func projectFault(c *Case, v Verdict, _ hookio.Decision) bool {
	if !v.Faulted || !c.leavesToHost() {
		return false
	}
	if v.Origin == "7" && c.Call.Event == hookio.PreToolUse && c.untrustedRead() {
		return false // it was an ask without the fault, too; the dialog of PermissionRequest is one
	}
	ofMode := v.Origin == "3" || v.Origin == "7"
	return ofMode || !c.silenceRuns() && !c.strictMode() && !c.ownFault(true)
}

// silenceRuns reports whether the host, in the mode it sent, runs most of what is not
// answered.
func (c *Case) silenceRuns() bool {
	mode := c.hostMode()
	return mode == "bypassPermissions" || mode == "acceptEdits"
}

// unmatched: no rule and no classifier of the operator's spoke, and the mode that
// answered is the host's own.
func unmatched(c *Case, v Verdict, _ hookio.Decision) bool {
	refused := v.Decision == hookio.Ask || v.Decision == hookio.Deny
	if v.Origin != "7" || v.Faulted || !refused || v.stopped() {
		return false
	}
	if !c.leavesToHost() || c.strictMode() || c.modeIsOurs(v) {
		return false
	}
	return c.Call.Event == hookio.PermissionRequest || !c.narrowedHere()
}

// NeedsUser reports whether a tool is itself a question to the user, which no rule answers for them.
func NeedsUser(tool string) bool {
	return tool == "AskUserQuestion" || tool == "ExitPlanMode"
}

// Noting adds a sentence to the reason of an answer, before the mark.
func (v Verdict) Noting(a hookio.Answer, sentence string) hookio.Answer {
	mark := ""
	if body, ok := strings.CutSuffix(a.Reason, v.mark); ok {
		a.Reason, mark = body, v.mark
	}
	a.Reason += ". " + sentence + mark
	return a
}

// leavesToHost reports whether silence is possible: the host decides then, and no
// settings file is missing that could have held a rule.
func (c *Case) leavesToHost() bool { return c.defers() && !c.closed() }

// defers reports whether the posture leaves unmatched calls to the host, and
// the host really has a permission flow of its own when it is told nothing.
func (c *Case) defers() bool {
	return c.Policy.Posture.OnUnmatched.Value == "defer" && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// withholds reports whether an allow that no rule gave is kept from the host: the user
// left such calls to it, and a file that takes that back may add questions, not skip the host's.
func (c *Case) withholds() bool {
	left := c.defers() || c.Policy.Posture.LeftToHost
	return left && c.Call.Host != nil && !c.Call.Host.SilenceRuns
}

// ObserveOnly reports whether the verdict is kept from the host because the gate
// only observes (enforce: false). A deny of managed settings is answered all
// the same, and so is everything while a managed file cannot be used.
func (v Verdict) ObserveOnly(c *Case) bool {
	return c.Policy.Posture.Enforce.Value == "false" && !(v.Decision == hookio.Deny && v.Managed) &&
		!c.closedBy(rules.Managed)
}

// closed reports whether a settings file that is not the project's could not be
// used: a rule may be missing, so nothing is left to the host. Of a key that is
// not known here the host knows no more: what it decides alone it goes on deciding.
func (c *Case) closed() bool { return c.ownFault(false) }

// ownFault reports whether a settings file that is not the project's has a fault:
// an unknown key, or one that closes it.
func (c *Case) ownFault(key bool) bool {
	for i := range c.Policy.Faults {
		f := &c.Policy.Faults[i]
		if f.Closed && f.Key == key && f.Scope != rules.Shared && f.Scope != rules.Local {
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

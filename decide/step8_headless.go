package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// stepHeadless is step 8: where no one can be asked, ask is deny. The original
// reason is kept.
func stepHeadless(c *Case, v Verdict) Verdict {
	if v.Decision != hookio.Ask || v.Step == "7" && NeedsUser(c.Call.Tool) {
		return Verdict{} // a tool that is itself the question to the user stays one
	}
	deny := func(mark string) Verdict {
		o := v
		o.Decision, o.Coerced, o.mark, o.Reason, o.Cause = hookio.Deny, true, "", v.sentence(), ""
		return o.marked(c.seedMark(v) + mark)
	}
	p := c.Policy
	switch mode := p.Mode.Value; {
	case mode == "dontAsk" && v.Check != nil:
		return deny("mode: don't ask (auto-deny): " + seedWords(v.Check)).as(say.CodeDontAsk)
	case mode == "dontAsk":
		return deny("mode: don't ask (auto-deny)").as(say.CodeDontAsk)
	case mode == "explore" || mode == "plan":
		return deny(c.deniedIn(mode)).as(say.OfMode(mode))
	case c.subagentDenies():
		if v.Step == "7" {
			return deny("tool " + c.Call.Grantee() + " would require approval; a subagent in " + mode + " mode denies it")
		}
		return deny("a subagent cannot ask")
	case c.Headless:
		return deny("headless")
	case p.NoPrompts.On():
		return deny("denyInsteadOfPrompting, " + p.NoPrompts.Pos.String())
	}
	return Verdict{}
}

// seedMark is what asked, in front of why the ask is a deny.
func (in *Input) seedMark(v Verdict) string {
	switch {
	case v.Check != nil && in.Policy.Mode.Value != "dontAsk":
		return v.Check.ID + ": " + strings.TrimPrefix(seedWords(v.Check), "bypass-immune: ") + "; "
	case v.mark != "" && v.Step != "7":
		return v.id() + "; "
	}
	return ""
}

// approverStep is the number of the only step that turns an ask into an allow.
const approverStep = "8b"

// stepApprover is step 8b: it sees what all other steps made of the call. What it may
// lift is an ask, no matter that step 8 or the host made a deny of it; the verdict of a
// deny never gets here.
func stepApprover(c *Case, v Verdict) Verdict {
	at := &c.Policy.Posture.Approver
	if at.Value == "" || !c.unheard(v) {
		return Verdict{}
	}
	if c.Approve == nil {
		return Verdict{Reason: "the approver would be asked, " + at.Pos.String()}
	}
	a := c.Approve(c, v)
	o := v
	switch a.Decision {
	case hookio.Allow:
		o = grantApproval.by(v)
	case hookio.Deny:
		o.Decision = hookio.Deny
	default:
		return Verdict{Reason: a.Reason}
	}
	o.Approval, o.Coerced, o.mark = &a, false, ""
	o.Reason, o.Cause = a.Reason+" (otherwise: "+v.sentence()+")", a.code()
	return o
}

// unheard reports whether a verdict is an ask that reaches no person, for no other
// reason than that there is none. A mode that denies is the user's word: plan and
// explore want no change, dontAsk no question.
func (c *Case) unheard(v Verdict) bool {
	if !v.asked() || c.deniesUnasked() || c.Call.Malformed != "" || NeedsUser(c.Call.Tool) || v.ObserveOnly(c) {
		return false
	}
	told, silence := c.hostStep(v)
	return silence == "" && hookio.Told(c.Call, told) == hookio.Deny
}

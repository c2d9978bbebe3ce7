package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// stepHeadless is step 8: where no one can be asked, a question is denied. The original
// reason is kept.
func stepHeadless(c *Case, open verdict.Open) (d verdict.Denial) {
	asked := open.Verdict()
	if asked.Step() == "7" && NeedsUser(c.Call.Tool) {
		return d // a tool that is itself the question to the user stays one
	}
	deny := func(mark string, code say.Code) verdict.Denial {
		r := asked.Why()
		r.Mark, r.Code = c.seedMark(asked)+mark, code
		return verdict.Deny(r)
	}
	p := c.Policy
	switch mode := p.Mode.Value; {
	case refuses(mode):
		mark := c.refusal(mode)
		if check := asked.Why().Check; check != nil && mode == "dontAsk" {
			mark += ": bypass-immune: " + seedWords(check)
		}
		return deny(mark, say.OfMode(mode))
	case c.subagentDenies() && asked.Step() == "7":
		return deny("tool "+c.Call.Grantee()+" would require approval; a subagent in "+mode+" mode denies it", "")
	case c.subagentDenies():
		return deny("a subagent cannot ask", "")
	case c.Headless:
		return deny("headless", "")
	case p.NoPrompts.On():
		return deny("denyInsteadOfPrompting, "+p.NoPrompts.Pos.String(), "")
	}
	return d
}

// seedMark names what asked, before the reason why no one is asked.
func (in *Input) seedMark(asked verdict.Verdict) string {
	why := asked.Why()
	switch {
	case why.Check != nil && in.Policy.Mode.Value != "dontAsk":
		return why.Check.ID + ": " + seedWords(why.Check) + "; "
	case why.Mark != "" && asked.Step() != "7":
		id, _, _ := strings.Cut(why.Mark, ":")
		return id + "; "
	}
	return ""
}

// approverStep is the number of the only step that turns a question into an allow.
const approverStep = "8b"

// stepApprover is step 8b: it sees a question as all other steps leave it, no matter that step 8 or the host denies it.
// A denial of step 1 or 7 never gets here. by is what the approver said, or the reason why it was not asked.
func stepApprover(c *Case, open verdict.Open) (d verdict.Denial, a verdict.Allowed[verdict.Approver], by say.Approval) {
	asked := open.Verdict()
	at := &c.Policy.Posture.Approver
	if at.Value == "" || !c.reachesNobody(asked) {
		return d, a, by
	}
	if c.Approve == nil {
		return d, a, say.Approval{Reason: "the approver would be asked, " + at.Pos.String()}
	}
	by = c.Approve(c, Verdict{asked, c})
	r := asked.Why()
	r.Text, r.Hint, r.Mark = by.Reason+" (otherwise: "+r.Take()+")", "", ""
	switch by.Decision {
	case hookio.Allow:
		a = verdict.ByApprover(r)
	case hookio.Deny:
		if r.Code = say.CodeUserDenied; by.Unexpected {
			r.Code = say.CodeUnexpectedCallback
		}
		d = verdict.Deny(r)
	}
	return d, a, by
}

// reachesNobody reports whether a question reaches no person, for no other
// reason than that no one is there. A mode that denies is the user's word: plan and
// explore want no change, dontAsk no question.
func (c *Case) reachesNobody(asked verdict.Verdict) bool {
	if c.deniesUnasked() || c.Call.Malformed != "" || NeedsUser(c.Call.Tool) || c.observesOnly(asked) {
		return false
	}
	told, silence := c.hostStep(asked)
	return silence == "" && hookio.Told(c.Call, told) == hookio.Deny
}

package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/host"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
)

// stepHeadless is step 8: where no one can be asked, a question is denied. The original
// reason is kept.
func stepHeadless(c facts.Facts, open verdict.Open) (d verdict.Denial) {
	asked := open.Verdict()
	if asked.Step() == "7" && facts.NeedsUser(c.Call().Tool) {
		return d // a tool that is itself the question to the user stays one
	}
	deny := func(mark string, code say.Code) verdict.Denial {
		r := asked.Why()
		r.Mark, r.Code = seedMark(c, asked)+mark, code
		return verdict.Deny(r)
	}
	p := c.Policy()
	switch mode := p.Mode.Value; {
	case facts.Refuses(mode):
		mark := refusal(c, mode)
		if check := asked.Why().Check; check != nil && mode == "dontAsk" {
			mark += ": bypass-immune: " + words.SeverityLabel(check)
		}
		return deny(mark, say.OfMode(mode))
	case c.SubagentDenies() && asked.Step() == "7":
		return deny("tool "+c.Call().Grantee()+" would require approval; a subagent in "+mode+" mode denies it", "")
	case c.SubagentDenies():
		return deny("a subagent cannot ask", "")
	case c.Headless():
		return deny("headless", "")
	case p.NoPrompts.On():
		return deny("denyInsteadOfPrompting, "+p.NoPrompts.Pos.String(), "")
	}
	return d
}

// seedMark names what asked, before the reason why no one is asked.
func seedMark(c facts.Facts, asked verdict.Verdict) string {
	why := asked.Why()
	switch {
	case why.Check != nil && c.Policy().Mode.Value != "dontAsk":
		return why.Check.ID + ": " + words.SeverityLabel(why.Check) + "; "
	case why.Mark != "" && asked.Step() != "7":
		return strings.TrimSuffix(why.Mark, verdict.EveryMode) + "; "
	}
	return ""
}

// stepApprover is step 8b: it sees a question as all other steps leave it, no matter that step 8 or the host denies it.
// A denial of step 1 or 7 never gets here. by is what the approver said, or the reason why it was not asked.
func stepApprover(in *Input, c facts.Facts, open verdict.Open) (
	d verdict.Denial, a verdict.Allowed[verdict.Approver], by say.Approval) {
	asked := open.Verdict()
	at := &c.Policy().Posture.Approver
	if at.Value == "" || !reachesNobody(c, asked) {
		return d, a, by
	}
	if in.Approve == nil {
		return d, a, say.Approval{Reason: "the approver would be asked, " + at.Pos.String()}
	}
	by = in.Approve(in, answered(asked, in, c))
	r := asked.Why().Instead(by.Reason)
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
func reachesNobody(c facts.Facts, asked verdict.Verdict) bool {
	if facts.Refuses(c.Policy().Mode.Value) || c.Call().Malformed != "" || facts.NeedsUser(c.Call().Tool) || host.ObservesOnly(c, asked) {
		return false
	}
	told, silence := host.Step(c, asked)
	return silence == "" && hookio.Told(c.Call(), told) == hookio.Deny
}

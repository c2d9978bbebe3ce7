package decide

import (
	"time"

	"github.com/permgate--owner/permgate/hookio"
)

// The verdicts of mode auto, as a classifier gives them.
const (
	AutoAllow    = "allow"
	AutoSoftDeny = "soft_deny" // ask
	AutoHardDeny = "hard_deny" // deny
)

// The sources of a Judgement.
const (
	ByList     = "list"     // a rule or built-in entry of autoMode
	ByAnalysis = "local"    // the shell analysis
	ByOperator = "operator" // the operator's classifier
	ByCache    = "cache"    // what the operator's classifier said before
)

// A Judgement is what mode auto made of a call, for the log.
type Judgement struct {
	Verdict string        // AutoAllow, AutoSoftDeny, AutoHardDeny
	Source  string        // one of those above
	ID      string        // of the built-in entry, "" for everything else
	Took    time.Duration // how long the operator's classifier was waited for
	// Reason is what the operator's classifier says, or why it gave no verdict that
	// counts: Verdict is "" then. One line without secrets.
	Reason string
	// Tired is set for a hard denial after so many in a row that the user is asked
	// instead: the classifier may be wrong, and the agent stuck.
	Tired bool
}

// classified is what the operator's classifier makes of an ask of mode auto. It may
// allow the call, leave it an ask for a reason of its own, or deny it; whatever goes
// wrong with it leaves the ask as it was.
func (c *Case) classified(v Verdict) Verdict {
	at := &c.Policy.Posture.Classifier
	switch {
	case v.Decision != hookio.Ask || at.Value == "":
		return v
	case c.Classify == nil:
		return v.saying("; your classifier (" + at.Pos.String() + ") was not asked")
	}
	j := c.Classify(c, v)
	o := Verdict{Decision: hookio.Ask, Part: v.Part, Judged: &j, Cause: CodeAutoAsked}
	switch {
	case j.Verdict == AutoAllow:
		o.Decision, o.Cause, o.Reason = hookio.Allow, CodeAutoAllowed, "your classifier allows it"
	case j.Verdict == AutoSoftDeny:
		o.Reason = "your classifier wants it confirmed"
	case j.Verdict == AutoHardDeny && j.Tired:
		o.Reason = "your classifier denies it, as it did the calls before (autoDenials), so you are asked"
	case j.Verdict == AutoHardDeny:
		o.Decision, o.Cause, o.Reason = hookio.Deny, CodeAutoDenied, "your classifier denies it"
	default:
		v.Judged = &j
		return v.saying("; your classifier (" + at.Pos.String() + ") gave no verdict: " + j.Reason)
	}
	if j.Reason != "" {
		o.Reason += `: "` + j.Reason + `"`
	}
	return o.marked("mode: auto, " + j.Source + ", " + at.Pos.String())
}

// stopped reports whether the operator's classifier wants a call confirmed or denied.
// Silence would be laxer than that.
func (v Verdict) stopped() bool {
	return v.Judged.Asked() && (v.Judged.Verdict == AutoSoftDeny || v.Judged.Verdict == AutoHardDeny)
}

// Asked reports whether the operator's classifier was asked, now or before.
func (j *Judgement) Asked() bool { return j != nil && (j.Source == ByOperator || j.Source == ByCache) }

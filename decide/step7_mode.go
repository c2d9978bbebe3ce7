package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/auto"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/internal/proofs"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/internal/words"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// An allowedByMode is an allow of step 7.
type allowedByMode = verdict.Allowed[verdict.Mode]

// stepMode is the default of the mode, for calls no rule spoke about.
func stepMode(in *Input, c facts.Facts) (d verdict.Denial, q verdict.Question, a allowedByMode) {
	mode, tool := c.Policy().Mode.Value, c.Call().Grantee()
	if facts.NeedsUser(tool) && !rules.SafeTool(tool) {
		r := verdict.Reason{Code: say.CodeNeedsTheUser, Text: "mode: " + tool + " needs the user"}
		return d, verdict.Must(verdict.Doubtful, r), a
	}
	if rules.SafeTool(tool) {
		return d, q, verdict.BySafeTool(verdict.Reason{Text: "mode: safe tool"})
	}
	if a = proofs.ReadOnly(c); a.Holds() {
		return d, q, a
	}
	unproven := a.Reason()
	note := func(r *verdict.Reason) { r.Note(unproven.Text) }
	d, q, a = byMode(in, c, mode)
	return d.Changed(note), q.Changed(note), a
}

// byMode is what a mode says of a tool that is not safe.
func byMode(in *Input, c facts.Facts, mode string) (d verdict.Denial, q verdict.Question, a allowedByMode) {
	switch {
	case mode == "acceptEdits":
		q, a = acceptEdits(c)
	case mode == "auto":
		if a = autoAllowed(c); a.Holds() {
			return d, q, a
		}
		if q, a = proven(c); q.Holds() {
			d, q, a = classified(in, c, q)
		}
	case !facts.Refuses(mode):
		q = confirm(c, "mode: default requires confirmation")
	case mode == "plan" && c.Only() != nil && c.PlanFile(c.Only()):
		a = verdict.ByPlan(verdict.Reason{Text: "mode: the host's own plan file"})
	case mode == "plan" && c.Plans():
		a = verdict.ByPlan(verdict.Reason{Text: "mode: " + c.Call().Tool + " is part of planning"})
	default:
		r := verdict.Reason{Code: say.OfMode(mode), Part: c.Part(), Text: c.Because(), Mark: refusal(c, mode)}
		d = verdict.Refuse(verdict.Must(verdict.Doubtful, r), r)
	}
	return d, q, a
}

// confirm asks about what no rule allows.
func confirm(c facts.Facts, mark string) verdict.Question {
	return verdict.Must(verdict.Doubtful, verdict.Reason{Part: c.Part(), Text: c.Because(), Mark: mark})
}

func acceptEdits(c facts.Facts) (q verdict.Question, a allowedByMode) {
	if rules.EditTool(c.Call().Grantee()) {
		return q, verdict.ByEdits(verdict.Reason{Text: "mode: accept edits"})
	}
	return confirm(c, "mode: accept edits requires confirmation"), a
}

// proven is what the analysis alone makes of a call in mode auto: an edit or a text that is proven benign is allowed;
// everything else, and an edit of what runs unasked, is asked about.
func proven(c facts.Facts) (q verdict.Question, a allowedByMode) {
	benign := &say.Judgement{Verdict: say.AutoAllow, Source: say.ByAnalysis}
	switch {
	case rules.EditTool(c.Call().Grantee()):
		if q = askAutorun(c); !q.Holds() {
			a = verdict.ByEdits(verdict.Reason{Text: "mode: accept edits", Judged: benign})
		}
	case c.Script() == nil:
		return acceptEdits(c)
	default:
		why := proofs.NotBenign(c, worst(c))
		if why == "" {
			return q, verdict.ByAuto(verdict.Reason{Text: "mode: auto, proven benign: its effects stay in the workspace", Judged: benign})
		}
		q, a = acceptEdits(c)
		q = q.Changed(func(r *verdict.Reason) { r.Note("; not proven benign: " + why) })
	}
	return q, a
}

// refusal is the mark of the modes that deny what no rule allows.
func refusal(c facts.Facts, mode string) string {
	if mode == "dontAsk" {
		return "mode: don't ask (auto-deny)"
	}
	return "tool " + c.Call().Grantee() + " is denied in " + strings.ToUpper(mode[:1]) + mode[1:] + " mode"
}

// classified is what the operator's classifier makes of an ask of mode auto. It may
// allow the call, leave it an ask for a reason of its own, or deny it; whatever goes
// wrong with it leaves the ask as it was.
func classified(in *Input, c facts.Facts, asked verdict.Question) (d verdict.Denial, q verdict.Question, a allowedByMode) {
	at := &c.Policy().Posture.Classifier
	yours := "your classifier (" + at.Pos.String() + ")"
	switch {
	case at.Value == "":
		return d, asked, a
	case in.Classify == nil:
		return d, asked.Changed(func(r *verdict.Reason) { r.Note("; " + yours + " was not asked") }), a
	}
	v := verdict.Asking("7", asked.AskedOr(unknown)).Verdict()
	j := in.Classify(in, answered(v, in, c))
	r := verdict.Reason{Part: v.Why().Part, Judged: &j, Mark: "mode: auto, " + j.Source + ", " + at.Pos.String()}
	says := func(code say.Code, what string) {
		if r.Code, r.Text = code, "your classifier "+what; j.Reason != "" {
			r.Text += `: "` + j.Reason + `"`
		}
	}
	switch {
	case j.Verdict == say.AutoAllow:
		says("", "allows it")
		return d, q, verdict.ByAuto(r)
	case j.Verdict == say.AutoSoftDeny:
		says(say.CodeAutoAsked, "wants it confirmed")
	case j.Verdict == say.AutoHardDeny && j.Tired:
		says(say.CodeAutoAsked, "denies it, as it did the calls before (autoDenials), so you are asked")
	case j.Verdict == say.AutoHardDeny:
		says(say.CodeAutoDenied, "denies it")
		return verdict.Deny(r), q, a
	default:
		return d, asked.Changed(func(r *verdict.Reason) {
			r.Judged = &j
			r.Note("; " + yours + " gave no verdict: " + j.Reason)
		}), a
	}
	return d, verdict.Must(verdict.Doubtful, r), a
}

// autoAllowed is the list autoMode.allow, of the user and built in.
func autoAllowed(c facts.Facts) (a allowedByMode) {
	if hit, missing := c.Covered(c.Policy().Auto.Allow); missing == nil {
		r := words.Allows("autoMode.allow", hit.Rule, "")
		auto.Mark(c, &r, rules.AutoAllow, "")
		return verdict.ByAuto(r)
	}
	if r, matches := auto.ByDefaults(c, rules.AutoAllow); matches {
		return verdict.ByAuto(r)
	}
	return a
}

// askAutorun asks in mode auto about an edit of a file that is run without asking.
func askAutorun(c facts.Facts) (q verdict.Question) {
	for u := range c.Units() {
		if !u.Write() {
			continue
		}
		if a := c.AutorunOf(u); a != nil {
			return verdict.Must(verdict.Control, verdict.Reason{Part: u.Text(), Code: say.CodeAutoAsked,
				What: c.Doer(u.Sub()), Text: "writes", Target: u.Quoted(), Why: a.Why(), Mark: "mode: auto asks about files that are run"})
		}
		if bashsafety.Deceptive(u.Text()) {
			return confirm(c, "mode: auto requires confirmation")
		}
	}
	return q
}

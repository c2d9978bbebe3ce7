package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// An allowedByMode is an allow of step 7.
type allowedByMode = verdict.Allowed[verdict.Mode]

// stepMode is the default of the mode, for calls no rule spoke about.
func stepMode(c *Case) (d verdict.Denial, q verdict.Question, a allowedByMode) {
	mode, tool := c.Policy.Mode.Value, c.Call.Grantee()
	if NeedsUser(tool) && !rules.SafeTool(tool) {
		r := verdict.Reason{Code: say.CodeNeedsTheUser, Text: "mode: " + tool + " needs the user"}
		return d, verdict.Must(verdict.Doubtful, r), a
	}
	if rules.SafeTool(tool) {
		return d, q, verdict.BySafeTool(verdict.Reason{Text: "mode: safe tool"})
	}
	if a = readOnly(c); a.Holds() {
		return d, q, a
	}
	unproven := a.Reason()
	note := func(r *verdict.Reason) { r.Note(unproven.Text) }
	d, q, a = byMode(c, mode)
	return d.Changed(note), q.Changed(note), a
}

// byMode is what a mode says of a tool that is not safe.
func byMode(c *Case, mode string) (d verdict.Denial, q verdict.Question, a allowedByMode) {
	switch {
	case mode == "acceptEdits":
		q, a = acceptEdits(c)
	case mode == "auto":
		if a = autoAllowed(c); a.Holds() {
			return d, q, a
		}
		if q, a = c.proven(); q.Holds() {
			d, q, a = c.classified(q)
		}
	case !refuses(mode):
		q = c.confirm("mode: default requires confirmation")
	case mode == "plan" && c.Only() != nil && c.planFile(c.Only()):
		a = verdict.ByPlan(verdict.Reason{Text: "mode: the host's own plan file"})
	case mode == "plan" && c.plans():
		a = verdict.ByPlan(verdict.Reason{Text: "mode: " + c.Call.Tool + " is part of planning"})
	default:
		r := verdict.Reason{Code: say.OfMode(mode), Part: c.part(), Text: c.because(), Mark: c.refusal(mode)}
		d = verdict.Refuse(verdict.Must(verdict.Doubtful, r), r)
	}
	return d, q, a
}

// refusing are the modes that deny what they would ask about.
var refusing = [...]string{"plan", "dontAsk", "explore"}

// refuses reports whether a mode denies what it would ask about.
func refuses(mode string) bool { return slices.Contains(refusing[:], mode) }

// Refuses reports whether a mode, by the name that a host or a flag has for it, denies what it would ask about.
func Refuses(mode string) bool { return refuses(mode) || refuses(rules.ModeAlias(mode)) }

// confirm asks about what no rule allows.
func (c *matcher) confirm(mark string) verdict.Question {
	return verdict.Must(verdict.Doubtful, verdict.Reason{Part: c.part(), Text: c.because(), Mark: mark})
}

func acceptEdits(c *Case) (q verdict.Question, a allowedByMode) {
	if rules.EditTool(c.Call.Grantee()) {
		return q, verdict.ByEdits(verdict.Reason{Text: "mode: accept edits"})
	}
	return c.confirm("mode: accept edits requires confirmation"), a
}

// proven is what the analysis alone makes of a call in mode auto: an edit or a text that is proven benign is allowed;
// everything else, and an edit of what runs unasked, is asked about.
func (c *Case) proven() (q verdict.Question, a allowedByMode) {
	benign := &say.Judgement{Verdict: say.AutoAllow, Source: say.ByAnalysis}
	switch {
	case rules.EditTool(c.Call.Grantee()):
		if q = askAutorun(c); !q.Holds() {
			a = verdict.ByEdits(verdict.Reason{Text: "mode: accept edits", Judged: benign})
		}
	case c.Script == nil:
		return acceptEdits(c)
	default:
		why := c.notBenign(c.worst())
		if why == "" {
			return q, verdict.ByAuto(verdict.Reason{Text: "mode: auto, proven benign: its effects stay in the workspace", Judged: benign})
		}
		q, a = acceptEdits(c)
		q = q.Changed(func(r *verdict.Reason) { r.Note("; not proven benign: " + why) })
	}
	return q, a
}

// refusal is the mark of the modes that deny what no rule allows.
func (in *Input) refusal(mode string) string {
	if mode == "dontAsk" {
		return "mode: don't ask (auto-deny)"
	}
	return in.deniedIn(mode)
}

func (in *Input) deniedIn(mode string) string {
	return "tool " + in.Call.Grantee() + " is denied in " + strings.ToUpper(mode[:1]) + mode[1:] + " mode"
}

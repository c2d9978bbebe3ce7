package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepMode is the default of the mode, for calls no rule spoke about.
func stepMode(c *Case, _ Verdict) Verdict {
	mode, tool := c.Policy.Mode.Value, c.Call.Grantee()
	if NeedsUser(tool) && !rules.SafeTool(tool) {
		return Verdict{Decision: hookio.Ask, Cause: say.CodeNeedsTheUser, Reason: "mode: " + tool + " needs the user"}
	}
	if rules.SafeTool(tool) {
		return grantSafeTool.allow("mode: safe tool")
	}
	ro := readOnly(c)
	if ro.Decision == hookio.Allow {
		return ro
	}
	v := byMode(c, mode)
	if v.Decision != hookio.Allow {
		v = v.saying(ro.Reason)
	}
	return v
}

// byMode is what a mode says of a tool that is not safe.
func byMode(c *Case, mode string) Verdict {
	switch mode {
	case "acceptEdits":
		return acceptEdits(c)
	case "auto":
		return auto(c)
	case "explore", "plan", "dontAsk":
		if mode == "plan" && len(c.units) == 1 && c.planFile(&c.units[0]) {
			return grantPlan.allow("mode: the host's own plan file")
		}
		if mode == "plan" && c.plans() {
			return grantPlan.allow("mode: " + c.Call.Tool + " is part of planning")
		}
		return Verdict{Decision: hookio.Deny, Part: c.part(), Reason: c.because()}.marked(c.refusal(mode)).as(say.OfMode(mode))
	}
	return c.confirm("mode: default requires confirmation")
}

// confirm asks about what no rule allows.
func (c *matcher) confirm(mark string) Verdict {
	return Verdict{Decision: hookio.Ask, Part: c.part(), Reason: c.because()}.marked(mark)
}

func acceptEdits(c *Case) Verdict {
	if rules.EditTool(c.Call.Grantee()) {
		return grantEdit.allow("mode: accept edits")
	}
	return c.confirm("mode: accept edits requires confirmation")
}

// auto is acceptEdits plus the lists of autoMode, the local proof and the operator's
// classifier. An edit of what is run without a question is asked about.
func auto(c *Case) Verdict {
	if v := autoAllowed(c); v.Decision != hookio.Pass {
		return v
	}
	return c.classified(c.proven())
}

// proven is what the analysis alone makes of a call: an edit or a shell text that is
// benign is allowed, everything else asked about.
func (c *Case) proven() Verdict {
	v := acceptEdits(c)
	switch {
	case rules.EditTool(c.Call.Grantee()):
		if asks := askAutorun(c); asks.Decision == hookio.Ask {
			return asks
		}
	case c.Script == nil:
		return v
	default:
		if why := c.notBenign(); why != "" {
			return v.saying("; not proven benign: " + why)
		}
		v = grantBenign.allow("mode: auto, proven benign: its effects stay in the workspace")
	}
	v.Judged = &Judgement{Verdict: AutoAllow, Source: ByAnalysis}
	return v
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

package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// stepMode is the default of the mode, for calls no rule spoke about.
func stepMode(c *Case, _ Verdict) Verdict {
	mode, tool := c.Policy.Mode.Value, c.Call.Grantee()
	if NeedsUser(tool) && !rules.SafeTool(tool) {
		return Verdict{Decision: hookio.Ask, Cause: CodeNeedsTheUser, Reason: "mode: " + tool + " needs the user"}
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
		return Verdict{Decision: hookio.Deny, Part: c.part(), Reason: c.because()}.marked(c.refusal(mode)).as(modeCode(mode))
	}
	return c.confirm("mode: default requires confirmation")
}

// confirm asks about what no rule allows.
func (c *Case) confirm(mark string) Verdict {
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
func (c *Case) refusal(mode string) string {
	if mode == "dontAsk" {
		return "mode: don't ask (auto-deny)"
	}
	return c.deniedIn(mode)
}

func (c *Case) deniedIn(mode string) string {
	return "tool " + c.Call.Grantee() + " is denied in " + strings.ToUpper(mode[:1]) + mode[1:] + " mode"
}

// part names the part of the call that keeps the allow rules from covering it.
func (c *Case) part() string {
	for _, list := range c.GrantLists() {
		if u := c.cause(list); u != nil && u.text != "" {
			return u.text
		}
	}
	return c.Call.Tool
}

// because says which part no rule allows, and what would be accepted.
func (c *Case) because() string {
	list := c.GrantLists()[0]
	if u := c.cause(list); u != nil {
		return c.uncovered(list, u) + c.dropped(u) + c.modeNotes()
	}
	return "no rule of its own allows " + c.Call.Grantee() + c.modeNotes()
}

// dropped names the first grant that would cover a part if it counted.
func (c *Case) dropped(u *unit) string {
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		if a := c.Policy.Agent; c.strict() && (a == nil || d.Pos.File != a.Pos.File) {
			continue // it would not count for this caller either way
		}
		if c.wouldCover(d, u) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// wouldCover reports whether a grant that was dropped, a mode or a rule, would
// cover a part.
func (c *Case) wouldCover(d *rules.Dropped, u *unit) bool {
	if d.Mode != "" {
		return rules.EditTool(c.Call.Tool) && c.Call.Mode == "" && !c.Call.Subagent()
	}
	r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, false)
	return err == nil && len(c.matchRules([]rules.Rule{r}, &u.subject)) > 0
}

func (c *Case) modeNotes() string {
	out := ""
	if c.Call.Alias {
		out = "; on this host permgate knows no tool " + c.Call.RawTool + ", so nothing granted to " + c.Call.Tool +
			" counts: register the hook with --host, or allow " + c.Call.RawTool + " by that name"
	}
	if c.unknownSkill() {
		out += "; the definition of skill " + c.Policy.Skill.Name + " is missing or cannot be used, so nothing is granted"
	} else if c.unread() {
		out += "; the definition of agent " + c.Policy.Agent.Name + " cannot be used (" +
			c.Policy.Agent.Pos.String() + "), so nothing is granted to it"
	}
	for _, n := range c.Policy.ModeNotes {
		out += "; " + n
	}
	return out
}

// readOnly allows a shell text that is proven to only read, where the posture
// counts such texts as safe. Where it is not proven the verdict has no opinion,
// and its reason says why.
func readOnly(c *Case) (v Verdict) {
	set := &c.Policy.Posture.ReadOnlyCommands
	if set.Value != "allow" || c.Script == nil || c.Call.Alias {
		return v
	}
	if v.Reason = c.Unproven(); v.Reason != "" {
		v.Reason = "; not proven read-only: " + v.Reason
		return v
	}
	v = grantReadOnly.allow("read-only: every command only reads")
	v.ReadOnly = true
	if pos := set.Pos.String(); pos != "" {
		v.Reason += ` ("readOnlyCommands" is "allow": ` + pos + ")"
	}
	return v
}

// autoAllowed is the list autoMode.allow, of the user and built in.
func autoAllowed(c *Case) Verdict {
	if hit, missing := c.covered(c.Policy.Auto.Allow); missing == nil {
		v := grantAutoList.by(c.byRule(hookio.Pass, "autoMode.allow: "+hit.Rule.Text, hit.Rule, nil))
		return c.judged(v, rules.AutoAllow, "")
	}
	return c.byDefaults(rules.AutoAllow)
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
		o = grantJudged.by(o)
		o.Reason = "your classifier allows it"
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

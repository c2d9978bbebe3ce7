package decide

import (
	"strings"

	"permgate/hookio"
	"permgate/rules"
)

// stepMode is the default of the mode, for calls no rule spoke about.
func stepMode(c *Case) Verdict {
	mode, tool := c.Policy.Mode.Value, c.Call.Tool
	if NeedsUser(tool) && !rules.SafeTool(tool) {
		return Verdict{Decision: hookio.Ask, Reason: "mode: " + tool + " needs the user"}
	}
	if rules.SafeTool(tool) {
		return Verdict{Decision: hookio.Allow, Reason: "mode: safe tool"}
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
			return Verdict{Decision: hookio.Allow, Reason: "mode: the host's own plan file"}
		}
		return Verdict{Decision: hookio.Deny, Part: c.part(), Reason: c.because()}.marked(c.refusal(mode))
	}
	return Verdict{Decision: hookio.Ask, Part: c.part(), Reason: c.because()}.marked("mode: default requires confirmation")
}

func acceptEdits(c *Case) Verdict {
	if rules.EditTool(c.Call.Tool) {
		return Verdict{Decision: hookio.Allow, Reason: "mode: accept edits"}
	}
	return Verdict{Decision: hookio.Ask, Part: c.part(), Reason: c.because()}.marked("mode: accept edits requires confirmation")
}

// auto is acceptEdits plus the lists of autoMode and the operator's classifier.
func auto(c *Case) Verdict {
	if hit, missing := c.covered(c.Policy.Auto.Allow); missing == nil {
		return c.byRule(hookio.Allow, "autoMode.allow: "+hit.Rule.Text, hit.Rule, nil)
	}
	if c.Classify != nil {
		if v := c.Classify(c); v.Decision != hookio.Pass {
			return v
		}
	}
	return acceptEdits(c)
}

// refusal is the mark of the modes that deny what no rule allows.
func (c *Case) refusal(mode string) string {
	if mode == "dontAsk" {
		return "mode: don't ask (auto-deny)"
	}
	return c.deniedIn(mode)
}

func (c *Case) deniedIn(mode string) string {
	return "tool " + c.Call.Tool + " is denied in " + strings.ToUpper(mode[:1]) + mode[1:] + " mode"
}

// part names the part of the call that keeps the allow rules from covering it.
func (c *Case) part() string {
	for _, list := range c.grantLists() {
		if u := c.cause(list); u != nil && u.text != "" {
			return u.text
		}
	}
	return c.Call.Tool
}

// because says which part no rule allows, and what would be accepted.
func (c *Case) because() string {
	list := c.grantLists()[0]
	if u := c.cause(list); u != nil {
		return c.uncovered(list, u) + c.dropped(u) + c.modeNotes()
	}
	return "no rule of its own allows " + c.Call.Tool + c.modeNotes()
}

// dropped names the first grant that would cover a part if it counted.
func (c *Case) dropped(u *unit) string {
	for i := range c.Policy.Dropped {
		d := &c.Policy.Dropped[i]
		if a := c.Policy.Agent; c.strict() && (a == nil || d.Pos.File != a.Pos.File) {
			continue // it would not count for this caller either way
		}
		if d.Mode != "" {
			if rules.EditTool(c.Call.Tool) && c.Call.Mode == "" && !c.Call.Subagent() {
				return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
			}
			continue
		}
		r, err := rules.ParseRule(d.Text, rules.Allow, rules.ScopeNone, d.Pos, false)
		if err == nil && len(c.Policy.Match([]rules.Rule{r}, &u.subject)) > 0 {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

func (c *Case) modeNotes() string {
	out := ""
	if c.unread() {
		out = "; the definition of agent " + c.Policy.Agent.Name + " cannot be used (" + c.Policy.Agent.Pos.String() + "), so nothing is granted to it"
	}
	for _, n := range c.Policy.ModeNotes {
		out += "; " + n
	}
	return out
}

func (c *Case) modeOrigin() string {
	if pos := c.Policy.Mode.Pos.String(); pos != "" {
		return " (" + pos + ")"
	}
	return ""
}

// faulted is step 0: while a settings file cannot be used, steps 3 to 7 allow
// nothing that has a path, a URL or a command.
func faulted(c *Case, v Verdict) Verdict {
	if v.Decision != hookio.Allow || !c.reachesOut() {
		return Verdict{}
	}
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed {
			return Verdict{Decision: hookio.Ask, Reason: "settings cannot be used: " + f.Pos.String() + ": " + f.Msg +
				". Fix the file first; until then every allow becomes ask"}.marked("otherwise: " + v.Reason)
		}
	}
	return Verdict{}
}

// reachesOut reports whether the call has a path, a URL or a command, be it
// only the working directory that a search without a path searches.
func (c *Case) reachesOut() bool {
	if c.Call.Command != "" || len(c.Call.Args) > 0 {
		return true
	}
	for i := range c.units {
		if s := &c.units[i].subject; s.Path != nil || s.URL != nil {
			return true
		}
	}
	switch c.Call.Primary { // of a tool nobody knows
	case "file_path", "path", "url", "command":
		return true
	}
	return false
}

// coerced is step 8: where nobody can be asked, ask is deny. The original
// reason is kept.
func coerced(c *Case, v Verdict) Verdict {
	if v.Decision != hookio.Ask || v.Step == "7" && NeedsUser(c.Call.Tool) {
		return Verdict{} // a tool that is itself the question to the user stays one
	}
	deny := func(mark string) Verdict {
		o := v
		o.Decision, o.mark, o.Reason = hookio.Deny, "", v.sentence()
		return o.marked(c.seedMark(v) + mark)
	}
	p := c.Policy
	switch mode := p.Mode.Value; {
	case mode == "dontAsk" && v.Check != nil:
		return deny("mode: don't ask (auto-deny): " + seedWords(v.Check))
	case mode == "dontAsk":
		return deny("mode: don't ask (auto-deny)")
	case mode == "explore" || mode == "plan":
		return deny(c.deniedIn(mode))
	case c.subagentDenies():
		if v.Step == "7" {
			return deny("tool " + c.Call.Tool + " would require approval; a subagent in " + mode + " mode denies it")
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
func (c *Case) seedMark(v Verdict) string {
	switch {
	case v.Check != nil && c.Policy.Mode.Value != "dontAsk":
		return v.Check.ID + ": " + strings.TrimPrefix(seedWords(v.Check), "bypass-immune: ") + "; "
	case v.mark != "" && v.Step != "7":
		return v.id() + "; "
	}
	return ""
}

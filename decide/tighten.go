package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
)

// faulted is step 0: while a settings file cannot be used, steps 3 to 7 allow
// nothing that has a path, a URL or a command.
func faulted(c *Case, v Verdict) Verdict {
	if v.Decision != hookio.Allow || !c.reachesOut() {
		return Verdict{}
	}
	for i := range c.Policy.Faults {
		if f := &c.Policy.Faults[i]; f.Closed {
			return Verdict{Decision: hookio.Ask, Faulted: true, Reason: "settings cannot be used: " + f.Pos.String() + ": " + f.Msg +
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
		u := &c.units[i]
		word := u.access && !begins(u.text) && !strings.ContainsAny(u.text, "/%") // it may be a name of anything
		if (u.subject.Path != nil || u.subject.URL != nil) && !word {
			return true
		}
	}
	switch c.Call.Primary { // of an unknown tool
	case "file_path", "path", "url", "command":
		return true
	}
	return false
}

// coerced is step 8: where no one can be asked, ask is deny. The original
// reason is kept.
func coerced(c *Case, v Verdict) Verdict {
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
		return deny("mode: don't ask (auto-deny): " + seedWords(v.Check)).as(CodeDontAsk)
	case mode == "dontAsk":
		return deny("mode: don't ask (auto-deny)").as(CodeDontAsk)
	case mode == "explore" || mode == "plan":
		return deny(c.deniedIn(mode)).as(modeCode(mode))
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
func (c *Case) seedMark(v Verdict) string {
	switch {
	case v.Check != nil && c.Policy.Mode.Value != "dontAsk":
		return v.Check.ID + ": " + strings.TrimPrefix(seedWords(v.Check), "bypass-immune: ") + "; "
	case v.mark != "" && v.Step != "7":
		return v.id() + "; "
	}
	return ""
}

package facts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A rule with a pattern on a command grants running, not writing. What a redirect, or an option or a program text of a
// command that is there to print, writes into the workspace is a part of the call that needs an allow of its own.

// needsGrant reports whether a write into the workspace needs one: it is besides what the program is for, and no mode
// or grant of the session lets the file be edited.
func (c *reading) needsGrant(u *Unit) bool {
	e, extra := u.effect, u.effect.Extra
	if e.Redirect {
		extra = !c.CoversRedirects()
	}
	if !extra || e.Kind != bashsafety.Write || u.sub.Script != nil || !u.sub.NeedsRule() {
		return false
	}
	switch c.Policy().Mode.Value {
	case rules.ModeBypass:
		return false
	case "acceptEdits": // hosts write by themselves there what they can read off the text
		unseen := e.Raw != "" || Launched(u.sub) || !c.Script().Straightforward()
		return e.Redirect && unseen && !c.CoversRedirects()
	case rules.ModeAuto: // a host with a classifier of its own judges the write
		return c.Call().Host != nil && c.Call().Host.AutoClassifier || c.AutorunOf(u) != nil
	}
	return !c.Grants().AllEdits || c.Strict()
}

// CoversRedirects reports whether a rule on a command covers what a redirect writes into the workspace: in the bare
// posture, and where the grammar of the host has it so.
func (c *scene) CoversRedirects() bool {
	if c.Call().Host == nil || !c.Defers() && !c.Policy().Posture.LeftToHost {
		return true
	}
	g := c.Grammar()
	return g != nil && g.Redirects
}

// Grammar is how rules of the calling host on commands are read, nil where it was not driven, or there is no host.
func (c *scene) Grammar() *hookio.Grammar {
	if c.Call().Host == nil {
		return nil
	}
	return c.Call().Host.Alone.Grammar
}

// coversWrite returns a rule on a command that covers such a write of it as well: one about every command, and one
// that spells it.
func (c *matcher) coversWrite(list []rules.Rule, u *Unit) (rules.Hit, bool) {
	for o := range c.Units() {
		if o.subject.Command == nil || o.sub != u.sub && !u.sub.Structural {
			continue
		}
		for _, h := range c.Matches(list, o) {
			spells := h.Whole || h.Rule.Bare
			if !u.effect.Redirect && !strings.ContainsAny(h.Rule.Pattern, "*?") {
				spells = c.covers(h, o)
			}
			if spells && h.Sure {
				return h, true
			}
		}
	}
	return rules.Hit{}, false
}

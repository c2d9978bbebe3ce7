package replay

import (
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// kindOf names a change by what the program is told now.
func kindOf(told string) string {
	switch told {
	case "allow":
		return Allowed
	case "ask":
		return Asked
	case "deny":
		return Refused
	}
	return Left
}

// responsible returns which of two answers explains that they differ: that of a rule
// only one side has, the new one first, else that of the new side.
func responsible(now, was *Answer, p, old *rules.Policy) (by *Answer, gone bool) {
	switch {
	case now.rule != nil && !has(old, now.rule):
		return now, false
	case was.rule != nil && !has(p, was.rule):
		return was, true
	}
	return now, false
}

// has reports whether a policy has a rule, on whatever line.
func has(p *rules.Policy, r *rules.Rule) bool {
	for _, list := range [...][]rules.Rule{p.Deny, p.Ask, p.Allow} {
		for i := range list {
			if o := &list[i]; o.Text == r.Text && o.List == r.List && o.Scope == r.Scope {
				return true
			}
		}
	}
	return false
}

// maxShown bounds the text of a call that is shown, in bytes.
const maxShown = 400

// shown is what a call is about, as people may see it: without secrets, and cut.
func shown(c *hookio.Call) string {
	text := c.RawTool
	switch {
	case c.Command != "":
		text = c.Command
	case len(c.Args) > 0:
		for _, a := range c.Args {
			text += " " + a.Path
		}
	case c.URL != "":
		text += " " + c.URL
	case c.Name != "":
		text += " " + c.Name
	}
	return clip(text, maxShown)
}

// clip takes the secrets out of a text and cuts it. What lies a little behind the cut
// is looked at as well, so that no secret is cut in two before it is recognised.
func clip(s string, limit int) string {
	const margin = 4 << 10
	long := len(s) > limit
	s, _ = redact.Text(strings.Clone(s[:min(len(s), limit+margin)]))
	if !long || len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + " ..."
}

package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/rules"
)

// byRule is the verdict of a rule: its words, its place, the part it met.
func (c *Case) byRule(d hookio.Decision, what string, r *rules.Rule, u *unit) Verdict {
	v := Verdict{Decision: d, Rule: r, Reason: what, Managed: d == hookio.Deny && r.Scope == rules.Managed}
	if pos := r.Pos.String(); pos != "" {
		v.Reason += " (" + pos + ")"
	}
	if u != nil {
		v.Part = u.text
		v.Reason += " matches " + u.named() + origin(u.sub)
	}
	if r.Note != "" {
		v.Reason += "; the rule is malformed and read as " + r.Note
	}
	return v
}

// label names a unit in a reason: file operands with what is done to them.
func (u *unit) label() string {
	if u.effect == nil {
		return u.text
	}
	switch u.effect.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return "write " + u.text
	case bashsafety.Network:
		return "fetch " + u.text
	}
	return "read " + u.text
}

// of names the subcommand a path belongs to, followed by a blank; "" for tools.
func (u *unit) of() string {
	if u.sub == nil || len(u.sub.Argv) == 0 {
		return ""
	}
	return quoted(Spell(u.sub.Argv)) + origin(u.sub) + " "
}

// origin says which script of the project holds a subcommand, "" when it is
// in the text of the call.
func origin(sub *bashsafety.Subcommand) string {
	if sub == nil || sub.Script == nil {
		return ""
	}
	return " in " + hookio.Escape(sub.Script.String())
}

// place names a path, with its target when a symlink leads elsewhere.
func (u *unit) place() string {
	if u.hit.Real != u.hit.Given {
		return u.hit.Given + " (really " + u.hit.Real + ")"
	}
	return u.hit.Given
}

// maxQuoted bounds what a reason repeats of a call, in bytes.
const maxQuoted = 200

// maxQuotable bounds what is looked at for that. It is much more, so that no
// secret is cut in two before it is recognised.
const maxQuotable = 4 << 10

// quoted repeats part of a call in a reason: shortened, invisible characters
// escaped, values that look like secrets left out.
func quoted(s string) string {
	s, _ = redact.Text(s[:min(len(s), maxQuotable)])
	if len(s) > maxQuoted {
		cut := maxQuoted
		for cut > 0 && s[cut]&0xC0 == 0x80 {
			cut--
		}
		s = s[:cut] + "…"
	}
	mark := "`"
	if strings.Contains(s, mark) {
		mark = "\""
	}
	return mark + hookio.Escape(s) + mark
}

package decide

import (
	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// byRule is the verdict of a rule: its words, its place, the part it met.
func byRule(d hookio.Decision, what string, r *rules.Rule, u *unit) Verdict {
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

// quoted repeats part of a call in a reason.
func quoted(s string) string { return say.Quoted(s) }

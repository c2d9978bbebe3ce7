package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// An exact allow rule of the user's own lifts, where "destructive" is
// "practical", what step 2 finds destructive and what step 3b asks about, for
// that very subcommand and where the rule was recorded for. It lifts nothing
// else: neither what is catastrophic, sensitive or hides what it does, nor a
// doubt or a managed ask.

// lifted reports whether such a rule takes a finding back.
func (c *matcher) lifted(f *bashsafety.Finding) bool {
	if f.Check.Severity != bashsafety.Destructive || f.Sub < 0 || c.Script == nil {
		return false
	}
	return c.liftedBy(&c.Script.Subcommands[f.Sub], f.Check.About) != nil
}

// liftedWrite reports whether such a rule takes step 3b's question about a write
// back.
func (c *matcher) liftedWrite(u *unit) bool {
	return u.isOperand() && c.liftedBy(u.sub, bashsafety.AboutFiles) != nil
}

// liftedBy returns the rule that lifts for a subcommand what is about files, git
// or anything else.
func (c *matcher) liftedBy(sub *bashsafety.Subcommand, about bashsafety.About) *rules.Rule {
	if !c.practical() || c.strict() || !spelledOut(sub) {
		return nil
	}
	lists := [...][]rules.Rule{c.Policy.Allow, c.Grants.Rules}
	if c.Policy.ManagedOnly.On() {
		lists[1] = nil
	}
	for i := range c.units {
		if !c.units[i].isCommand(sub) {
			continue
		}
		for _, list := range lists {
			for _, hit := range c.matches(list, i) {
				if c.spellsOut(hit, i) && c.liftsHere(hit.Rule, sub, about) {
					return hit.Rule
				}
			}
		}
	}
	return nil
}

// practical reports whether the posture lets go of what can be made again.
func (in *Input) practical() bool { return in.Policy.Posture.Destructive.Value == "practical" }

// isCommand reports whether a unit is a subcommand itself, and no operand of it.
func (u *unit) isCommand(sub *bashsafety.Subcommand) bool { return u.sub == sub && u.effect == nil }

// isOperand reports whether a unit is a file or address that a command names by
// itself, and not by a redirect of the shell.
func (u *unit) isOperand() bool { return u.sub != nil && u.effect != nil && !u.effect.Redirect }

// spellsOut reports whether an exact rule is certain to match a part, and does so
// by its own words, not as a rule for the whole text alone.
func (c *reading) spellsOut(hit rules.Hit, unit int) bool {
	if !hit.Sure || !hit.Rule.Exact() {
		return false
	}
	if !hit.Whole {
		return true
	}
	s := c.units[unit].subject
	s.Whole = ""
	return len(c.Policy.Match([]rules.Rule{*hit.Rule}, &s)) > 0
}

// spelledOut reports whether the words of a subcommand are all there is to it:
// nothing else runs it, feeds it or redirects what it says.
func spelledOut(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Redirect && e.Kind != bashsafety.Read {
			return false
		}
	}
	return !launched(sub) && !sub.Remote && !sub.Fed && len(sub.From) == 0
}

// liftsHere reports whether a rule lifts where the subcommand runs. One in the
// local file, or granted to the session, was recorded for the project; one of
// the user for no folder.
func (in *Input) liftsHere(r *rules.Rule, sub *bashsafety.Subcommand, about bashsafety.About) bool {
	switch {
	case about == bashsafety.AboutElse:
		return r.Scope == rules.User
	case r.Scope != rules.User && r.Scope != rules.Local && r.Scope != rules.Session:
		return false
	case about == bashsafety.AboutFiles && absoluteOnly(sub):
		return true
	}
	return r.Scope != rules.User && in.inRoot(sub)
}

// inRoot reports whether a subcommand is certain to run in the project root.
func (in *Input) inRoot(sub *bashsafety.Subcommand) bool {
	root := in.Policy.Project
	if in.Script.Sourced(sub) {
		return false
	}
	return len(sub.Dirs) == 1 && root.Given != "" && (sub.Dirs[0] == root.Given || sub.Dirs[0] == root.Real)
}

// absoluteOnly reports whether a command does the same in every folder: the
// tables say so, and every word but plain options is an absolute path.
func absoluteOnly(sub *bashsafety.Subcommand) bool {
	for i := range sub.Argv[min(1, len(sub.Argv)):] {
		w := &sub.Argv[i+1]
		option := strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, "=/:")
		if !w.Known || !option && !strings.HasPrefix(w.Text, "/") {
			return false
		}
	}
	return sub.Absolute()
}

// Lifts lists the subcommands for which an exact rule of a scope would take back
// what is asked about now: destructive findings, and writes of step 3b. finding
// is set where it is one of the former.
func Lifts(c *Case, scope rules.Scope) (parts []Part, finding bool) {
	c.prepare()
	if !c.practical() || c.strict() || c.Script == nil {
		return nil, false
	}
	for i := range c.Script.Findings {
		f := &c.Script.Findings[i]
		if !c.stillAsked(f) {
			continue
		}
		if u := c.liftable(scope, &c.Script.Subcommands[f.Sub], f.Check.About); u != nil {
			parts, finding = append(parts, u.part()), true
		}
	}
	for i := range c.units {
		u := &c.units[i]
		if !u.isOperand() || !c.outside(u) {
			continue
		}
		if u = c.liftable(scope, u.sub, bashsafety.AboutFiles); u != nil {
			parts = append(parts, u.part())
		}
	}
	return parts, finding
}

// stillAsked reports whether a finding is destructive, and neither the posture nor a
// rule takes it back.
func (c *Case) stillAsked(f *bashsafety.Finding) bool {
	return f.Check.Severity == bashsafety.Destructive && f.Sub >= 0 && !c.takesBack(askFinding, question{finding: f})
}

// liftable returns the part of the call that an exact rule of a scope has to name
// to take back what is asked about a subcommand, nil where none could.
func (c *reading) liftable(scope rules.Scope, sub *bashsafety.Subcommand, about bashsafety.About) *unit {
	if !spelledOut(sub) || !c.liftsHere(&rules.Rule{Scope: scope}, sub, about) {
		return nil
	}
	for i := range c.units {
		if c.units[i].isCommand(sub) {
			return &c.units[i]
		}
	}
	return nil
}

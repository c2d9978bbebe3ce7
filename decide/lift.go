package decide

import (
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
)

// An exact allow rule of the user's own lifts, where "destructive" is
// "practical", what step 2 finds destructive and what step 3b asks about, for
// that very subcommand and where the rule was recorded for. It lifts nothing
// else: neither what is catastrophic, sensitive or hides what it does, nor a
// doubt or a managed ask.

// lifted reports whether such a rule takes a finding back.
func (c *Case) lifted(f *bashsafety.Finding) bool {
	if f.Check.Severity != bashsafety.Destructive || f.Sub < 0 || c.Script == nil {
		return false
	}
	return c.liftedBy(&c.Script.Subcommands[f.Sub], f.Check.About) != nil
}

// liftedWrite reports whether such a rule takes step 3b's question about a write
// back.
func (c *Case) liftedWrite(u *unit) bool {
	return u.sub != nil && u.effect != nil && !u.effect.Redirect && c.liftedBy(u.sub, bashsafety.AboutFiles) != nil
}

// liftedBy returns the rule that lifts for a subcommand what is about files, git
// or anything else.
func (c *Case) liftedBy(sub *bashsafety.Subcommand, about bashsafety.About) *rules.Rule {
	if c.Policy.Gate.Destructive.Value != "practical" || c.strict() || !spelledOut(sub) {
		return nil
	}
	lists := [...][]rules.Rule{c.Policy.Allow, c.Grants.Rules}
	if c.Policy.ManagedOnly.On() {
		lists[1] = nil
	}
	for i := range c.units {
		u := &c.units[i]
		if u.sub != sub || u.effect != nil {
			continue
		}
		for _, list := range lists {
			for _, hit := range c.matches(list, i) {
				if hit.Sure && hit.Rule.Exact() && c.names(hit, i) && c.liftsHere(hit.Rule, sub, about) {
					return hit.Rule
				}
			}
		}
	}
	return nil
}

// names reports whether a rule that matches a part does so by its own words, and
// not as one for the whole text alone.
func (c *Case) names(hit rules.Hit, unit int) bool {
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
func (c *Case) liftsHere(r *rules.Rule, sub *bashsafety.Subcommand, about bashsafety.About) bool {
	switch {
	case about == bashsafety.AboutElse:
		return r.Scope == rules.User
	case r.Scope != rules.User && r.Scope != rules.Local && r.Scope != rules.Session:
		return false
	case about == bashsafety.AboutFiles && absoluteOnly(sub):
		return true
	}
	return r.Scope != rules.User && c.inRoot(sub)
}

// inRoot reports whether a subcommand is certain to run in the project root.
func (c *Case) inRoot(sub *bashsafety.Subcommand) bool {
	root := c.Policy.Project
	if c.Script.Sourced(sub) {
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
	if c.Policy.Gate.Destructive.Value != "practical" || c.strict() || c.Script == nil {
		return nil, false
	}
	add := func(sub *bashsafety.Subcommand, about bashsafety.About) bool {
		if !spelledOut(sub) || !c.liftsHere(&rules.Rule{Scope: scope}, sub, about) {
			return false
		}
		for i := range c.units {
			if u := &c.units[i]; u.sub == sub && u.effect == nil {
				parts = append(parts, u.part())
				return true
			}
		}
		return false
	}
	for i := range c.Script.Findings {
		f := &c.Script.Findings[i]
		if f.Check.Severity == bashsafety.Destructive && f.Sub >= 0 && !c.waived(f) && !c.lifted(f) {
			finding = add(&c.Script.Subcommands[f.Sub], f.Check.About) || finding
		}
	}
	for i := range c.units {
		if u := &c.units[i]; u.sub != nil && u.effect != nil && !u.effect.Redirect && c.outside(u) {
			add(u.sub, bashsafety.AboutFiles)
		}
	}
	return parts, finding
}

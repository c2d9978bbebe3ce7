package lifts

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
)

// An exact allow rule of the user's own lifts, where "destructive" is
// "practical", what step 2 finds destructive and what step 3b asks about, for
// that very subcommand and where the rule was recorded for. It lifts nothing
// else: neither what is catastrophic, sensitive or hides what it does, nor a
// doubt or a managed ask.

// lifted reports whether such a rule takes a finding back.
func lifted(c facts.Facts, f *bashsafety.Finding) bool {
	if f.Check.Severity != bashsafety.Destructive || f.Sub < 0 || c.Script() == nil {
		return false
	}
	return liftedBy(c, &c.Script().Subcommands[f.Sub], f.Check.About) != nil
}

// liftedWrite reports whether such a rule takes step 3b's question about a write
// back.
func liftedWrite(c facts.Facts, u *facts.Unit) bool {
	return u.IsOperand() && liftedBy(c, u.Sub(), bashsafety.AboutFiles) != nil
}

// liftedBy returns the rule that lifts for a subcommand what is about files, git
// or anything else.
func liftedBy(c facts.Facts, sub *bashsafety.Subcommand, about bashsafety.About) *rules.Rule {
	if !c.Practical() || c.Strict() || !bareCommand(sub) {
		return nil
	}
	lists := [...][]rules.Rule{c.Policy().Allow, c.Grants().Rules}
	if c.Policy().ManagedOnly.On() {
		lists[1] = nil
	}
	for u := range c.Units() {
		if !u.IsCommand(sub) {
			continue
		}
		for _, list := range lists {
			for _, hit := range c.Matches(list, u) {
				if matchesByWords(c, hit, u) && liftsHere(c, hit.Rule, sub, about) {
					return hit.Rule
				}
			}
		}
	}
	return nil
}

// matchesByWords reports whether an exact rule is certain to match a part, and does so
// by its own words, not as a rule for the whole text alone.
func matchesByWords(c facts.Facts, hit rules.Hit, u *facts.Unit) bool {
	if !hit.Sure || !hit.Rule.Exact() {
		return false
	}
	if !hit.Whole {
		return true
	}
	s := u.Subject()
	s.Whole = ""
	return len(c.Policy().Match([]rules.Rule{*hit.Rule}, &s)) > 0
}

// bareCommand reports whether the words of a subcommand are all there is to it:
// nothing else runs it, feeds it or redirects what it says.
func bareCommand(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Redirect && e.Kind != bashsafety.Read {
			return false
		}
	}
	return !facts.Launched(sub) && sub.Here() && !sub.Fed && len(sub.From) == 0
}

// liftsHere reports whether a rule lifts where the subcommand runs. One in the
// local file, or granted to the session, was recorded for the project; one of
// the user for no folder.
func liftsHere(c facts.Facts, r *rules.Rule, sub *bashsafety.Subcommand, about bashsafety.About) bool {
	switch {
	case about == bashsafety.AboutElse:
		return r.Scope == rules.User
	case r.Scope != rules.User && r.Scope != rules.Local && r.Scope != rules.Session:
		return false
	case about == bashsafety.AboutFiles && absoluteOnly(sub):
		return true
	}
	return r.Scope != rules.User && inRoot(c, sub)
}

// inRoot reports whether a subcommand is certain to run in the project root.
func inRoot(c facts.Facts, sub *bashsafety.Subcommand) bool {
	root := c.Policy().Project
	if c.Script().Sourced(sub) {
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

// Liftable returns the part of the call that an exact rule of a scope has to name
// to take back what is asked about a subcommand, nil where none could.
func Liftable(c facts.Facts, scope rules.Scope, sub *bashsafety.Subcommand, about bashsafety.About) *facts.Unit {
	if !bareCommand(sub) || !liftsHere(c, &rules.Rule{Scope: scope}, sub, about) {
		return nil
	}
	for u := range c.Units() {
		if u.IsCommand(sub) {
			return u
		}
	}
	return nil
}

// TakenBack says why step 2 has no opinion on a call with a finding.
func TakenBack(c facts.Facts) string {
	if c.Script() == nil {
		return ""
	}
	for i := range c.Script().Findings {
		f := &c.Script().Findings[i]
		switch {
		case f.Sub < 0 || f.Check.Severity != bashsafety.Destructive:
		case c.Waived(f):
			return say.Quoted(facts.Spell(c.Script().Subcommands[f.Sub].Argv)) +
				` deletes only what is rebuildable, temporary, unchanged in git, one plain file or not there ("destructive" is "practical"` +
				at(c.Policy().Posture.Destructive.Pos) + ")"
		default:
			if r := liftedBy(c, &c.Script().Subcommands[f.Sub], f.Check.About); r != nil {
				return "check " + f.Check.ID + " is lifted by " + r.Text + " (" + r.Pos.String() + ")"
			}
		}
	}
	return ""
}

// at names a place in brackets that are open already.
func at(pos rules.Pos) string {
	if pos.File == "" {
		return ""
	}
	return ": " + pos.String()
}

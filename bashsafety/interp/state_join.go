package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// join merges the state of a branch that may or may not have run; since is the
// list of bindings both started from.
func (s *state) join(branch *state, since *binding) {
	s.forgetSince(branch.vars, since)
	s.cwd = s.cwd.Or(branch.cwd)
	for _, n := range branch.blockers {
		s.addBlocker(n)
	}
	for _, a := range branch.aliases {
		if !slices.Contains(s.aliases, a) {
			s.aliases = append(s.aliases, a)
		}
	}
	s.ifs = s.ifs || branch.ifs
	s.fed = s.fed || branch.fed
	s.cdpath = s.cdpath || branch.cdpath
	s.nullglob = s.nullglob || branch.nullglob
	s.allexport = s.allexport || branch.allexport
	s.errexit = s.errexit && branch.errexit
}

// addBlocker adds a reason for every later command; a few are enough.
func (s *state) addBlocker(why string) {
	if len(s.blockers) < 8 && !slices.Contains(s.blockers, why) {
		s.blockers = append(s.blockers, why)
		if s.ever != nil && len(*s.ever) < 32 && !slices.Contains(*s.ever, why) {
			*s.ever = append(*s.ever, why)
		}
	}
}

// forgetSince makes unknown what vars binds and since does not.
func (s *state) forgetSince(vars, since *binding) {
	var names []string
	for b := vars; b != nil && b != since; b = b.next {
		if b.name == "" {
			s.forget()
			return
		}
		if !slices.Contains(names, b.name) {
			names = append(names, b.name)
		}
	}
	before := state{vars: since}
	for _, n := range names {
		old := before.bound(n)
		s.push(binding{name: n, text: shell.HoleMark, sure: old != nil && old.sure})
	}
}

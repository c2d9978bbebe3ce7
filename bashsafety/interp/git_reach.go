package interp

import (
	"slices"
	"strings"
)

// GitReach says in how far a git command that only reads looks beyond the
// repository it works in, "" when it does not.
func (s *Subcommand) GitReach() string {
	c := s.Call
	if !c.IsGit() {
		return ""
	}
	switch {
	case c.Subs[0] == "ls-remote",
		c.Subs[0] == "remote" && (slices.Contains(c.Subs, "show") || slices.Contains(c.Subs, "update")):
		return "it contacts a remote using the settings of another repository"
	case c.Has("submodule") && c.Option("submodule").Value.Text != "short", c.Has("alternate-refs"):
		return "it looks into other repositories"
	}
	return ""
}

// MakesRepository reports whether the command writes a new repository or work
// tree, with nothing in its configuration that the command line gives it.
func (s *Subcommand) MakesRepository() bool {
	c := s.Call
	if !c.IsGit() || len(s.PatternBlockers) > 0 || len(s.Assigns) > 0 {
		return false
	}
	switch c.Subs[0] {
	case "clone", "init":
		return true // options that bring settings narrow
	case "worktree":
		return len(c.Subs) > 1 && c.Subs[1] == "add"
	}
	return false
}

// SetBefore lists the variables that steer programs and that the text may have
// set by the time the command runs, without those in front of it.
func (s *Subcommand) SetBefore() (names []string) {
	for _, why := range s.PatternBlockers {
		if f := strings.Fields(why); len(f) > 2 && setBefore(f[2]) == why {
			names = append(names, f[2])
		}
	}
	return names
}

package bashsafety

import (
	"slices"
	"strings"
)

// GitReach says in how far a git command that only reads looks beyond the
// repository it works in, "" when it does not.
func (s *Subcommand) GitReach() string {
	c := s.call
	if c == nil || c.cmd.Names[0] != "git" || len(c.subs) == 0 {
		return ""
	}
	switch {
	case c.subs[0] == "ls-remote", c.subs[0] == "remote" && slices.ContainsFunc(c.subs, func(sub string) bool { return sub == "show" || sub == "update" }):
		return "it asks the other side of a remote, by the settings of another repository"
	case c.has("submodule") && c.option("submodule").value.Text != "short", c.has("alternate-refs"):
		return "it looks into further repositories"
	}
	return ""
}

// MakesRepository reports whether the command writes a new repository or work
// tree, with nothing in its configuration that the command line gives it.
func (s *Subcommand) MakesRepository() bool {
	c := s.call
	if c == nil || c.cmd.Names[0] != "git" || len(c.subs) == 0 || len(s.Narrow) > 0 || len(s.Assigns) > 0 {
		return false
	}
	switch c.subs[0] {
	case "clone", "init":
		return true // options that bring settings narrow
	case "worktree":
		return len(c.subs) > 1 && c.subs[1] == "add"
	}
	return false
}

// SetBefore lists the variables that steer programs and that the text may have
// set by the time the command runs, but for those in front of it.
func (s *Subcommand) SetBefore() (names []string) {
	for _, why := range s.Narrow {
		if f := strings.Fields(why); len(f) > 2 && setBefore(f[2]) == why {
			names = append(names, f[2])
		}
	}
	return names
}

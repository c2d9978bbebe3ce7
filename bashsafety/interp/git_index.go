package interp

import (
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"slices"
)

// Unlists reports whether a command may take a file out of a git index that
// stays in the work tree: git rm --cached, git reset, what is not known.
func (s *Subcommand) Unlists() bool {
	changes := false
	for i := range s.Effects {
		changes = changes || s.Effects[i].Kind == shell.GitChange
	}
	if !changes || s.Call == nil {
		return changes
	}
	verb := ""
	if len(s.Call.Subs) > 0 {
		verb = s.Call.Subs[0]
	}
	return !slices.Contains(commands.KeepsListed[:], verb)
}

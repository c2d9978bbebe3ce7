package interp

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// MoreOptions names a variable, set by the text, from which programs that unpack
// take further options, "" for none.
func (s *Subcommand) MoreOptions() string {
	before := s.SetBefore()
	for _, name := range commands.UnpackVars {
		set := slices.Contains(before, name)
		for i := range s.Assigns {
			set = set || s.Assigns[i].Name == name
		}
		if set {
			return name
		}
	}
	return ""
}

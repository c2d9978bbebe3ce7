package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
)

// TestStdinPrograms runs the shell texts beside the programs that obey their
// standard input: the last command is the program's.
func TestStdinPrograms(t *testing.T) {
	for _, cmd := range allCommands() {
		in := cmd.Rare().Stdin
		if in == nil {
			continue
		}
		if len(in.Narrows) == 0 || len(in.Passes) == 0 {
			t.Errorf("%s: needs a text that narrows and one that passes", cmd.Name())
		}
		for _, text := range in.Narrows {
			if !lastNarrows(t, cmd, text) {
				t.Errorf("%s: a patterned rule covers it", text)
			}
		}
		for _, text := range in.Passes {
			if lastNarrows(t, cmd, text) {
				t.Errorf("%s: no patterned rule covers it", text)
			}
		}
	}
}

// lastNarrows reports whether the last command of the program is narrowed.
func lastNarrows(t *testing.T, cmd *commands.Command, text string) bool {
	t.Helper()
	s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
	for i := len(s.Subcommands) - 1; i >= 0; i-- {
		if c := s.Subcommands[i].Call; c != nil && c.Cmd == cmd && !s.Subcommands[i].Remote {
			return len(s.Subcommands[i].PatternBlockers) > 0
		}
	}
	t.Errorf("%s: %s is not among its commands", text, cmd.Name())
	return false
}

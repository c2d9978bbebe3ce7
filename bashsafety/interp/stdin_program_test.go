package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// stdinExamples holds shell texts whose last command obeys its standard input: one that a patterned
// allow rule covers as far as its input goes passes, any other narrows.
const stdinExamples = "../commands/testdata/stdin"

// TestStdinPrograms runs the shell texts for the programs that obey their
// standard input: the last command is the program's.
func TestStdinPrograms(t *testing.T) {
	texts := examples.Read(stdinExamples)
	for _, cmd := range allCommands() {
		if cmd.Rare().Stdin == nil {
			continue
		}
		seen := map[string]bool{}
		for _, ex := range texts {
			if ex.Program != cmd.Name() {
				continue
			}
			if seen[ex.Want] = true; lastNarrows(t, cmd, ex.Cmd) != (ex.Want == "narrows") {
				t.Errorf("%s: want %s", ex.Cmd, ex.Want)
			}
		}
		if !seen["narrows"] || !seen["passes"] || len(seen) > 2 {
			t.Errorf("%s: needs a text that narrows and one that passes", cmd.Name())
		}
	}
}

// lastNarrows reports whether the last command of the program is narrowed.
func lastNarrows(t *testing.T, cmd *commands.Command, text string) bool {
	t.Helper()
	s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
	for i := len(s.Subcommands) - 1; i >= 0; i-- {
		if c := s.Subcommands[i].Call; c != nil && c.Cmd == cmd && s.Subcommands[i].Here() {
			return len(s.Subcommands[i].PatternBlockers) > 0
		}
	}
	t.Errorf("%s: %s is not among its commands", text, cmd.Name())
	return false
}

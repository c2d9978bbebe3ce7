package cli

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestCopies: a program that the same text has made may be a copy of permgate. Every subcommand that does more
// than look is known by its name then, also those that are written tomorrow.
func TestCopies(t *testing.T) {
	changing := 0
	for _, c := range list() {
		s := bashsafety.Subcommand{Argv: []bashsafety.Word{{Text: "./pg", Known: true}, {Text: c.Name, Known: true}, {Text: "--yes", Known: true}}}
		if verb, changes := s.ChangesGate(); changes {
			if changing++; verb != c.Name {
				t.Errorf("%s changes something, and is known as %q", c.Name, verb)
			}
		}
	}
	if changing < 10 {
		t.Errorf("only %d subcommands change something", changing)
	}
}

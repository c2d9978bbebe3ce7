package hosttest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// TestFailures registers the real binary with every host, by its own install, and then puts something
// else in its place, or nothing: no call may run, and what the table of the reader says holds.
func TestFailures(t *testing.T) {
	for _, h := range Hosts {
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			built, err := os.ReadFile(BuildPermgate(t))
			if err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				ending hookio.Ending
				script string
			}{
				{hookio.EndsFailed, "exit 1"}, {hookio.EndsMute, "exit 2"}, {hookio.EndsBlocked, "echo probe >&2; exit 2"},
				{hookio.EndsKilled, "kill -9 $$"}, {hookio.EndsMissing, ""},
			} {
				t.Run(string(tt.ending), func(t *testing.T) {
					s := NewSession(t, h, h.Touch("ran.txt"))
					s.Posture = h.posture("rule")
					permgate := filepath.Join(t.TempDir(), "permgate")
					executable.Write(t, permgate, string(built))
					s.InstallPermgate(t, permgate)
					if err := os.Remove(permgate); err != nil {
						t.Fatal(err)
					}
					if tt.script != "" {
						executable.Write(t, permgate, "#!/bin/sh\n"+tt.script+"\n")
					}
					out, err := s.Run(t, program)
					host := hookio.Lookup(h.Name)
					if fate, _ := host.After(h.Gates[0].Event, tt.ending, true); fate != hookio.FateBlocks || s.Ran("ran.txt") || len(s.API.Results()) != 1 {
						t.Errorf("ran %v, the table says %s: %v\n%.2000s", s.Ran("ran.txt"), fate, err, out)
					}
				})
			}
		})
	}
}

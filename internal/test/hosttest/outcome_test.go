package hosttest

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
)

// TestOutcomes checks that the hooks install registers besides the gate are called by every host: the
// log knows of one call that it was allowed, and that it ran.
func TestOutcomes(t *testing.T) {
	for _, h := range Hosts {
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			s := NewSession(t, h, h.Touch("ran.txt"))
			s.take(t, h.posture("rule"))
			s.InstallPermgate(t, BuildPermgate(t))
			writeFile(t, filepath.Join(s.Project, ".gen", "settings.local.json"), `{"permissions":{"allow":["Bash(touch:*)"]}}`)
			out, err := s.Run(t, program)
			if !s.Ran("ran.txt") {
				t.Fatalf("did not run: %v\n%s", err, out)
			}
			// a hook that may run parallel to the session may also end after it
			var decided, ran, ended *log.Record
			for wait := time.Now().Add(3 * time.Second); ; time.Sleep(100 * time.Millisecond) {
				decided, ran, ended = records(t, filepath.Join(s.Home, ".local", "state", "permgate"))
				if ran != nil && ended != nil || time.Now().After(wait) {
					break
				}
			}
			switch {
			case decided == nil || ran == nil:
				t.Errorf("decision %+v, outcome %+v", decided, ran)
			case decided.Host != h.Name || ran.Host != h.Name || decided.Session != ran.Session || decided.InputHash != ran.InputHash:
				t.Errorf("not of one call:\n%+v\n%+v", decided, ran)
			case ran.Outcome != log.Ran:
				t.Errorf("outcome %q", ran.Outcome)
			}
			t.Logf("session end seen: %v", ended != nil)
		})
	}
}

// records returns the last record of each kind in a log.
func records(t *testing.T, dir string) (decided, ran, ended *log.Record) {
	t.Helper()
	_, err := log.ReadDir(dir, func(r *log.Record) {
		c := *r
		switch r.Event {
		case log.EventDecision:
			decided = &c
		case log.EventOutcome:
			ran = &c
		case log.EventSessionEnd:
			ended = &c
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return decided, ran, ended
}

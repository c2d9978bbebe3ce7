package hook

import (
	"bytes"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// TestDeniedAtTheDeadline: a denial that was found is the answer of the deadline
// and of a panic, not an ask.
func TestDeniedAtTheDeadline(t *testing.T) {
	for name, end := range map[string]func(*Answerer) int{
		"deadline": (*Answerer).OnDeadline,
		"panic":    func(a *Answerer) int { return a.Fault(log.FaultPanic, "internal error") },
	} {
		for _, found := range []string{"", "deny rule: Bash(curl:*) matches `curl x` TOKEN=hunter2"} {
			var out bytes.Buffer
			dir := t.TempDir()
			a := &Answerer{Start: time.Now(), Out: &out, Err: io.Discard, Flags: &gate.Flags{Home: dir, Cwd: dir, State: dir}}
			a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
			if found != "" {
				go a.Denied(found) // as the decision does
				for a.found() == "" {
					time.Sleep(time.Millisecond)
				}
			}
			end(a)
			want := `"permissionDecision":"ask"`
			if found != "" {
				want = `"permissionDecision":"deny"`
			}
			if got := out.String(); !strings.Contains(got, want) || strings.Contains(got, "hunter2") || found != "" && !strings.Contains(got, "Bash(curl:*)") {
				t.Errorf("%s, found %q: %s", name, found, got)
			}
		}
	}
}

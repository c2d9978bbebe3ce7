package conformance

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// broadly is what somebody writes who wants to hear no question again.
var broadly = `{"permissions":{"allow":["Bash(*)","Read","Edit","Write","WebFetch","Read(//**)","Edit(//**)"]}}`

// installed decides a shell text as the installed hook does, in a mode, under the
// rules above.
func installed(t *testing.T, command, mode string) hookio.Answer {
	t.Helper()
	c, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: mode, Host: "claude", Named: true, Tmp: true, Settings: map[string]string{
		"/home/dev/.claude/permgate.json": installedPosture(t), "/home/dev/.claude/settings.json": broadly,
	}})
	return v.Answer(c)
}

// TestDeletesNoFiles: what drops databases, resets applications and empties
// secret stores is asked about in every mode and under the broadest rules, by
// the check of its kind; what only looks like it is not.
func TestDeletesNoFiles(t *testing.T) {
	stopped, passed := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(dataStops), "\n") {
		check, command, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("no check before %q", line)
		}
		command = strings.ReplaceAll(command, `⏎`, "\n")
		for _, mode := range []string{"default", "acceptEdits", "bypassPermissions"} {
			a := installed(t, command, mode)
			want := hookio.Ask
			if strings.HasPrefix(check, "!") {
				want = hookio.Deny
			}
			if a.Decision != want || !strings.Contains(a.Reason, strings.TrimPrefix(check, "!")) {
				t.Errorf("%s: %q in %s: %v, %s", check, command, mode, a.Decision, a.Reason)
			}
		}
		stopped++
	}
	for _, command := range strings.Split(strings.TrimSpace(dataPasses), "\n") {
		command = strings.ReplaceAll(command, `⏎`, "\n")
		for _, mode := range []string{"default", "bypassPermissions"} {
			if a := installed(t, command, mode); a.Decision == hookio.Ask || a.Decision == hookio.Deny {
				t.Errorf("%q in %s: %v, %s", command, mode, a.Decision, a.Reason)
			}
		}
		passed++
	}
	if stopped < 150 || passed < 100 {
		t.Errorf("%d lines that stop and %d that pass are too few", stopped, passed)
	}
}

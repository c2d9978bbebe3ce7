package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
)

// TestStopsRemote: what deletes or stops things that are no files is asked about in
// bypass with the installed posture, and under a rule for the program; what
// only looks like it is found by none of these checks.
func TestStopsRemote(t *testing.T) {
	stops, passes := 0, 0
	ids := map[string]bool{}
	for _, s := range remoteStops {
		ids[s.check] = true
		for _, command := range strings.Split(strings.TrimSpace(s.lines), "\n") {
			stops++
			found := false
			for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
				found = found || f.Check.ID == s.check
			}
			if !found {
				t.Errorf("%s does not find %q", s.check, command)
			}
			for _, mode := range []string{"default", "bypassPermissions"} {
				if a := installed(t, command, mode); a.Decision != hookio.Ask {
					t.Errorf("%q in %s under broad rules: %v, %s", command, mode, a.Decision, a.Reason)
				}
			}
			if a := underItsRule(t, command); a.Decision != hookio.Ask {
				t.Errorf("%q under a rule for its program: %v, %s", command, a.Decision, a.Reason)
			}
		}
	}
	for _, command := range strings.Split(strings.TrimSpace(remotePasses), "\n") {
		passes++
		command = strings.ReplaceAll(command, "⏎", "\n")
		for _, f := range bashsafety.Analyze(command, bashsafety.Env{Cwd: "/work/project", Home: "/home/dev"}).Findings {
			if ids[f.Check.ID] {
				t.Errorf("%s finds %q", f.Check.ID, command)
			}
		}
		if a := installed(t, command, "bypassPermissions"); a.Decision == hookio.Ask || a.Decision == hookio.Deny {
			t.Errorf("%q in bypass: %v, %s", command, a.Decision, a.Reason)
		}
	}
	t.Logf("%d commands ask, %d look-alikes do not", stops, passes)
	if stops < 400 || passes < 200 {
		t.Error("too few")
	}
}

// underItsRule decides a text under an allow rule for the first word of it alone.
func underItsRule(t *testing.T, command string) hookio.Answer {
	t.Helper()
	first, _, _ := strings.Cut(command, " ")
	rule, _ := json.Marshal("Bash(" + first + ":*)")
	c, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: "default", Host: "claude", Named: true, Tmp: true, Settings: map[string]string{
		"/home/dev/.claude/permgate.json": installedPosture(t), "/home/dev/.claude/settings.json": `{"permissions":{"allow":[` + string(rule) + `]}}`,
	}})
	return v.Answer(c)
}

package gate_test

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestRemember: with "alwaysAllow": "session" the host is told to allow by itself
// what the user's rule or grant allows, and never anything but the text it asked about.
func TestRemember(t *testing.T) {
	request := `"hook_event_name":"PermissionRequest"`
	on := m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`,
		"/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)","Bash(echo:*)","Bash(cat:*)","Bash(git:*)","Bash(touch:*)","WebFetch","Bash(*:*)"],"ask":["Bash(npm publish)"]}}`)
	claude := gate.Flags{Host: "claude", State: "/state"}
	now := time.Time{}.Add(time.Hour)
	ago, later := now.Add(-time.Minute).Format(time.RFC3339), now.Add(time.Hour).Format(time.RFC3339)
	for _, tt := range []struct {
		name, payload string
		flags         gate.Flags
		files         map[string]string
		want          string // of what is remembered
	}{
		{"rule", as(bash("npm test"), request), claude, on, "npm test"},
		{"words", as(bash("npm run build:prod --if-present"), request), claude, on, "npm run build:prod --if-present"},
		{"grant", as(bash("make x"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), "make x"},
		{"grant for some time", as(bash("make x"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","seen":"`+ago+`","timed":[{"rule":"Bash(make x)","since":"`+ago+`","until":"`+later+`","once":false,"used":false}]}`), ""},
		{"not switched on", as(bash("npm test"), request), claude, m("/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`), ""},
		{"switched on by a project", as(bash("npm test"), request), claude, m("/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`, "/work/project/.claude/permgate.json", `{"alwaysAllow":"session"}`), ""},
		{"other event", bash("npm test"), claude, on, ""},
		{"ask rule", as(bash("npm publish"), request), claude, on, ""},
		{"bypass", as(bash("tar"), request, `"permission_mode":"bypassPermissions"`), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`), ""},
		{"two commands", as(bash("npm test; echo a"), request), claude, on, ""},
		{"quotes", as(bash("echo 'a b'"), request), claude, on, ""},
		{"two blanks", as(bash("npm  test"), request), claude, on, ""},
		{"variable", as(bash("echo $HOME"), request), claude, on, ""},
		{"glob", as(bash("echo *"), request), claude, on, ""},
		{"rule syntax", as(bash("echo a:"), request), claude, on, ""},
		{"wrapper", as(bash("timeout 5 npm test"), request), claude, on, ""},
		{"environment", as(bash("CI=1 npm test"), request), claude, on, ""},
		{"names a file", as(bash("cat a.txt"), request), claude, on, ""},
		{"writes a file", as(bash("touch a.txt"), request), claude, on, ""},
		{"comment", as(bash("npm test #x"), request), claude, on, ""},
		{"other tool", as(tool("WebFetch", `{"url":"https://go.dev/","prompt":"x"}`), request), claude, on, ""},
		{"subagent", as(bash("npm test"), request, `"agent_id":"1"`), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session","subagents":"host"}`, "/home/dev/.claude/settings.json", `{"permissions":{"allow":["Bash(npm:*)"]}}`), ""},
		{"a colon in the name", as(bash("a:b c"), request), claude, m("/home/dev/.claude/permgate.json", `{"alwaysAllow":"session"}`, "/state/session-s1.json", `{"project":"/work/project","allowAllBash":true}`), ""},
		{"Gen", as(bash("npm test"), request), gate.Flags{Host: "gen", State: "/state"}, on, "npm test"},
		{"San", as(bash("npm test"), request), gate.Flags{Host: "san", State: "/state"}, on, "npm test"},
		{"Gen, before the tool", bash("npm test"), gate.Flags{Host: "gen", State: "/state"}, on, ""},
		{"host that knows no such answer", as(bash("npm test"), request), gate.Flags{}, on, ""},
	} {
		s := sentence{name: tt.name, payload: tt.payload, flags: tt.flags, files: tt.files}
		c, v, a := s.answer(t)
		c.Call.AllowForSession = v.AllowForSession(c)
		line := string(hookio.Write(nil, c.Call, a))
		want := ""
		if tt.want != "" {
			want = `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow","updatedPermissions":[{"type":"addRules","rules":[{"toolName":"Bash","ruleContent":"` +
				tt.want + `"}],"behavior":"allow","destination":"session"}]}}}` + "\n"
		}
		if want != "" && line != want || want == "" && strings.Contains(line, "updatedPermissions") {
			t.Errorf("%s: %s", tt.name, line)
		}
	}
}

package conformance

import (
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// TestServersShell: as installed, what no rule is about is left to the host for a shell of a server as for any other
// tool of it; what its text does, and rules that do not count, are asked about. On Windows its shell may be any.
func TestServersShell(t *testing.T) {
	const named, shell = `{"permissions":{"allow":["mcp__sh__run"]}}`, `{"permissions":{"allow":["Bash(git:*)"]}}`
	for _, tt := range []struct {
		command, user, project string
		linux, windows         hookio.Decision
	}{
		{"git status", `{}`, `{}`, hookio.Pass, hookio.Pass},
		{"git push", shell, `{}`, hookio.Pass, hookio.Pass},
		{"git push", named, `{}`, hookio.Allow, hookio.Allow},
		{"git push", `{}`, named, hookio.Ask, hookio.Ask},
		{"git push", `{}`, shell, hookio.Pass, hookio.Pass},
		{"rm -rf src", `{}`, `{}`, hookio.Ask, hookio.Ask},
		{"git status; Remove-Item -Recurse ~", named, `{}`, hookio.Allow, hookio.Ask},
		{"rd /s /q ..", `{}`, `{}`, hookio.Pass, hookio.Ask},
	} {
		for _, place := range []struct {
			os        rules.OS
			cwd, home string
			want      hookio.Decision
		}{{rules.Windows, `C:\Users\dev\p`, `C:\Users\dev`, tt.windows}, {rules.Linux, "/home/dev/p", "/home/dev", tt.linux}} {
			home, cwd := place.os.Canon(place.home), place.os.Canon(place.cwd)
			c, v := call(t, Setup{Tool: "mcp__sh__run", Input: []byte(`{"command":` + quote(tt.command) + `}`), Host: "claude", Named: true,
				Mode: "default", Cwd: place.cwd, Project: place.cwd, Home: place.home, OS: place.os, Settings: map[string]string{
					home + "/.claude/permgate.json": installedPosture(t), home + "/.claude/settings.json": tt.user,
					cwd + "/.claude/settings.json": tt.project, cwd + "/.git/config": ""}})
			if got := v.Answer(c).Decision; got != place.want {
				t.Errorf("os %d: %s, user %s, project %s: %s, want %s: %s", place.os, tt.command, tt.user, tt.project, got, place.want, v.Reason)
			}
		}
	}
}

package conformance

import (
	"encoding/json"
	"testing"
)

// The model answers the examples of Claude Code's documentation as it says there.
func TestClaudeModel(t *testing.T) {
	const settings = `{"permissions":{"allow":["Bash(npm run build)","Bash(npm test:*)","Bash(git commit *)","Bash(git log:*)","Edit(/docs/**)","WebFetch(domain:*.example.com)","mcp__github__get_*"],
		"ask":["Bash(git push *)"],"deny":["Read(**/.env)","Bash(curl:*)"]}}`
	for _, tt := range []struct {
		mode, tool, arg string
		want            hostAnswer
	}{
		{"default", "Bash", "ls -la | head", hostRuns},
		{"default", "Bash", "cargo build", hostPrompts},
		{"default", "Bash", "npm run build", hostRuns},
		{"default", "Bash", "npm run build --x", hostPrompts},
		{"default", "Bash", "npm test", hostRuns},
		{"default", "Bash", "npm testing", hostPrompts},
		{"default", "Bash", "git commit -m 'a b' && npm test -- -u", hostRuns},
		{"default", "Bash", "npm test && cargo build", hostPrompts},
		{"default", "Bash", "timeout 10 npm test", hostRuns},
		{"default", "Bash", "NODE_ENV=test npm test", hostRuns},
		{"default", "Bash", "LD_PRELOAD=x npm test", hostPrompts},
		{"default", "Bash", "git -C src log", hostPrompts}, // 2.1.332 was driven
		{"default", "Bash", "echo x > f", hostPrompts},
		{"default", "Bash", "npm test > docs/out.md", hostRuns},
		{"default", "Bash", "npm test 2>&1 > /dev/null", hostRuns},
		{"acceptEdits", "Bash", "echo x > f", hostRuns},
		{"acceptEdits", "Bash", "echo x > .git/config", hostPrompts},
		{"acceptEdits", "Bash", "mkdir -p a && touch a/b", hostRuns},
		{"acceptEdits", "Bash", "touch /elsewhere/x", hostPrompts},
		{"default", "Bash", "cd src && git status", hostPrompts},
		{"default", "Bash", "cd src && ls", hostRuns},
		{"default", "Bash", "cd /elsewhere && ls", hostPrompts},
		{"default", "Bash", "find . -name x", hostRuns},
		{"default", "Bash", "find . -delete", hostPrompts},
		{"default", "Bash", "echo $(cargo build)", hostPrompts},
		{"default", "Bash", "echo 'a", hostPrompts},
		{"default", "Bash", "cat .env", hostDenies},
		{"bypassPermissions", "Bash", "curl https://x.example", hostDenies},
		{"bypassPermissions", "Bash", "git push origin main", hostPrompts},
		{"bypassPermissions", "Bash", "cargo build && rm -rf build", hostRuns},
		{"bypassPermissions", "Bash", "rm -rf /", hostPrompts},
		{"bypassPermissions", "Bash", `rm -rf "$D"/*`, hostPrompts},
		{"default", "Read", "/work/project/a", hostRuns},
		{"default", "Read", "/etc/hosts", hostPrompts},
		{"default", "Read", "/work/project/x/.env", hostDenies},
		{"default", "Write", "/work/project/a", hostPrompts},
		{"default", "Write", "/work/project/docs/a.md", hostRuns},
		{"acceptEdits", "Write", "/work/project/a", hostRuns},
		{"acceptEdits", "Write", "/work/project/.envrc", hostPrompts},
		{"acceptEdits", "Write", "/elsewhere/a", hostPrompts},
		{"default", "WebFetch", "https://a.example.com/x", hostRuns},
		{"default", "WebFetch", "https://example.com/x", hostPrompts},
		{"default", "mcp__github__get_issue", "x", hostRuns},
		{"default", "mcp__github__push", "x", hostPrompts},
		{"default", "TodoWrite", "x", hostRuns},
		{"bypassPermissions", "ExitPlanMode", "x", hostPrompts},
		{"default", "NoSuchTool", "x", hostDenies},
	} {
		h := claudeHost{cwd: "/work/project", project: "/work/project", home: "/home/dev", readsOnly: onlyReads}
		if err := h.settings(settings); err != nil {
			t.Fatal(err)
		}
		h.mode = tt.mode
		key := map[string]string{"Bash": "command", "WebFetch": "url"}[tt.tool]
		if key == "" {
			key = "file_path"
		}
		in, _ := json.Marshal(map[string]string{key: tt.arg})
		if got, why := h.call(tt.tool, in); got != tt.want {
			t.Errorf("%s in %s: %s: %d (%s), want %d", tt.tool, tt.mode, tt.arg, got, why, tt.want)
		}
	}
}

package native

import (
	"fmt"
	"testing"
)

func TestTry(t *testing.T) {
	w := worldOf(t, map[string]string{
		"/home/u/.gen/settings.json": `{"permissions": {"allow": ["Bash(plugh one)", "Bash(plugh two:*)", "Bash(npm test)", "Bash(go test ./...)", "Bash(git status)",
			"Bash(echo:*)", "Bash(seq:*)", "Bash(wc:*)", "Bash(date)", "Bash(touch made.txt)", "Bash(curl -sS https://go.dev/)", "Bash(curl -d @- https://go.dev/)", "Bash(python3 -m pytest)",
			"WebFetch(domain:go.dev)", "WebFetch(domain:*.go.dev)", "WebSearch", "mcp__s__t", "Read(~/notes/**)", "Edit(~/notes/a.md)", "Bash(cargo build)", "Bash(make build)", "Bash(tsc --noEmit)", "Bash(ruff check .)", "Bash(docker ps)", "Bash(gh pr list)", "Bash(rm -rf dist)", "Bash(npx tsc)", "Bash(terraform plan)", "Bash(sh x.sh)", "Bash(./build.sh)", "Bash(node build.js)", "Bash(mvn test)", "Bash(gofmt -l .)"],
			"deny": ["Read(.env)", "Bash(git push --force:*)", "Bash(curl:*)"], "ask": ["Bash(git push *)"]}}`,
		"/home/u/.claude/permgate.json": recommended,
	})
	for _, h := range Hosts() {
		p := New(h, w).Plan(func(string) bool { return false })
		for _, r := range p.User {
			fmt.Println(h.Name, r.List, r.Text)
		}
		for _, l := range p.Losses {
			fmt.Println(h.Name, "LOSS", l.Rule.List, l.Rule.Text, ":", l.Why)
		}
	}
}

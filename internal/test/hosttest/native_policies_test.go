package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// A nativePolicy is a policy whose rules are exported, and calls: of the families that are exported to Claude Code,
// and near misses. A call is a command, or "TOOL: OPERAND".
type nativePolicy struct {
	name             string
	init             bool                // permgate init writes it
	user             map[string][]string // else, the user's rules
	exported, others []string
}

var nativePolicies = [...]nativePolicy{
	{
		name: "init of a Go project", init: true,
		exported: []string{
			"go build", "go test", "go vet", "go fmt", "gofmt", "go mod tidy", "timeout 5 go test", "go build && go test", "NO_COLOR=1 go vet",
			"for i in 1 2; do go vet; done",
		},
		others: []string{
			"go test ./...", "go test -exec ./x", "go build -o out.txt ./...", "go vet -vettool=./x", "go run .", "go test > ../out.txt",
			"(go test)", "GOFLAGS=-exec=./x go test", "go test $(id)", "git commit -m x",
		},
	},
	{
		name: "Node",
		user: map[string][]string{"allow": {
			"Bash(npm test)", "Bash(npm ci)", "Bash(tsc --noEmit)", "Bash(eslint .)", "Bash(prettier --check .)", "Bash(npx vitest run)",
			"Bash(npm run lint -- *)", "Bash(tsc:*)", "Sandbox(escape)", "Bash(uname:*)",
		}},
		exported: []string{
			"! tsc", "tsc --noEmit", "eslint .", "prettier --check .", "npx vitest run", "tsc", "eslint . && tsc --noEmit",
			"NODE_ENV=x eslint .", "nohup tsc", "eslint . 2>&1",
		},
		others: []string{
			"npm test", "npm run lint -- --fix", "npx vitest", "tsc --noEmit -p ../x", "eslint . --fix", "bash -c 'tsc --noEmit'", "env eslint .",
			"LD_PRELOAD=x tsc", "eslint . &", "eslint . | tee out.txt",
		},
	},
	{
		name: "narrow",
		user: map[string][]string{
			"allow": {"mcp__stub__touch", "WebFetch(domain:go.dev)", "WebFetch(domain:*.wild.example)", "Bash(plugh)", "Bash(plugh --all:*)",
				"Bash(basename:*)", "Bash(touch made.txt)", "Bash(git gc)", "Sandbox(escape)", "Bash(seq:*)"},
			"deny": {"Bash(plugh --bad:*)"},
		},
		exported: []string{
			"plugh", "timeout 5 plugh", "plugh && plugh", "for i in 1 2; do plugh; done", "basename a/b .c", "basename --help", "seq 1 3",
			"basename a; plugh", "WebFetch: https://go.dev/", "WebFetch: http://a.wild.example/x",
		},
		others: []string{
			"plugh -x", "plugh --all ~/.ssh/id_rsa", "plugh | tee out.txt", "git gc", "plugh > ../out.txt", "plugh --bad", "sudo -n plugh",
			"mcp__stub__touch: {project}/mcp.txt", "WebFetch: https://wild.example/", "WebFetch: https://go.dev.evil.example/",
		},
	},
}

// native is permgate in the home of a world.
type native struct {
	*world
	permgate string
}

// newNative makes a world with a policy: permgate is installed, and programs in the path only note that they ran.
func newNative(t *testing.T, h *Host, permgate string, policy *nativePolicy) *native {
	t.Helper()
	n := &native{newWorld(t), permgate}
	for _, name := range strings.Fields("plugh go gofmt npm npx tsc eslint prettier sudo") {
		executable.Write(t, filepath.Join(n.home, "bin", name), "#!/bin/sh\necho ${0##*/} $* >> "+n.marks()+"\necho ran\n")
	}
	(&Session{Host: h, Home: n.home, Project: n.project}).InstallPermgate(t, permgate)
	if policy.init {
		n.run(t, "init", "--host", "gen", "--yes")
	} else {
		writeFile(t, filepath.Join(n.home, ".gen", "settings.json"), jsonText(map[string]any{"permissions": policy.user}))
	}
	return n
}

// marks is the file in which programs note what they were called with.
func (n *native) marks() string { return filepath.Join(n.home, "marks") }

// run runs permgate, which may answer ask or deny.
func (n *native) run(t *testing.T, args ...string) string {
	t.Helper()
	cmd := exec.Command(n.permgate, args...)
	cmd.Dir, cmd.Env = n.project, []string{"HOME=" + n.home, "PATH=" + os.Getenv("PATH")}
	out, err := cmd.CombinedOutput()
	if code := cmd.ProcessState.ExitCode(); code < 0 || code > 2 {
		t.Fatalf("permgate %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// call splits a call of a policy into tool and operand.
func (n *native) call(text string) laxCall {
	tool, operand, ok := strings.Cut(n.fill(text), ": ")
	if !ok {
		tool, operand = "Bash", text
	}
	return laxCall{tool: tool, text: operand}
}

// allows reports whether permgate allows a call.
func (n *native) allows(t *testing.T, host, text string) bool {
	t.Helper()
	c := n.call(text)
	if strings.HasPrefix(c.tool, "mcp__") {
		c.text = jsonText(c.call(n.world).Input)
	}
	return strings.HasPrefix(n.run(t, "check", "--host", host, "--tool", c.tool, "--", c.text), "allow")
}

package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A layout is a repository as people have it, and calls of a usual day in it.
type layout struct {
	name, found string
	files       map[string]string
	has, lacks  []string // rules of the starter
	calls       []string // Bash, that must not be stopped
	reads       []string // files that may be read
}

// always are calls of a usual day in any repository.
var always = [...]string{
	"ls -la", "pwd", "cat README.md", "head -20 README.md | wc -l", "rg -n TODO src",
	"grep -rn TODO src", "find . -name '*.md'",
	"git status --short", "git diff --stat", "git log --oneline -5", "git branch -a",
	"git blame README.md", "git rev-parse HEAD",
	"git show HEAD", "git add -A", "git add README.md && git commit -m 'say why'", "git switch -c topic", "git fetch",
	"git pull --rebase", "git push origin topic", "mkdir -p src/new && touch src/new/x", "cp README.md src/README.md",
	"cat .env.example", "ssh -i ~/.ssh/id_ed25519 host uptime", "curl -s https://example.com/",
	"echo \"$(git rev-parse --short HEAD)\"",
}

var layouts = [...]layout{
	{
		name: "go", found: "git, Go, Go modules in folders, golangci-lint, make",
		files: map[string]string{
			"services/api/go.mod":  "module example.com/api\n\ngo 1.26\n",
			"services/api/main.go": "package main\n\nfunc main() {}\n",
			".golangci.yml":        "version: \"2\"\n",
			"Makefile":             "test: build\n\tgo test ./...\nbuild:\n\tgo build ./...\nclean:\n\trm -rf bin\n",
		},
		has:   []string{"Bash(go test:*)", "Bash(go mod tidy:*)", "Bash(gofmt:*)", "Bash(make test)"},
		lacks: []string{"Bash(make clean)", "Bash(go run:*)"},
		calls: []string{
			"go test ./...", "go test -run TestX -v ./... 2>&1 | tail -20", "go build ./...", "go vet ./...",
			"gofmt -l .", "gofmt -w .",
			"go mod tidy", "go list ./...", "go doc fmt.Println", "go env GOPATH", "go run .",
			"cd services/api && go test ./...",
			"golangci-lint run ./...", "make test",
			"go test -coverprofile=cover.out ./... && go tool cover -func=cover.out",
			"go get example.com/m@latest",
			"git diff HEAD~1 -- '*.go'",
		},
		reads: []string{"services/api/main.go", ".env.example", "certs/ca.pem"},
	},
	{
		name: "bun", found: "git, Bun",
		files: map[string]string{
			"bun.lock": "{}\n", ".gitignore": "node_modules\ndist\n.env\n",
			"package.json": `{"name": "app", "scripts": {"build": "bun run clean && tsc",
				"clean": "rm -rf dist", "test": "bun test", "test:unit": "bun test src", "lint": "eslint .", "lint:fix": "eslint --fix .",
				"deploy": "./deploy.sh", "build:publish": "npm publish"}}`,
		},
		has:   []string{"Bash(bun test:*)", "Bash(bun run test:unit:*)", "Bash(bun run lint:fix:*)", "Bash(bun run build:*)"},
		lacks: []string{"Bash(bun run deploy:*)", "Bash(bun run clean:*)", "Bash(bun run build:publish:*)"},
		calls: []string{
			"bun test", "bun test src/x.test.ts", "bun run test:unit", "bun run lint", "npm test",
			"npm run lint", "npx tsc --noEmit",
			"bun install", "npm run test:unit -- --watch=false", "node -e 'console.log(1)'",
			"jq .scripts package.json", "npm ls", "bunx tsc -p .",
			"cat package.json | head -20",
		},
		reads: []string{"package.json", ".env.example", "config/public.pem"},
	},
	{
		name: "uv", found: "git, Python, coverage, uv",
		files: map[string]string{
			"pyproject.toml": "[project]\nname = \"app\"\n", "uv.lock": "version = 1\n", "src/app/__init__.py": "",
		},
		has:   []string{"Bash(uv run pytest:*)", "Bash(python -m pytest:*)", "Bash(ruff check:*)"},
		lacks: []string{"Bash(python:*)", "Bash(uv run:*)"},
		calls: []string{
			"uv run pytest", "uv run pytest -q tests/test_x.py -k name", "pytest -x", "python -m pytest",
			"uv run ruff check .", "ruff check src",
			"uv run mypy src", "uv sync", "uv add requests", "uv tree", "uv pip list", "python3 --version",
			"uv run python -c 'print(1)'",
			"python -c 'import app'",
		},
		reads: []string{"pyproject.toml", ".env.example", "certs/server.pem"},
	},
}

// TestLayouts sets permgate up in three repositories, as people do it, and goes
// through a usual day: the tests that init wrote pass without and with every
// host, nothing of the day is stopped, and what is secret is refused.
func TestLayouts(t *testing.T) {
	t.Parallel()
	skipShort(t)
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	every := testenv.Every(t, len(layouts), 1, 1) // with hosts: each in another layout
	for i := range layouts {
		l := &layouts[i]
		t.Run(l.name, func(t *testing.T) { l.day(newTutorial(t), i, every) })
	}
}

func (l *layout) day(g *tutorial, nth, every int) {
	t := g.t
	g.run("mkdir app && cd app && git init -q -b main")
	files := map[string]string{
		"README.md": "# app\n", "src/x": "", ".env": "TOKEN=x\n", ".env.example": "TOKEN=\n",
		"certs/server.key": "x\n", "web/.env.local": "x\n",
	}
	for name, text := range l.files {
		files[name] = text
	}
	for name, text := range files {
		name = filepath.Join(g.cwd, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	g.run("git add README.md && git commit -q -m start")
	out := g.run("permgate install --host claude --yes && permgate install --host codex --yes")
	if strings.Count(out, "registered with") != 2 {
		t.Fatal(out)
	}
	out = g.run("permgate init --profile starter --yes")
	if !strings.Contains(out, "found: "+l.found+"\n") || !strings.Contains(out, ", 0 failed\n") {
		t.Fatal(out)
	}
	out = g.run("permgate init --yes; permgate init --dry-run")
	if strings.Contains(out, "wrote") || !strings.HasSuffix(out, "nothing to change\n") {
		t.Errorf("init proposes something again:\n%s", out)
	}
	if out := g.run("git add -A && git status --short"); strings.Contains(out, ".claude") {
		t.Errorf("git has the person's own files:\n%s", out)
	}
	out = g.run("git worktree add -q ../wt && cd ../wt && permgate init --yes && git status --short; cd ../app")
	if !strings.Contains(out, ", 0 failed\n") || strings.Contains(out, "?? .claude") {
		t.Errorf("in another work tree:\n%s", out)
	}
	l.settings(g)
	for i, h := range hookio.Hosts() {
		if (i+nth)%every != 0 {
			continue
		}
		if out := g.run("permgate test --host " + h.Name); !strings.Contains(out, " 0 failed\n") {
			t.Errorf("--host %s:\n%s", h.Name, out)
		}
	}
	if out := g.run("permgate test && permgate lint && echo clean"); !strings.HasSuffix(out, "clean\n") {
		t.Error(out)
	}
	for _, mode := range []string{"default", "auto"} {
		calls := slices.Concat(always[:], l.calls)
		for i, got := range g.ask(mode, "Bash", "command", calls) {
			if got == "deny" || got == "ask" {
				t.Errorf("%s in mode %s: %s", calls[i], mode, got)
			}
		}
		secret := []string{".env", "certs/server.key", "web/.env.local"}
		var reads []string
		for _, name := range slices.Concat(l.reads, secret) {
			reads = append(reads, filepath.Join(g.cwd, name))
		}
		for i, got := range g.ask(mode, "Read", "file_path", reads) {
			if stopped := got == "deny" || got == "ask"; stopped && i < len(l.reads) || got != "deny" && i >= len(l.reads) {
				t.Errorf("Read %s in mode %s: %q", reads[i], mode, got)
			}
		}
	}
}

// settings checks the rules that were written.
func (l *layout) settings(g *tutorial) {
	text, err := os.ReadFile(filepath.Join(g.cwd, ".claude", "settings.local.json"))
	if err != nil {
		g.t.Fatal(err)
	}
	var s struct {
		Permissions struct{ Allow, Ask, Deny []string }
	}
	if err := json.Unmarshal(text, &s); err != nil {
		g.t.Fatal(err)
	}
	if len(s.Permissions.Ask) > 0 {
		g.t.Errorf("ask rules: %q", s.Permissions.Ask)
	}
	has := func(rule string) bool { return strings.Contains(string(text), `"`+rule+`"`) }
	for _, rule := range l.has {
		if !has(rule) {
			g.t.Errorf("no rule %s", rule)
		}
	}
	for _, rule := range append(l.lacks, "Bash(cat:*)", "Bash(ls:*)", "Bash(git push:*)", "Read(*.pem)") {
		if has(rule) {
			g.t.Errorf("rule %s", rule)
		}
	}
}

// ask decides calls as the hook would, were it sent them by Claude Code, and returns what the program is told of each. The
// hook itself is sent the first. Nothing of a call is executed.
func (g *tutorial) ask(mode, tool, field string, values []string) (answers []string) {
	var payloads bytes.Buffer
	for _, value := range values {
		payload, err := json.Marshal(map[string]any{
			"session_id": "s", "transcript_path": filepath.Join(g.home, ".claude", "projects", "app",
				"s.jsonl"), "cwd": g.cwd,
			"permission_mode": mode, "hook_event_name": "PreToolUse", "tool_use_id": "t", "tool_name": tool,
			"tool_input": map[string]string{field: value},
		})
		if err != nil {
			g.t.Fatal(err)
		}
		payloads.Write(append(payload, '\n'))
	}
	permgate := func(stdin []byte, args ...string) []byte {
		cmd := exec.Command(filepath.Join(g.home, ".local", "bin", "permgate"), args...)
		cmd.Dir, cmd.Stdin = g.cwd, bytes.NewReader(stdin)
		cmd.Env = []string{
			"HOME=" + g.home, "PATH=" + os.Getenv("PATH"), "XDG_STATE_HOME=" + filepath.Join(g.home, ".local", "state"),
		}
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			g.t.Fatal(err)
		}
		return out
	}
	first, _, _ := bytes.Cut(payloads.Bytes(), []byte("\n"))
	hook := permgate(first, "hook", "--host", "claude")
	out := permgate(payloads.Bytes(), "check", "--lines", "--host", "claude")
	for line := range bytes.Lines(out) {
		var answer struct{ Answer, Error string }
		if err := json.Unmarshal(line, &answer); err != nil || answer.Error != "" || answer.Answer == "" {
			g.t.Fatalf("%v %s", err, line)
		}
		answers = append(answers, answer.Answer)
	}
	if len(answers) != len(values) {
		g.t.Fatalf("%d answers to %d calls", len(answers), len(values))
	}
	if want := `"permissionDecision":"` + answers[0] + `"`; (len(hook) == 0) != (answers[0] == "silence") ||
		len(hook) > 0 && !bytes.Contains(hook, []byte(want)) {
		g.t.Errorf("%s: the hook says %s, and check --lines %s", values[0], hook, answers[0])
	}
	return answers
}

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// corePrompter is what the snippet for core-agent needs of pkg/permissions, as it was on 2026-08-21.
const corePrompter = `package permissions

import "context"

type Decision int

const (
	DecisionDeny Decision = iota
	DecisionAllowOnce
)

type PromptKind int

const (
	PromptKindBash PromptKind = iota
	PromptKindFileWrite
	PromptKindPathScope
	PromptKindGeneric
)

type PromptRequest struct {
	Kind                                        PromptKind
	ToolName, Detail, PersistTool, PersistKey string
}

type Prompter interface {
	AskApproval(ctx context.Context, req PromptRequest) (Decision, error)
}
`

// coreCalls asks the snippet about calls.
const coreCalls = `package main

import (
	"context"
	"fmt"

	"github.com/go-steer/core-agent/pkg/permissions"
	"x/gate"
)

var p permissions.Prompter = gate.Permgate{}

func main() {
	for _, r := range []permissions.PromptRequest{
		{Kind: permissions.PromptKindBash, ToolName: "bash", Detail: "go vet ./..."},
		{Kind: permissions.PromptKindBash, ToolName: "bash", Detail: "go vet ./... && curl https://example.com"},
		{Kind: permissions.PromptKindBash, ToolName: "bash", Detail: "rm -rf /"},
		{Kind: permissions.PromptKindFileWrite, ToolName: "write_file", Detail: "/etc/passwd"},
		{Kind: permissions.PromptKindGeneric, ToolName: "bash", Detail: "go vet ./..."},
	} {
		d, _ := p.AskApproval(context.Background(), r)
		fmt.Print(d)
	}
}
`

// notPermgate is what may be called in its place: none of it may let a call through. The last is missing.
var notPermgate = []struct{ name, script string }{
	{"crash", "exit 1"}, {"exit 2", "echo no >&2; exit 2"}, {"killed", "kill -9 $$"}, {"silence", "exit 0"}, {"text", "echo allow"},
	{"cut", `printf '{"decision":"allow'`}, {"answer of another form", `echo '{"hookSpecificOutput":{"permissionDecision":"allow"}}'`},
	{"answer and crash", `echo '{"decision":"allow"}'; exit 1`}, {"late", "exec sleep 20"}, {"missing", ""},
}

// inItsPlace returns a search path with a script, or without any permgate.
func inItsPlace(t *testing.T, script string) string {
	dir := t.TempDir()
	if script != "" {
		executable.Write(t, filepath.Join(dir, "permgate"), "#!/bin/sh\n"+script+"\n")
	}
	return dir + ":/usr/bin:/bin"
}

// seedsBlock is the example in a language on docs/seeds.md.
func seedsBlock(t *testing.T, language string) string {
	t.Helper()
	skipShort(t)
	page, err := os.ReadFile(filepath.Join("docs", "seeds.md"))
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := fenced(string(page), language)
	if !ok {
		t.Fatalf("no block of %s", language)
	}
	return text
}

// TestSeedsPrompter: what docs/seeds.md shows for core-agent compiles, asks permgate, and takes nothing but an allow for a yes.
func TestSeedsPrompter(t *testing.T) {
	t.Parallel()
	limit := "3*time.Second"       // a hundred times what an answer takes; what is late takes it five times
	if runtime.GOOS == "windows" { // a process starts slowly, above all by wine
		limit = "6*time.Second"
	}
	snippet := strings.Replace(seedsBlock(t, "go"), "10*time.Second", limit, 1)
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	for name, text := range map[string]string{
		"go.mod":                           "module x\n\ngo 1.26\n\nrequire github.com/go-steer/core-agent v0.0.0\n\nreplace github.com/go-steer/core-agent => ./core\n",
		"core/go.mod":                      "module github.com/go-steer/core-agent\n\ngo 1.26\n",
		"core/pkg/permissions/prompter.go": corePrompter, "main.go": coreCalls, "gate/gate.go": snippet,
		"home/.gen/settings.json": `{"permissions": {"allow": ["Bash(go vet:*)"]}}`,
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	build := exec.Command("go", "build", "-o", "calls.exe", ".")
	build.Dir = dir
	build.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	answers := func(env ...string) string {
		run := exec.Command(filepath.Join(dir, "calls.exe"))
		run.Dir, run.Env = dir, append(append(os.Environ(), "HOME="+home, "XDG_STATE_HOME="+dir), env...)
		out, err := run.Output()
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	if got := answers(); got != "10000" {
		t.Errorf("the Prompter answers %q, want 10000", got)
	}
	for _, no := range notPermgate {
		if got := answers("PATH=" + inItsPlace(t, no.script)); got != "00000" {
			t.Errorf("%s: the Prompter answers %q", no.name, got)
		}
	}
}

// TestSeedsCaliban: the handler that docs/seeds.md shows is permgate's, and blocks where that fails.
func TestSeedsCaliban(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it runs /bin/sh")
	}
	var settings struct {
		Hooks map[string][]struct {
			Matcher  string
			Handlers []struct {
				Type, Command, Timeout string
				Args                   []string
			}
		}
	}
	if err := toml.Unmarshal([]byte(seedsBlock(t, "toml")), &settings); err != nil {
		t.Fatal(err)
	}
	handler := settings.Hooks["PreToolUse"][0].Handlers[0]
	run := func(command string, env ...string) (string, int) {
		hook := exec.Command(handler.Command, handler.Args...)
		hook.Env = append(os.Environ(), env...)
		hook.Stdin = strings.NewReader(`{"hookEventName":"PreToolUse","session_id":"","turn_index":3,"tool":{"name":"Bash","useId":"t","input":{"command":` + strconv.Quote(command) + `}}}`)
		out, _ := hook.Output()
		return string(out), hook.ProcessState.ExitCode()
	}
	if out, code := run("rm -rf /"); code != 0 || !strings.Contains(out, `"permissionDecision":"deny"`) {
		t.Errorf("caliban's hook answers %q, exit code %d", out, code)
	}
	for _, no := range notPermgate {
		fate, _ := hookio.Lookup("caliban").After("PreToolUse", hookio.EndsFailed, true)
		switch no.name {
		case "silence", "text", "cut", "answer of another form", "late": // caliban goes on after these
			continue
		}
		if _, code := run("ls", "PATH="+inItsPlace(t, no.script)); code != 2 || fate != hookio.FateBlocks {
			t.Errorf("%s: exit code %d, and the table says %s", no.name, code, fate)
		}
	}
}

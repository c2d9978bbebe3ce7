package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
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

// TestSeedsSnippets: what docs/seeds.md shows for programs without a hook compiles, and asks permgate; the others
// name what the adapters read.
func TestSeedsSnippets(t *testing.T) {
	skipShort(t)
	page, err := os.ReadFile(filepath.Join("docs", "seeds.md"))
	if err != nil {
		t.Fatal(err)
	}
	block := func(language string) string {
		text, _, ok := fenced(string(page), language)
		if !ok {
			t.Fatalf("no block of %s", language)
		}
		return text
	}
	dir := t.TempDir()
	home := filepath.Join(dir, "home")
	for name, text := range map[string]string{
		"go.mod":                           "module x\n\ngo 1.26\n\nrequire github.com/go-steer/core-agent v0.0.0\n\nreplace github.com/go-steer/core-agent => ./core\n",
		"core/go.mod":                      "module github.com/go-steer/core-agent\n\ngo 1.26\n",
		"core/pkg/permissions/prompter.go": corePrompter, "main.go": coreCalls, "gate/gate.go": block("go"),
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
	run := exec.Command("go", "run", ".")
	run.Dir = dir
	cache, _ := exec.Command("go", "env", "GOCACHE").Output()
	run.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOCACHE="+strings.TrimSpace(string(cache)), "HOME="+home, "XDG_STATE_HOME="+dir)
	hooked := []string{"hook", "--host", "caliban", "--event", "PreToolUse"}
	if out, err := run.CombinedOutput(); err != nil || string(out) != "10000" {
		t.Errorf("the Prompter answers %q (%v), want 10000", out, err)
	}
	if toml := block("toml"); !strings.Contains(toml, `args    = ["`+strings.Join(hooked, `", "`)+`"]`) {
		t.Errorf("the hook of caliban is called in another way:\n%s", toml)
	}
	caliban := exec.Command("permgate", hooked...)
	caliban.Stdin = strings.NewReader(`{"hookEventName":"PreToolUse","session_id":"","turn_index":3,"tool":{"name":"Bash","useId":"t","input":{"command":"rm -rf /"}}}`)
	if out, err := caliban.Output(); err != nil || !strings.Contains(string(out), `"permissionDecision":"deny"`) {
		t.Errorf("caliban's hook answers %q (%v)", out, err)
	}
	elixir := block("elixir")
	for _, part := range []string{"id:", "name:", "arguments:", "phase:", "cwd:", "--host ex_athena", `"decision" => "allow"`, "_ -> {:deny,"} {
		if !strings.Contains(elixir, part) {
			t.Errorf("the callback for ExAthena lacks %s", part)
		}
	}
}

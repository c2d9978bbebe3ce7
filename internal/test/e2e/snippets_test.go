package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/permgate--owner/permgate/hookio"
)

// TestSnippets runs what docs/hosts.md gives to programs that call permgate by themselves: what permgate allows
// passes, and nothing else does, nor anything when it is not there.
func TestSnippets(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("docs", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	r := newReadme(t, `{"permissions":{"allow":["Bash(go test:*)"]}}`)
	t.Run("core-agent", func(t *testing.T) { goSnippet(t, r, snippet(t, string(data), "go")) })
	t.Run("ex_athena", func(t *testing.T) { elixirSnippet(t, r, snippet(t, string(data), "elixir")) })
	t.Run("caliban", func(t *testing.T) { calibanSnippet(t, r, snippet(t, string(data), "toml")) })
}

func snippet(t *testing.T, page, language string) string {
	block, _, ok := fenced(page, language)
	if !ok {
		t.Fatalf("docs/hosts.md shows no %s", language)
	}
	return block
}

// answers runs a program with a command as its argument, which is judged and not executed, with permgate on PATH and
// without.
func (r *readme) answers(t *testing.T, allowed string, program ...string) {
	t.Helper()
	for _, tt := range []struct {
		command, path string
		passes        bool
	}{
		{"go test ./...", r.path, true}, {"npm ci", r.path, false}, {"rm -rf ~", r.path, false}, {"go test ./...", t.TempDir(), false},
	} {
		cmd := exec.Command(program[0], append(program[1:], tt.command, r.app)...)
		cmd.Env = append(r.env(), "PATH="+tt.path+string(os.PathListSeparator)+"/usr/bin:/bin")
		out, err := cmd.CombinedOutput()
		if passes := err == nil && strings.TrimSpace(string(out)) == allowed; passes != tt.passes {
			t.Errorf("%s: passes %v: %v, %s", tt.command, passes, err, out)
		}
	}
}

func goSnippet(t *testing.T, r *readme, text string) {
	dir := t.TempDir()
	program := `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
)

func main() {
	args := map[string]any{"command": os.Args[1]}
	if err := Permgate(context.Background(), "1", "bash", args, "ask", os.Args[2]); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println("allow")
}

` + text
	for name, text := range map[string]string{"main.go": program, "go.mod": "module snippet\n\ngo 1.24\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"vet", "."}, {"build", "-o", "agent", "."}} {
		cmd := exec.Command("go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("go %s: %v\n%s", args[0], err, out)
		}
	}
	r.answers(t, "allow", filepath.Join(dir, "agent"))
}

func elixirSnippet(t *testing.T, r *readme, text string) {
	elixir, err := exec.LookPath("elixir")
	if err != nil {
		t.Skip(err)
	}
	file := filepath.Join(t.TempDir(), "snippet.exs")
	text += `
[command, cwd] = System.argv()
IO.puts(inspect(Permgate.can_use_tool("bash", %{"command" => command}, %{phase: :default, cwd: cwd})))
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	r.answers(t, ":allow", elixir, file)
}

// calibanSnippet runs the handler of the settings as caliban does: what is denied has exit code 2 or says so.
func calibanSnippet(t *testing.T, r *readme, text string) {
	var settings struct {
		Hooks struct {
			PreToolUse []struct {
				Matcher  string
				Handlers []struct {
					Type, Command, Timeout string
					Args                   []string
				}
			}
		}
	}
	if err := toml.Unmarshal([]byte(text), &settings); err != nil {
		t.Fatal(err)
	}
	group := settings.Hooks.PreToolUse[0]
	h, caliban := group.Handlers[0], hookio.Lookup("caliban")
	if group.Matcher != "*" || h.Type != "command" || h.Timeout == "" {
		t.Errorf("%+v", group)
	}
	for command, want := range map[string]hookio.Ending{"go test ./...": hookio.EndsAllow, "npm ci": hookio.EndsDeny, "rm -rf ~": hookio.EndsDeny} {
		payload := strings.Replace(caliban.Examples[0].In, "cargo test", command, 1)
		out := r.run(h.Command+" "+strings.Join(h.Args, " "), payload)
		if got := caliban.Ended("PreToolUse", 0, out, ""); got != want {
			t.Errorf("%s: %s: %s", command, got, out)
		}
	}
}

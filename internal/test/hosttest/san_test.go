package hosttest

import (
	"bufio"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// sanModule is the release whose loader of settings and hook engine are driven; PERMGATE_SAN names a folder with its source instead.
const sanModule = "github.com/genai-io/san@v1.22.4"

// sanDriver is a program inside San's module, whose packages are internal: it loads the settings and runs the engine
// for each call of standard input.
const sanDriver = `package main

import (
	"context"
	"encoding/json"
	"io"
	"os"

	"github.com/genai-io/san/internal/hook"
	"github.com/genai-io/san/internal/setting"
)

func main() {
	cwd, _ := os.Getwd()
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var c struct {
			Tool, Mode string
			Input      map[string]any
		}
		if err := in.Decode(&c); err == io.EOF {
			return
		} else if err != nil {
			panic(err)
		}
		data, err := setting.LoadForCwd(cwd)
		if err != nil {
			panic(err)
		}
		e := hook.NewEngine(data, "s-1", cwd, os.Getenv("HOME")+"/.san/projects/x/s-1.jsonl")
		e.SetPermissionMode(c.Mode)
		o := e.Execute(context.Background(), hook.PreToolUse, hook.HookInput{ToolName: c.Tool, ToolInput: c.Input})
		out.Encode(map[string]any{"Hooks": len(data.Hooks["PreToolUse"]), "Block": o.ShouldBlock, "Allow": o.PermissionAllow,
			"Ask": o.ForceAsk, "Blocked": o.BlockReason, "Said": o.PermissionReason})
	}
}
`

// A sanCall is a call San's engine is asked about; Script stands in for permgate, and "-" is no permgate at all.
type sanCall struct {
	Tool, Mode string
	Input      map[string]any
	Script     string
	Want       hookio.Ending
}

// sanCalls are answered under the rules of TestSan.
var sanCalls = []sanCall{
	{"Bash", "default", map[string]any{"command": "go vet ./..."}, "", hookio.EndsAllow},
	{"Bash", "autoPilot", map[string]any{"command": "go vet ./... && go vet ."}, "", hookio.EndsAllow},
	{"Bash", "default", map[string]any{"command": "go test ./..."}, "", hookio.EndsAsk},
	{"Bash", "autoPilot", map[string]any{"command": "go test ./... && go vet ."}, "", hookio.EndsAsk},
	{"Bash", "default", map[string]any{"command": "sudo make <a >b & c"}, "", hookio.EndsDeny},
	{"Bash", "bypassPermissions", map[string]any{"command": "rm -rf /"}, "", hookio.EndsDeny},
	{"Bash", "bypassPermissions", map[string]any{"command": "git push --force"}, "", hookio.EndsAsk},
	{"Bash", "default", map[string]any{"command": "npm ci"}, "", hookio.EndsSilence},
	{"Bash", "auto", map[string]any{"command": "npm ci", "timeout": 120000.0}, "", hookio.EndsSilence},
	{"Bash", "default", nil, "", hookio.EndsAsk},
	{"Bash", "default", map[string]any{"command": ""}, "", hookio.EndsAsk},
	{"Bash", "default", map[string]any{"command": 5.0}, "", hookio.EndsAsk},
	{"Bash", "default", map[string]any{"command": "go vet \xff"}, "", hookio.EndsAsk},
	{"Edit", "auto", map[string]any{"path": "a.go", "edits": []any{map[string]any{"oldText": "a", "newText": "b"}}}, "", hookio.EndsAllow},
	{"Edit", "auto", map[string]any{"path": "/srv/a", "edits": []any{}}, "", hookio.EndsAsk},
	{"Write", "default", map[string]any{"file_path": ".san/settings.json", "content": "{}"}, "", hookio.EndsAsk},
	{"Agent", "default", map[string]any{"name": "rogue", "prompt": "p"}, "", hookio.EndsDeny},
	{"mcp__notes__list", "default", nil, "", hookio.EndsAllow},
	{"mcp__notes__list", "autoPilot", map[string]any{}, "", hookio.EndsAllow},
	{"AskUserQuestion", "default", map[string]any{"question": "q"}, "", hookio.EndsSilence},
	{"Bash", "default", map[string]any{"command": "ls"}, "exit 1", hookio.EndsFailed},
	{"Bash", "default", map[string]any{"command": "ls"}, "echo no >&2; exit 2", hookio.EndsBlocked},
	{"Bash", "default", map[string]any{"command": "ls"}, "exit 2", hookio.EndsMute},
	{"Bash", "default", map[string]any{"command": "ls"}, "kill -9 $$", hookio.EndsKilled},
	{"Bash", "default", map[string]any{"command": "ls"}, "exec sleep 20", hookio.EndsLate},
	{"Bash", "default", map[string]any{"command": "ls"}, "-", hookio.EndsMissing},
	{"Bash", "default", map[string]any{"command": "ls"}, "echo allow", hookio.EndsText},
	{"Bash", "default", map[string]any{"command": "ls"}, `printf '{"hookSpecificOutput":{"permissionDecision":"allow"'`, hookio.EndsBroken},
	{"Bash", "default", map[string]any{"command": "ls"}, `echo '{"decision":"allow"}'`, hookio.EndsSilence},
}

// A sanSession is a home and a project that San's own code reads.
type sanSession struct {
	driver, permgate, home, project string
}

// TestSan: San's loader reads what install wrote, its engine does with every ending of the hook what the model of it says, and
// after uninstall, or with a comment in the file, there is no hook.
func TestSan(t *testing.T) {
	s := newSan(t)
	s.write(t, filepath.Join(s.home, ".san", "settings.json"), `{"permissions": {"allow": ["Bash(go vet:*)", "Edit(./**)", "MCP(mcp__notes__*)"],
  "ask": ["Bash(go test:*)"], "deny": ["Bash(sudo *)", "Agent(rogue)"]}, "theme": "dark"}`)
	before := s.settings(t)
	s.run(t, "trust", "--folder", s.home, "--yes")
	s.run(t, "install", "--host", "san", "--experimental", "--yes")
	built, err := os.ReadFile(s.permgate)
	if err != nil {
		t.Fatal(err)
	}
	model := hookio.Lookup("san")
	for _, c := range sanCalls {
		switch c.Script {
		case "":
		case "-":
			os.Remove(s.permgate)
		default:
			os.Remove(s.permgate)
			executable.Write(t, s.permgate, "#!/bin/sh\n"+c.Script+"\n")
		}
		got := s.ask(t, c)
		want, _ := model.After("PreToolUse", c.Want, true)
		if fate := got.fate(); got.Hooks != 1 || fate != want {
			t.Errorf("%s %v in %s, %q: %d hooks, %s after %s, want %s: %+v", c.Tool, c.Input, c.Mode, c.Script, got.Hooks, fate, c.Want, want, got)
		}
		if got.Said != "" { // docs/hosts.md and docs/upstream say that it is lost
			t.Errorf("%s %v: San keeps the reason %q", c.Tool, c.Input, got.Said)
		}
		if c.Want == hookio.EndsDeny && got.Blocked == "" {
			t.Errorf("%s %v: a denial without a reason", c.Tool, c.Input)
		}
		if c.Script != "" {
			os.Remove(s.permgate)
			executable.Write(t, s.permgate, string(built))
		}
	}
	ls := sanCall{Tool: "Bash", Mode: "default", Input: map[string]any{"command": "rm -rf /"}}
	with := s.settings(t)
	s.write(t, filepath.Join(s.home, ".san", "settings.json"), "// mine\n"+with)
	if got := s.ask(t, ls); got.Hooks != 0 {
		t.Errorf("San reads a file with comments: %+v", got)
	}
	s.write(t, filepath.Join(s.home, ".san", "settings.json"), with)
	s.write(t, filepath.Join(s.project, ".san", "settings.local.json"), `{"hooks": {"PreToolUse": []}}`)
	if got := s.ask(t, ls); got.Hooks != 0 {
		t.Errorf("a file of the project does not take the hook's place: %+v", got)
	}
	os.Remove(filepath.Join(s.project, ".san", "settings.local.json"))
	s.run(t, "uninstall", "--host", "san", "--yes")
	if got := s.ask(t, ls); got.Hooks != 0 || s.settings(t) != before {
		t.Errorf("after uninstall: %+v\n%s", got, s.settings(t))
	}
}

// sanOutcome is what the engine made of the hook.
type sanOutcome struct {
	Hooks             int
	Block, Allow, Ask bool
	Blocked, Said     string
}

func (o sanOutcome) fate() hookio.Fate {
	switch {
	case o.Block:
		return hookio.FateBlocks
	case o.Ask:
		return hookio.FatePrompts
	case o.Allow:
		return hookio.FateRuns
	}
	return hookio.FateHost
}

// newSan builds the driver from San's source, and skips the test without it.
func newSan(t *testing.T) *sanSession {
	t.Helper()
	source := os.Getenv("PERMGATE_SAN")
	if testing.Short() || !wanted("san", os.Getenv("PERMGATE_HOSTS")) {
		t.Skip("PERMGATE_HOSTS=san fetches " + sanModule + " and drives its hook engine")
	}
	if source == "" {
		out, err := exec.Command("go", "mod", "download", "-json", sanModule).Output()
		var m struct{ Dir, Error string }
		if json.Unmarshal(out, &m) != nil || m.Dir == "" {
			t.Skipf("go mod download %s: %v %s; PERMGATE_SAN may name a folder with its source", sanModule, err, m.Error)
		}
		source = m.Dir
	}
	copied := filepath.Join(t.TempDir(), "san")
	if err := os.CopyFS(copied, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	s := &sanSession{filepath.Join(t.TempDir(), "driver"), BuildPermgate(t), t.TempDir(), t.TempDir()}
	s.write(t, filepath.Join(copied, "internal", "permgatedriver", "main.go"), sanDriver)
	build := exec.Command("go", "build", "-o", s.driver, "./internal/permgatedriver")
	build.Dir, build.Env = copied, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("San's driver: %v\n%s", err, out)
	}
	return s
}

func (s *sanSession) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (s *sanSession) settings(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(s.home, ".san", "settings.json"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// run runs permgate for the user of the session; trust is that of the passwd entry.
func (s *sanSession) run(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.Command(s.permgate, args...)
	cmd.Dir, cmd.Env = s.project, []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
	if args[0] == "trust" {
		cmd.Env[0] = "HOME=" + passwdHome(t)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("permgate %s: %v\n%s", strings.Join(args, " "), err, out)
	}
}

// ask gives the engine one call. A hook that is late is waited for a second, not ten.
func (s *sanSession) ask(t *testing.T, c sanCall) (o sanOutcome) {
	t.Helper()
	settings := s.settings(t)
	if c.Want == hookio.EndsLate {
		s.write(t, filepath.Join(s.home, ".san", "settings.json"), strings.ReplaceAll(settings, `"timeout": 10`, `"timeout": 1`))
		defer s.write(t, filepath.Join(s.home, ".san", "settings.json"), settings)
	}
	in, err := json.Marshal(map[string]any{"Tool": c.Tool, "Mode": c.Mode, "Input": c.Input})
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(s.driver)
	cmd.Dir, cmd.Env = s.project, []string{"HOME=" + s.home, "PATH=" + os.Getenv("PATH")}
	cmd.Stdin = strings.NewReader(string(in))
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	line, _ := bufio.NewReader(strings.NewReader(string(out))).ReadBytes('\n')
	if err := json.Unmarshal(line, &o); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return o
}

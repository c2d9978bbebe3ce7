package hosttest

import (
	"net/http"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// hooked runs one session of Codex with a recording hook on PreToolUse and returns the tools it saw, each
// with its command.
func hooked(t *testing.T, h *Host, s *Session) []string {
	t.Helper()
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the probe hook is a shell script")
	}
	dir := t.TempDir()
	s.Hooks = []Hook{{Event: "PreToolUse", Command: writeRecorder(t, dir) + " PreToolUse", Timeout: 10}}
	out, err := s.Run(t, program)
	var commands []string
	for _, x := range readSent(t, dir, s) {
		input, _ := x.body["tool_input"].(map[string]any)
		command, _ := input["command"].(string)
		tool, _ := x.body["tool_name"].(string)
		commands = append(commands, strings.TrimSpace(tool+" "+command))
	}
	if len(commands) == 0 {
		t.Fatalf("no hook was called: %v\n%s", err, out)
	}
	return commands
}

// TestCodexCodeMode: models that call tools from a script of their own have one tool, exec. The script
// is not hooked, the tools it calls are.
func TestCodexCodeMode(t *testing.T) {
	h := Codex
	s := NewSession(t, &h, ToolCall{Name: "exec", Input: map[string]any{customInput: "text(await tools.exec_command({cmd: 'touch made.txt'}));" +
		"text(await tools.mcp__stub__touch({name: 'mcp.txt'}))"}})
	s.MCP = mcpServers(t)
	s.Posture = Posture{Name: "code mode", Args: []string{"--dangerously-bypass-approvals-and-sandbox", "-m", "gpt-6-sol"}}
	got := hooked(t, &h, s)
	if strings.Join(got, ";") != "Bash touch made.txt;mcp__stub__touch" || !s.Ran("made.txt") || !s.Ran("mcp.txt") {
		t.Errorf("hooked %q, ran %v %v: want the calls inside the script alone, and that they ran\n%v",
			got, s.Ran("made.txt"), s.Ran("mcp.txt"), s.API.Results())
	}
}

// TestCodexStdin: what the model types into a shell that runs already (write_stdin) reaches no hook.
// That is a gap of Codex which docs/hosts.md names; the day it is closed this test fails.
func TestCodexStdin(t *testing.T) {
	running := regexp.MustCompile(`session ID (\d+)`)
	h := Codex
	h.API = Protocol{"Responses with a running shell", func(a *API, w http.ResponseWriter, r *http.Request, body []byte) {
		if m := running.FindSubmatch(body); m != nil {
			a.mu.Lock()
			a.Conversations[0].Calls[1].Input["session_id"], _ = strconv.Atoi(string(m[1]))
			a.mu.Unlock()
		}
		Responses.Serve(a, w, r, body)
	}}
	s := NewSession(t, &h,
		ToolCall{Name: "exec_command", Input: map[string]any{"cmd": "sh", "tty": true, "yield_time_ms": 300}},
		ToolCall{Name: "write_stdin", Input: map[string]any{"session_id": 0, "chars": "touch typed.txt\n"}})
	s.Posture = h.posture("bypass")
	got := hooked(t, &h, s)
	if strings.Join(got, ";") != "Bash sh" || !s.Ran("typed.txt") {
		t.Errorf("hooked %q, ran %v: want sh alone, and that what was typed ran", got, s.Ran("typed.txt"))
	}
}

// TestCodexTrust: a hook no one has trusted in Codex is not called, and the tool runs.
func TestCodexTrust(t *testing.T) {
	h := Codex
	h.Launch = func(t testing.TB, s *Session) (args, env []string) {
		args, env = launchCodex(t, s)
		for i, a := range args {
			if a == "--dangerously-bypass-hook-trust" {
				return append(args[:i:i], args[i+1:]...), env
			}
		}
		t.Fatal("the hook is trusted in another way now")
		return nil, nil
	}
	program := h.Install(t)
	s := NewSession(t, &h, h.Touch("ran.txt"))
	s.Posture = h.posture("bypass")
	s.Hooks = []Hook{{Event: "PreToolUse", Command: "echo probe >&2; exit 2", Timeout: 10}}
	out, err := s.Run(t, program)
	if !s.Ran("ran.txt") {
		t.Errorf("did not run: %v\n%s", err, out)
	}
}

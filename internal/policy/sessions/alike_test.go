package sessions_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
)

type object = map[string]any

// A hookPayload is what a hook was sent.
type hookPayload struct {
	SessionID      string          `json:"session_id"`
	Cwd            string          `json:"cwd"`
	Mode           string          `json:"permission_mode"`
	Event          string          `json:"hook_event_name"`
	Agent          string          `json:"agent_id"`
	AgentName      string          `json:"agent_name"`
	Tool           string          `json:"tool_name"`
	Input          json.RawMessage `json:"tool_input"`
	ID             string          `json:"tool_use_id"`
	CamelSession   string          `json:"sessionId"`
	CamelTool      string          `json:"toolName"`
	CamelArguments json.RawMessage `json:"toolArgs"`
	CamelAgent     string          `json:"agentId"`
}

const at = "2026-11-21T20:24:42.000Z"

// written is how the session file of each host has a call that its hook was sent.
var written = map[string]func(p hookPayload) []any{
	"claude": func(p hookPayload) []any {
		entry := func(kind string, message object) object {
			return object{"type": kind, "cwd": p.Cwd, "sessionId": p.SessionID, "timestamp": at, "message": message}
		}
		prompt := entry("user", object{"role": "user", "content": "go on"})
		prompt["permissionMode"] = p.Mode
		call := entry("assistant", object{"role": "assistant", "content": []any{
			object{"type": "tool_use", "id": p.ID, "name": p.Tool, "input": p.Input}}})
		if p.Agent != "" {
			call["isSidechain"], call["agentId"] = true, p.Agent
		}
		return []any{prompt, call}
	},
	"codex": func(p hookPayload) []any {
		line := func(kind string, payload object) object {
			return object{"timestamp": at, "type": kind, "payload": payload}
		}
		var input struct{ Command string }
		json.Unmarshal(p.Input, &input)
		meta := object{"id": p.SessionID, "session_id": p.SessionID, "cwd": codexCwd}
		if p.Agent != "" {
			meta["id"], meta["thread_source"] = p.Agent, "subagent"
		}
		policy := "on-request"
		if p.Mode == "bypassPermissions" {
			policy = "never"
		}
		call := object{"type": "function_call", "name": p.Tool, "call_id": p.ID, "arguments": string(p.Input)}
		switch p.Tool {
		case "Bash":
			args, _ := json.Marshal(object{"cmd": input.Command, "workdir": p.Cwd, "yield_time_ms": 1000})
			call["name"], call["arguments"] = "exec_command", string(args)
		case "apply_patch":
			call = object{"type": "custom_tool_call", "name": "apply_patch", "call_id": p.ID, "input": input.Command}
		}
		return []any{line("session_meta", meta), line("turn_context", object{"cwd": codexCwd, "approval_policy": policy}),
			line("response_item", call)}
	},
	"copilot": func(p hookPayload) []any {
		call := object{"type": "tool.execution_start", "timestamp": at, "data": object{"toolCallId": "call_1", "toolName": p.CamelTool, "arguments": p.CamelArguments}}
		if p.CamelAgent != "" {
			call["agentId"] = p.CamelAgent
		}
		return []any{object{"type": "session.start", "data": object{"sessionId": p.CamelSession, "context": object{"cwd": p.Cwd}}}, call}
	},
	"gemini": func(p hookPayload) []any {
		return []any{
			object{"sessionId": p.SessionID, "projectHash": "x", "startTime": at},
			object{"id": "m", "timestamp": at, "type": "gemini", "content": "", "toolCalls": []any{
				object{"id": "call_1", "name": p.Tool, "args": p.Input, "status": "success", "timestamp": at}}},
		}
	},
	"qwen": func(p hookPayload) []any {
		entry := object{"sessionId": p.SessionID, "cwd": p.Cwd, "timestamp": at, "type": "assistant", "message": object{"role": "model", "parts": []any{
			object{"functionCall": object{"id": p.ID, "name": p.Tool, "args": p.Input}}}}}
		return []any{
			object{"sessionId": p.SessionID, "type": "system", "subtype": "session_approval_mode", "systemPayload": object{"mode": p.Mode}},
			entry,
		}
	},
	"droid": func(p hookPayload) []any {
		return []any{
			object{"type": "session_start", "id": p.SessionID, "cwd": p.Cwd},
			object{"type": "message", "id": "m", "timestamp": at, "message": object{"role": "assistant", "content": []any{
				object{"type": "tool_use", "id": "call_1", "name": p.Tool, "input": p.Input}}}},
		}
	},
	"gen": sanWritten("transcriptId", "state.patched"),
	"san": sanWritten("sessionId", "session.state.patched"),
}

func sanWritten(id, patched string) func(p hookPayload) []any {
	return func(p hookPayload) []any {
		mode := cmp.Or(map[string]string{"default": "normal", "auto": "auto-accept"}[p.Mode], p.Mode)
		if p.Input == nil {
			p.Input = json.RawMessage("{}")
		}
		call := object{id: p.SessionID, "time": at, "type": "message.appended", "cwd": p.Cwd, "message": object{"role": "assistant", "content": []any{
			object{"type": "tool_use", "id": "call_1", "name": p.Tool, "input": p.Input}}}}
		if p.Agent+p.AgentName != "" {
			call["isSidechain"], call["agentId"] = true, p.Agent
		}
		return []any{object{id: p.SessionID, "time": at, "type": patched, "state": object{"ops": []any{object{"path": "mode", "value": mode}}}}, call}
	}
}

// codexCwd is where the sessions of Codex work: its payloads name the folder of the command.
const codexCwd = "/home/u/app"

// TestAlike reads calls that real hosts sent to a hook from the log and from session
// files: they are the same, and are decided alike.
func TestAlike(t *testing.T) {
	world := testWorld(t)
	for host, write := range written {
		t.Run(host, func(t *testing.T) {
			compared := 0
			for _, sent := range payloads(t, host) {
				payload := sent[1]
				var p hookPayload
				if err := json.Unmarshal([]byte(payload), &p); err != nil {
					t.Fatal(err)
				}
				logged := fromLog(t, hookio.Options{Host: host, Event: sent[0]}, payload, world)
				if logged == nil || host == "copilot" && p.CamelTool == "" {
					continue
				}
				compared++
				var b strings.Builder
				for _, line := range write(p) {
					text, _ := json.Marshal(line)
					b.Write(append(text, '\n'))
				}
				compare(t, payload, logged, only(t, b.String(), host, p.Cwd), world)
			}
			t.Logf("%d calls", compared)
			if compared == 0 {
				t.Error("no call was compared")
			}
		})
	}
}

// payloads are what a host sent, each with its event, and where none was seen, what it is
// documented to send.
func payloads(t *testing.T, host string) (out [][2]string) {
	dir := filepath.Join("..", "..", "..", "testdata", "hosts", host)
	text, _ := os.ReadFile(filepath.Join(dir, "observed.tsv"))
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 4 && !strings.HasPrefix(line, "#") {
			out = append(out, [2]string{f[1], f[3]})
		}
	}
	if len(out) > 0 {
		return out
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, [2]string{"", string(text)})
	}
	return out
}

// testWorld has a home with some rules.
func testWorld(t *testing.T) gate.World {
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	settings := `{"permissions": {"allow": ["Bash(touch *)", "Write", "mcp__stub"], "ask": ["WebFetch", "Grep"], "deny": ["Read(//etc/**)", "Bash(cat *)"]}}`
	for _, root := range []string{".claude", ".gen"} {
		if err := os.MkdirAll(filepath.Join(home, root), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(home, root, "settings.json"), []byte(settings), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return gate.World{
		Getenv: func(k string) string { return map[string]string{"HOME": home}[k] },
		Cwd:    codexCwd, PasswdHome: home, UID: disk.UID(), Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
		Files: disk.Disk{}, Now: time.Now(), ManagedDir: []string{},
	}
}

// fromLog logs a call as the hook does, and reads it again; nil for no call before a tool.
func fromLog(t *testing.T, o hookio.Options, payload string, world gate.World) *sessions.Call {
	call, err := hookio.Read(strings.NewReader(payload), o)
	if err != nil || call.Event != hookio.PreToolUse {
		return nil
	}
	f := &gate.Flags{Host: o.Host}
	gate.PinCwd(call, f, world)
	c := gate.Case(call, f, world)
	v := decide.Decide(c)
	r := log.Decided(c, v, v.Answer())
	r.Time = time.Now()
	r.CalledWith([]string{"--host", o.Host})
	return only(t, string(r.AppendJSON(nil)), "permgate", "")
}

// only reads the one call of a file.
func only(t *testing.T, text, format, root string) *sessions.Call {
	t.Helper()
	name := filepath.Join(t.TempDir(), "chats", "session-x.jsonl")
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{name: text, filepath.Join(filepath.Dir(filepath.Dir(name)), ".project_root"): root} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var calls []*sessions.Call
	var counts sessions.Counts
	err := sessions.Read([]string{name}, nil, nil, &counts, &sessions.Seen{}, time.Time{}, func(c *sessions.Call) error {
		calls = append(calls, c)
		return nil
	})
	if err != nil || len(calls) != 1 || counts.Unknown+counts.Torn > 0 || calls[0].Format.Name != format {
		t.Fatalf("%v, %d calls, %+v, of\n%s", err, len(calls), counts, text)
	}
	return calls[0]
}

func compare(t *testing.T, payload string, logged, file *sessions.Call, world gate.World) {
	t.Helper()
	if logged.Call == nil || file.Call == nil {
		if logged.Skip != file.Skip {
			t.Errorf("%s:\nfrom the log skipped %q, from the session file %q", payload, logged.Skip, file.Skip)
		}
		return
	}
	a, b := *logged.Call, *file.Call
	for _, c := range []*hookio.Call{&a, &b} {
		c.Input, c.RawTool, c.RawEvent, c.CallID, c.Project, c.Transcript, c.AgentType = hookio.Call{}.Input, "", "", "", "", "", ""
	}
	if a.AgentID == "" {
		b.AgentID = "" // San's hook names the type alone
	}
	if file.Format.Name == "droid" {
		a.RawMode, a.Mode = "", "" // not in its files
	}
	if x, y := fmt.Sprintf("%+v", a), fmt.Sprintf("%+v", b); x != y {
		t.Errorf("%s:\nfrom the log          %s\nfrom the session file %s", payload, x, y)
	}
	if logged.Subagent() != file.Subagent() || logged.Host != file.Call.Host.Name || logged.Session != file.Session {
		t.Errorf("%s: another host, session or subagent", payload)
	}
	side := replay.NewSide(&gate.Flags{}, world, 1<<20)
	x, _ := json.Marshal(side.Decide(logged))
	if y, _ := json.Marshal(side.Decide(file)); string(x) != string(y) {
		t.Errorf("%s:\nfrom the log          %s\nfrom the session file %s", payload, x, y)
	}
}

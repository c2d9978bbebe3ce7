package hosttest

import (
	"bufio"
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// mcpMark in the environment makes the test binary an MCP server on standard input and output; consentMark
// names the file in which its tool "consent" notes the id of each call a person would be asked about; sayMark is what its
// tool "touch" says.
const (
	mcpMark     = "PERMGATE_HOSTTEST_MCP"
	consentMark = "PERMGATE_HOSTTEST_CONSENT"
	sayMark     = "PERMGATE_HOSTTEST_SAY"
)

func TestMain(m *testing.M) {
	if os.Getenv(mcpMark) != "" {
		serveMCP()
		return
	}
	flag.Parse()
	code := m.Run()
	os.RemoveAll(passwdFolder())
	if err := writeStatus(); err != nil {
		fmt.Fprintf(os.Stderr, "status of the hosts: %v\n", err)
		code = max(code, 1)
	}
	os.Exit(code)
}

// mcpServers is the configuration of one server named "stub" whose tool "touch" makes an empty file.
func mcpServers(t testing.TB) map[string]any {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return map[string]any{"stub": map[string]any{"command": exe, "args": []string{}, "env": map[string]string{mcpMark: "1"}}}
}

// serveMCP answers the requests of the Model Context Protocol a host makes to use one tool.
// Source: modelcontextprotocol.io/specification, stdio transport.
func serveMCP() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var req struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params struct {
				ProtocolVersion string `json:"protocolVersion"`
				Name            string `json:"name"`
				Arguments       struct {
					Name string `json:"name"`
					Call string `json:"tool_use_id"`
				} `json:"arguments"`
			} `json:"params"`
		}
		if json.Unmarshal(in.Bytes(), &req) != nil || len(req.ID) == 0 {
			continue // a notification wants no answer
		}
		var result any = map[string]any{}
		switch req.Method {
		case "initialize":
			result = map[string]any{"protocolVersion": req.Params.ProtocolVersion, "capabilities": map[string]any{"tools": map[string]any{}},
				"serverInfo": map[string]any{"name": "stub", "version": "1"}}
		case "tools/list":
			tools := []any{map[string]any{"name": "touch", "description": "makes an empty file",
				"inputSchema": map[string]any{"type": "object", "properties": map[string]any{"name": map[string]any{"type": "string"}}, "required": []string{"name"}}}}
			if os.Getenv(consentMark) != "" {
				tools = append(tools, map[string]any{"name": "consent", "description": "answers for a person", "inputSchema": map[string]any{"type": "object"}})
			}
			result = map[string]any{"tools": tools}
		case "tools/call":
			text := cmp.Or(os.Getenv(sayMark), "done")
			if req.Params.Name == "consent" {
				text = refuse(req.Params.Arguments.Call)
			} else if err := os.WriteFile(req.Params.Arguments.Name, nil, 0o644); err != nil {
				text = err.Error()
			}
			result = map[string]any{"content": []any{map[string]any{"type": "text", "text": text}}}
		}
		fmt.Println(jsonText(map[string]any{"jsonrpc": "2.0", "id": req.ID, "result": result}))
	}
}

// consentNo is what the model is told where the person says no.
const consentNo = "the person said no"

// refuse notes that a person would be asked about a call, and says no in their place.
func refuse(call string) string {
	f, err := os.OpenFile(os.Getenv(consentMark), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err.Error()
	}
	defer f.Close()
	fmt.Fprintln(f, call)
	return jsonText(map[string]any{"behavior": "deny", "message": consentNo})
}

// TestServerTexts has Claude Code call the tool of a server with texts that it may run, with permgate and with its hooks
// switched off: what certainly destroys, or names a secret, does not get there, and all else does.
func TestServerTexts(t *testing.T) {
	program := Claude.Install(t)
	permgate := BuildPermgate(t)
	calls := []struct {
		field, text string
		harms       bool
	}{
		{"command", "rm -rf /", true}, {"sql", "DROP TABLE users", true}, {"args", `{"path":"{home}/.aws/credentials"}`, true},
		{"query", "Delete button broken", false}, {"code", "print('rm -rf /')", false}, {"command", "npm test", false},
	}
	for _, mode := range []string{"default", "bypassPermissions"} {
		for _, on := range []bool{false, true} {
			w := newWorld(t)
			s := &Session{Host: &Claude, API: StartAPI(t, Claude.API), Home: w.home, Project: w.project, Env: w.environment(), MCP: mcpServers(t)}
			made := func(i int) string { return filepath.Join(w.project, fmt.Sprintf("made%d.txt", i)) }
			for i, c := range calls {
				s.API.Conversations[0].Calls = append(s.API.Conversations[0].Calls,
					ToolCall{Name: "mcp__stub__touch", Input: map[string]any{"name": made(i), c.field: w.fill(c.text)}})
			}
			s.Posture = Posture{Args: []string{"--permission-mode", mode, "--session-id", w.session, "--allowedTools", "mcp__stub__touch"}}
			w.prepare(t, s, permgate, &laxSetup{}, &laxMode{}, on)
			if out, err := s.Run(t, program); len(s.API.Results()) != len(calls) {
				t.Fatalf("%d of %d calls: %v\n%s", len(s.API.Results()), len(calls), err, out)
			}
			for i, c := range calls {
				if ran := exists(made(i)); ran == (on && c.harms) {
					t.Errorf("%s %q in %s, permgate %v: ran %v: %s", c.field, c.text, mode, on, ran, s.API.Results()[i].Text)
				}
			}
		}
	}
}

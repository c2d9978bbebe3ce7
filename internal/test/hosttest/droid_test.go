package hosttest

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os/exec"
	"testing"
	"time"
)

// TestDroidAsk drives Droid through the protocol its editors use, with a client that can be asked, and
// shows why permgate denies there instead of asking: an ask of a hook is no question. Where Droid would
// have asked by itself it does, where it would not the tool runs.
func TestDroidAsk(t *testing.T) {
	h := &Droid
	program := h.Install(t)
	g := h.Gates[0]
	for _, tt := range []struct {
		level, decision string
		asked, ran      bool // the client says no to everything
	}{
		{"off", "allow", false, true},
		{"off", "silence", true, false},
		{"off", "ask", true, false},
		{"high", "silence", false, true},
		{"high", "ask", false, true},
		{"high", "deny", false, false},
	} {
		t.Run(tt.level+" "+tt.decision, func(t *testing.T) {
			s := NewSession(t, h, h.Touch("ran.txt"))
			answer := ""
			if tt.decision != "silence" {
				answer = "; echo " + shellQuote(g.Answer(tt.decision))
			}
			s.Hooks = []Hook{{Event: g.Event, Command: "cat >/dev/null" + answer, Timeout: probeTimeout}}
			asked := s.editor(t, program, tt.level)
			if !asked && len(s.API.Results()) != 1 {
				t.Fatalf("%d tool results", len(s.API.Results()))
			}
			if ran := s.Ran("ran.txt"); asked != tt.asked || ran != tt.ran {
				t.Errorf("asked %v, ran %v; want %v, %v", asked, ran, tt.asked, tt.ran)
			}
		})
	}
}

// editor runs one turn of Droid as an editor would, one JSON-RPC message a line, says no to every
// question, and reports whether there was one.
func (s *Session) editor(t *testing.T, program []string, level string) (asked bool) {
	args, env := s.Host.Launch(t, s)
	ctx, cancel := context.WithTimeout(context.Background(), idleLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, program[0], "exec", args[1], args[2], // --settings FILE
		"--input-format", "stream-jsonrpc", "--output-format", "stream-jsonrpc")
	cmd.Dir, cmd.Env = s.Project, s.environment(program, env)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer in.Close()
	send(in, map[string]any{"type": "request", "id": "1", "method": "droid.initialize_session", "params": map[string]any{
		"machineId": "probe", "cwd": s.Project, "modelId": "custom:stub", "autonomyLevel": level, "interactionMode": "auto"}})
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var m struct{ Type, ID, Method string }
		if json.Unmarshal(lines.Bytes(), &m) != nil {
			continue
		}
		switch {
		case m.Type == "response" && m.ID == "1":
			send(in, map[string]any{"type": "request", "id": "2", "method": "droid.add_user_message", "params": map[string]any{"text": Prompt}})
		case m.Method == "droid.request_permission":
			asked = true
			send(in, map[string]any{"type": "response", "id": m.ID, "result": map[string]any{"selectedOption": "cancel"}})
		}
		if asked || len(s.API.Results()) > 0 {
			time.Sleep(time.Second) // for a tool that runs all the same
			cancel()
		}
	}
	return asked
}

func send(w io.Writer, message map[string]any) {
	message["jsonrpc"], message["factoryApiVersion"] = "2.0", "1.0.0"
	io.WriteString(w, jsonText(message)+"\n")
}

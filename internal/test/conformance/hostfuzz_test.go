package conformance

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// FuzzForms reads a payload twice: as the hook does, and by encoding/json and
// the tables of forms, which gives the call in Claude Code's words. The first
// is never allowed what the second would not be.
func FuzzForms(f *testing.F) {
	for i := range forms {
		for j := range handCalls {
			if c := &handCalls[j]; forms[i].gap(c) == "" {
				f.Add([]byte(spell(&forms[i], c)), uint8(j))
			}
		}
	}
	settings := canonPolicies(&canonCall{})
	f.Fuzz(func(t *testing.T, payload []byte, n uint8) {
		if len(payload) > 4<<10 {
			return
		}
		call, err := hookio.Read(strings.NewReader(string(payload)), hookio.Options{})
		if err != nil || !call.Event.Decides() {
			return
		}
		files := settings[[...]string{"rules", "bare", "acceptEdits"}[n%3]]
		_, got, err := judge(string(payload), hookio.Options{}, files)
		if err != nil {
			t.Fatal(err)
		}
		if call.Malformed != "" && got.Decision() == hookio.Allow {
			t.Fatalf("a malformed call is allowed (%s): %s", call.Malformed, payload)
		}
		for i := range forms {
			plain, ok := forms[i].canonical(payload, call)
			if !ok {
				continue
			}
			_, want, err := judge(plain, hookio.Options{}, files)
			if err == nil && got.Decision() < want.Decision() && call.Malformed == "" { // else it is asked, and that is all
				t.Fatalf("%s: %s (%s) where the plain form is %s (%s)\n%s\n%s", forms[i].name, got.Decision(), got.Reason(), want.Decision(), want.Reason(), payload, plain)
			}
		}
	})
}

// canonical puts a payload of the form into Claude Code's words, false where the
// tables do not say how. Where a call is made is taken from call.
func (f *form) canonical(payload []byte, call *hookio.Call) (string, bool) {
	var p map[string]json.RawMessage
	if f.host != call.Host.Name || call.Dir != "" || call.Project != "" && call.Project != "/work/project" || json.Unmarshal(payload, &p) != nil {
		return "", false
	}
	var name string
	var input map[string]json.RawMessage
	for _, key := range [...]string{"tool_name", "toolName"} {
		if json.Unmarshal(p[key], &name) == nil {
			break
		}
	}
	for _, key := range [...]string{"tool_input", "toolInput", "toolArgs"} {
		var text string
		if raw, ok := p[key]; ok && json.Unmarshal(raw, &text) == nil {
			if json.Unmarshal([]byte(text), &input) != nil {
				return "", false
			}
			break
		} else if ok && json.Unmarshal(raw, &input) == nil {
			break
		}
	}
	tool := ""
	for canon, raw := range f.tools {
		if raw == name {
			tool = canon
		}
	}
	switch call.RawEvent {
	case "beforeShellExecution":
		tool, input = "Bash", p
	case "beforeReadFile":
		tool, input = "Read", p
	}
	switch tool {
	case "Bash", "Read", "Write", "Edit", "Grep", "LS", "WebSearch":
	default:
		return "", false
	}
	back := map[string]string{}
	for k, to := range f.keys {
		if t, field, _ := strings.Cut(k, "."); t == tool && to != "" && to != "!" {
			back[to] = field
		}
	}
	out := map[string]json.RawMessage{}
	for _, field := range [...]string{"command", "file_path", "path", "query", "pattern", "glob"} {
		key := field
		for raw, canon := range back {
			if canon == field {
				key = raw
			}
		}
		if v, ok := input[key]; ok && (back[key] == "" || back[key] == field) {
			out[field] = v
		}
	}
	if f.wrap != nil && tool == "Edit" {
		return "", false // one text for the path and the change
	}
	b, err := json.Marshal(map[string]any{"hook_event_name": string(call.Event), "cwd": call.Cwd, "permission_mode": call.Mode,
		"agent_id": call.AgentID, "agent_type": call.AgentType, "tool_name": tool, "tool_input": out})
	return string(b), err == nil
}

package main

import "testing"

func TestKeyOf(t *testing.T) {
	const (
		decision = `{"EventName":"permgate.decision","Attributes":{"session.id":"s","permgate.input_hash":"h","gen_ai.tool.call.id":"toolu_1"}}`
		outcome  = `{"EventName":"permgate.outcome","Attributes":{"session.id":"s","permgate.input_hash":"h"}}`
		unhashed = `{"EventName":"permgate.decision","Attributes":{"session.id":"s","gen_ai.tool.call.id":"toolu_1"}}`
		end      = `{"EventName":"permgate.session_end","Attributes":{"session.id":"s"}}`
		payload  = `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}`
		resumed  = `{"session_id":"s2","tool_name":"Bash","tool_input":{"command":"ls"},"tool_use_id":"toolu_1"}`
		nameless = `{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}`
	)
	for _, tt := range []struct{ name, line, want string }{
		{"a decision", decision, "log s h"},
		{"its outcome", outcome, "log s h"},
		{"without a hash", unhashed, "log s id toolu_1"},
		{"the end of a session", end, ""},
		{"a payload", payload, "payload generic toolu_1"},
		{"the same call, in a resumed session", resumed, "payload generic toolu_1"},
		{"without an id", nameless, ""},
		{"torn", payload[:40], ""},
		{"blank", "  ", ""},
	} {
		if got := keyOf(tt.line); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

package hookio

// caliban is caliban. Its tools have Claude Code's names, its payload puts them into
// an object, and names neither a folder nor a mode. It makes a deny of an ask.
var caliban = Host{
	Name:   "caliban",
	Title:  "caliban",
	Roots:  []string{".caliban"},
	Detect: func(p Top) bool { return p.Has("hookEventName") && p.Get("tool").IsObject() },
	Events: []EventName{{"PreToolUse", PreToolUse}, {"PostToolUse", PostToolUse}, {"SessionEnd", SessionEnd}},
	Fields: []Pair{
		{"hookEventName", "hook_event_name"}, {"tool.name", "tool_name"}, {"tool.useId", "tool_use_id"}, {"tool.input", "tool_input"},
	},
	Decode:  decodeCaliban,
	Answers: []AnswerKey{{Path: "hookSpecificOutput.permissionDecision", Words: "allow deny"}},
	AnyExit: true,
	Encode:  encodeNested,
	Tools:   []Pair{{"MultiEdit", "Edit"}},
	Shapes: []Shape{
		{Tools: "Bash", Kind: KindCommand, Keys: []string{"command", "cwd"}, First: 1, Need: true, Dir: "cwd", Also: alsoCommand},
	},
	Calls: "PreToolUse",
	AskIs: func(*Call) AskForm { return AskDenies },
	Reader: []Reading{
		// after an allow its own permissions come
		{"", []Ending{EndsAllow, EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, ""},
		{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
	},
	Source: "caliban-ai/caliban crates/caliban-agent-core/src/hooks_router.rs and docs/guide/src/extending/hooks.md at f33a2d05 (2026-08-21)",
}

// decodeCaliban is decode of the payload with the members of its tool at the top level.
func decodeCaliban(c *Call, p Top) { decode(c, p.lifted("tool")) }

package hookio

import "strings"

// goose is Goose. It knows only block and allow; all else, {} too, is a failed
// hook. It may not look at a call after silence, which counts as running it.
var goose = Host{
	Name:    "goose",
	Title:   "Goose",
	Roots:   []string{".goose"},
	Detect:  func(p Top) bool { return p.Has("event", "working_dir") || p.Has("event", "matcher_context") },
	Fields:  []Pair{{"event", "hook_event_name"}, {"working_dir", "cwd"}, {"tool_call_id", "tool_use_id"}},
	Answers: []AnswerKey{{Path: "decision", Words: "allow block"}},
	Strict:  true,
	Decode:  decodeGoose,
	Encode:  encodeGoose,
	Shapes: []Shape{
		{Tools: "developer__tree", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 2},
		{Tools: "developer__read_image", Kind: KindPath, Access: AccessRead, Keys: []string{"source", "path", "file_path"}, First: 3, Need: true},
	},
	Tools: []Pair{
		{"developer__shell", "Bash"}, {"developer__write", "Write"}, {"developer__edit", "Edit"}, {"developer__text_editor", "Edit"},
		{"developer__tree", "LS"}, {"developer__read_image", "Read"},
	},
	MCP:         MCP{Forms: []MCPForm{{Sep: "__"}}},
	AskIs:       func(*Call) AskForm { return AskDenies },
	SilenceRuns: true,
	Register: &Registration{
		Programs: []string{"goose"}, Folder: "~/.config/goose",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.agents/plugins/permgate/hooks/hooks.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".agents/plugins/permgate/hooks/hooks.json", Root: "hooks", Own: true},
		},
		Beside: []TextFile{{Path: "../plugin.json", head: `{
  "name": "permgate",
  "version": "1.0.0",
  "description": "decides before a tool call runs whether it may"
}
`}},
		// a bare * is no regular expression: goose skips the whole rule
		Matcher: ".*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout",
		FailShut: Member{"on_failure", `"block"`}, OrExit2: true, Sh: true,
		OnWindows: WindowsShell{Bash, "block/goose crates/goose/src/hooks/mod.rs (2026-09): sh -c on every system"},
		Events: []HookEvent{
			{Name: "PreToolUse", Gates: true},
			{Name: "PostToolUse", Records: true},
			{Name: "PostToolUseFailure", Records: true},
			{Name: "SessionEnd", Records: true, NoTool: true},
		},
		Posture: []Recommended{{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1},
			{"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1}},
		Notes: []string{
			"goose versions without on_failure let a call go on when the hook times out",
		},
		Source: "goose documentation, guides/context-engineering/hooks (2026)",
	},
	Reader: []Reading{
		{"", []Ending{EndsAllow, EndsSilence}, FateRuns, 0, ""},
		// the line of an ask is a block
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
		{"", []Ending{EndsText, EndsBroken, EndsFailed, EndsKilled, EndsLate, EndsMissing}, FateRuns, FateBlocks, ""},
	},
	Source: "goose documentation, guides/context-engineering/hooks (2026)",
}

// decodeGoose is decode; an image may also be named by its URL.
func decodeGoose(c *Call, p Top) {
	decode(c, p)
	if c.RawTool != "developer__read_image" || len(c.Args) == 0 {
		return
	}
	if u := c.Args[0].Path; strings.HasPrefix(u, "http://") || strings.HasPrefix(u, "https://") {
		c.Tool, c.URL, c.Args = "WebFetch", u, c.Args[1:]
	}
}

func encodeGoose(dst []byte, _ *Call, a Answer) []byte {
	if a.Decision == Allow {
		return append(dst, "{\"decision\":\"allow\"}\n"...)
	}
	dst = AppendJSON(append(dst, `{"decision":"block","reason":`...), a.Reason)
	return append(dst, "}\n"...)
}

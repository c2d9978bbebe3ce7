package hookio

import "github.com/tidwall/gjson"

// qwen is Qwen Code: Claude Code's hook form with tools that go back to Gemini CLI.
var qwen = Host{
	Name:    "qwen",
	Aliases: []string{"qwen-code"},
	Title:   "Qwen Code",
	Detect:  func(p gjson.Result) bool { return transcriptIn(p, ".qwen") && !transcriptIn(p, ".claude") },
	Events: []EventName{
		{"PreToolUse", PreToolUse}, {"PermissionRequest", PermissionRequest}, {"PostToolUse", PostToolUse},
		{"PostToolUseFailure", PostToolUseFailure}, {"SessionEnd", SessionEnd},
	},
	Modes: []Pair{
		{"default", "default"},
		{"plan", "plan"},
		{"auto_edit", "acceptEdits"},
		{"auto-edit", "acceptEdits"},
		{"yolo", "bypassPermissions"},
	},
	Tools: []Pair{
		{"run_shell_command", "Bash"}, {"read_file", "Read"}, {"read_many_files", "Read"}, {"write_file", "Write"}, {"edit", "Edit"}, {"replace", "Edit"},
		{"notebook_edit", "NotebookEdit"}, {"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"}, {"list_directory", "LS"}, {"lsp", "LSP"},
		{"web_fetch", "WebFetch"}, {"web_search", "WebSearch"}, {"agent", "Agent"}, {"task", "Agent"}, {"Task", "Agent"},
		{"skill", "Skill"}, {"todo_write", "TodoWrite"}, {"ask_user_question", "AskUserQuestion"},
		{"enter_plan_mode", "EnterPlanMode"}, {"exit_plan_mode", "ExitPlanMode"}, {"MultiEdit", "Edit"},
	},
	MCP: MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}}},
	Shapes: []Shape{
		{Tool: "run_shell_command", Kind: KindCommand, Keys: []string{"command", "directory"}, First: 1, Need: true, Dir: "directory", Also: []string{"description", "is_background", "timeout"}},
		{Tool: "read_file", Kind: KindPath, Access: AccessRead, Keys: []string{"file_path", "absolute_path", "path"}, First: 3, Need: true},
		{Tool: "read_many_files", Kind: KindPath, Access: AccessRead, Keys: []string{"paths", "include"}, First: 2, Need: true, Lists: []string{"include", "paths"}, Globs: true, Also: []string{"exclude"}},
		{Tool: "grep_search", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "glob", "include"}, First: 1, Filter: []string{"glob", "include"}, Also: []string{"pattern"}},
		{Tool: "search_file_content", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "glob", "include"}, First: 1, Filter: []string{"glob", "include"}, Also: []string{"pattern"}},
	},
	AskIs:          askNested,
	Encode:         encodeNested,
	AutoClassifier: true,
	ProjectVar:     "QWEN_PROJECT_DIR",
	ConfigPaths:    []string{"~/.qwen/settings.json", ".qwen/settings.json"},
	Register:       &registerQwen,
	Reader: []Reading{
		{"", EndsAllow, FateRuns, 0, "0.24.4"},
		{"", EndsAsk, FatePrompts, 0, "0.24.4"},
		{"", EndsDeny, FateBlocks, 0, "0.24.4"},
		{"", EndsSilence, FateHost, 0, "0.24.4"},
		{"", EndsText, FateHost, 0, "0.24.4"},
		{"", EndsBroken, FateHost, 0, "0.24.4"},
		{"", EndsFailed, FateHost, 0, "0.24.4"}, // as in Gemini CLI: "|| exit 2" has to say something to block
		{"", EndsBlocked, FateBlocks, 0, "0.24.4"},
		{"", EndsMute, FateHost, 0, "0.24.4"},
		{"", EndsKilled, FateHost, FateBlocks, "0.24.4"},
		{"", EndsLate, FateHost, 0, "0.24.4"},
		{"", EndsMissing, FateHost, FateBlocks, "0.24.4"},
		{"PermissionRequest", EndsAsk, FatePrompts, 0, ""},
		{"PermissionRequest", EndsSilence, FatePrompts, 0, ""},
		{"PermissionRequest", EndsText, FatePrompts, 0, ""},
		{"PermissionRequest", EndsBroken, FatePrompts, 0, ""},
		{"PermissionRequest", EndsFailed, FatePrompts, 0, ""},
		{"PermissionRequest", EndsKilled, FatePrompts, 0, ""},
		{"PermissionRequest", EndsLate, FatePrompts, 0, ""},
		{"PermissionRequest", EndsMissing, FatePrompts, 0, ""},
	},
	Source: "qwenlm.github.io/qwen-code-docs hooks, QwenLM/qwen-code packages/core/src/{hooks,tools}, pull 11615 (2026-09); 0.24.4 was run",
	Examples: []Example{
		{
			Name: "shell command", Event: PreToolUse,
			In:    `{"session_id":"q1","transcript_path":"/home/u/.qwen/projects/x/chats/q1.jsonl","cwd":"/home/u/app","hook_event_name":"PreToolUse","timestamp":"2026-09-12T08:00:00.000Z","permission_mode":"auto_edit","tool_name":"run_shell_command","tool_input":{"command":"rm -rf build","is_background":false},"tool_use_id":"call_1"}`,
			Want:  "Bash rm -rf build",
			Allow: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}`,
			Ask:   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`,
			Deny:  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}`,
		},
		{
			Name: "the dialog is about to open", Event: PermissionRequest,
			In:    `{"session_id":"q1","transcript_path":"/home/u/.qwen/projects/x/chats/q1.jsonl","cwd":"/home/u/app","hook_event_name":"PermissionRequest","timestamp":"2026-09-12T08:00:00.000Z","permission_mode":"default","tool_name":"write_file","tool_input":{"file_path":"/home/u/app/a.go","content":"package a\n"}}`,
			Want:  "Write /home/u/app/a.go",
			Allow: `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
			Deny:  `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"why"}}}`,
		},
	},
}

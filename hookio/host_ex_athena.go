package hookio

// exAthena is ExAthena, a library. Its can_use_tool callback sends the fields of a
// ToolCall, and of the ToolContext the phase and the folder, and returns what it is told.
var exAthena = Host{
	Name:    "ex_athena",
	Aliases: []string{"exathena", "ex-athena"},
	Title:   "ExAthena",
	Roots:   []string{".exathena"},
	Detect:  func(p Top) bool { return p.Has("name", "arguments", "phase") },
	Fields:  []Pair{{"name", "tool_name"}, {"arguments", "tool_input"}, {"phase", "permission_mode"}, {"id", "tool_use_id"}},
	Answers: []AnswerKey{{Path: "decision", Words: "allow ask deny"}},
	Encode:  encodeFlat,
	Modes: []Pair{
		{"default", "default"}, {"plan", "plan"}, {"accept_edits", "acceptEdits"}, {"trusted", "bypassPermissions"},
		{"bypass_permissions", "bypassPermissions"},
	},
	Tools: []Pair{
		{"bash", "Bash"}, {"read", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"apply_patch", "Edit"}, {"glob", "Glob"}, {"grep", "Grep"},
		{"web_fetch", "WebFetch"}, {"web_search", "WebSearch"}, {"spawn_agent", "Agent"}, {"skill", "Skill"}, {"lsp", "LSP"},
		{"todo_write", "TodoWrite"},
	},
	Shapes: []Shape{
		{Tools: "grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "paths", "path_glob"}, First: 1, Filter: []string{"path_glob"}, Also: []string{"pattern"}},
		{Tools: "spawn_agent", Keys: []string{"agent", "subagent_type"}, First: 2, Also: []string{"prompt"}},
		// a unified diff: which files it names is not read, so that it is asked about
		{Tools: "apply_patch", Kind: KindPatch, Access: AccessWrite, Keys: []string{"patch"}, First: 1, Need: true},
	},
	MCP:         MCP{Forms: []MCPForm{{Sep: "_"}}},
	AskIs:       askNested,
	PlanPasses:  []string{"Agent"},
	SilenceRuns: true, // what the function makes of silence is not known
	Reader:      readerFunction,
	Calls:       "can_use_tool",
	Source:      "udin-io/ex_athena lib/ex_athena/{permissions.ex,tools} at 8222cfe (2026-08-18)",
}

package hookio

// qwen is Qwen Code: Claude Code's hook form with tools that go back to Gemini CLI.
var qwen = Host{
	Name:    "qwen",
	Aliases: []string{"qwen-code"},
	Title:   "Qwen Code",
	Detect:  func(p Top) bool { return transcriptIn(p, ".qwen") && !transcriptIn(p, ".claude") },
	Events:  eventsClaude,
	Modes: []Pair{
		{"default", "default"},
		{"plan", "plan"},
		{"auto_edit", "acceptEdits"},
		{"auto-edit", "acceptEdits"},
		{"yolo", "bypassPermissions"},
	},
	Tools: []Pair{
		{"run_shell_command", "Bash"}, {"monitor", "Monitor"}, {"read_file", "Read"}, {"read_many_files", "Read"}, {"zoom_image", "Read"}, {"write_file", "Write"}, {"edit", "Edit"}, {"replace", "Edit"},
		{"notebook_edit", "NotebookEdit"}, {"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"}, {"list_directory", "LS"}, {"lsp", "LSP"},
		{"web_fetch", "WebFetch"}, {"web_search", "WebSearch"}, {"agent", "Agent"}, {"task", "Agent"}, {"Task", "Agent"},
		{"skill", "Skill"}, {"todo_write", "TodoWrite"}, {"ask_user_question", "AskUserQuestion"},
		{"enter_plan_mode", "EnterPlanMode"}, {"exit_plan_mode", "ExitPlanMode"}, {"MultiEdit", "Edit"},
		{"save_memory", toolMemory},
	},
	MCP: MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}}},
	Shapes: []Shape{
		{Tools: "monitor", Kind: KindCommand, Keys: []string{"command", "directory"}, First: 1, Need: true, Dir: "directory", Also: []string{"description"}},
		{Tools: "run_shell_command", Kind: KindCommand, Keys: []string{"command", "directory"}, First: 1, Need: true, Dir: "directory", Also: []string{"description", "is_background", "timeout"}},
		{Tools: "read_file", Kind: KindPath, Access: AccessRead, Keys: []string{"file_path", "absolute_path", "path"}, First: 3, Need: true},
		{Tools: "read_many_files", Kind: KindPath, Access: AccessRead, Keys: []string{"paths", "include"}, First: 2, Need: true, Lists: []string{"include", "paths"}, Globs: true, Also: []string{"exclude"}},
		{Tools: "grep_search search_file_content", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "glob", "include"}, First: 1, Filter: []string{"glob", "include"}, Also: []string{"pattern"}},
	},
	AskIs:          askNested,
	Answers:        answersNested,
	AnyExit:        true,
	Encode:         encodeNested,
	AutoClassifier: true,
	ProjectVar:     "QWEN_PROJECT_DIR",
	Alone: Alone{
		Own:    []OwnFiles{{Base: BaseSession, Dir: "../memory", Ext: ".md", Doc: "the memory of the session's project"}},
		Source: "QwenLM/qwen-code docs/users/features/memory.md at 03aa0995 (2026-09)",
	},
	Register: &Registration{
		Programs: []string{"qwen"}, Folder: "~/.qwen",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.qwen/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".qwen/settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/QwenCode/settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "windows", Path: `C:\ProgramData\qwen-code\settings.json`, Root: "hooks"},
			{Scope: ForManaged, Path: "/etc/qwen-code/settings.json", Root: "hooks"},
		},
		Moved:   Pair{"~/.qwen", "QWEN_HOME"},
		Matcher: "*", Command: commandKey, Fixed: typeCommand,
		// older versions read milliseconds, newer ones seconds, but 1000 and more as milliseconds
		Timeout: "timeout", Millis: true, OrExit2: true, Sh: true, Async: Member{"async", "true"},
		// without it cmd is given the command with \" for each quote
		Windows:   []Member{{"shell", `"powershell"`}},
		OnWindows: WindowsShell{PowerShell, "the key shell: packages/core/src/hooks/hookRunner.ts of 0.24.4, QwenLM/qwen-code issue 8649 (2026-08)"},
		Events: []HookEvent{
			{Name: "PreToolUse", Gates: true}, {Name: "PermissionRequest"},
			{Name: "PostToolUse", Records: true, Async: true}, {Name: "PostToolUseFailure", Records: true, Async: true},
			{Name: "PermissionDenied", Records: true, Async: true}, {Name: "SessionEnd", Records: true, NoTool: true},
		},
		Posture: posture,
		Off: []OffSwitch{
			{Scope: ForManaged, Key: "disableAllHooks", Value: "true"},
			{Scope: ForUser, Key: "disableAllHooks", Value: "true"},
			{Scope: ForProject, Key: "disableAllHooks", Value: "true"},
		},
		Notes: []string{
			"Qwen Code has no fail-closed switch: a hook that times out lets the call go on to its own prompt",
			"if several hooks decide a call, Qwen Code takes the last: keep permgate's entry last, because another hook's allow would override its deny",
			"hooks of a project run only in a trusted folder",
		},
		Source: "qwenlm.github.io/qwen-code-docs hooks, QwenLM/qwen-code pull 11615 (2026-09-11); files and switches of 0.24.4",
	},
	Driven: Driven{qwenVersion, qwenDay},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, qwenVersion},
		{"", []Ending{EndsAsk}, FatePrompts, 0, qwenVersion},
		{"", []Ending{EndsDeny, EndsBlocked}, FateBlocks, 0, qwenVersion},
		{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, qwenVersion},
		// installed, the shell says a word on stderr: without one exit 2 is no block
		{"", []Ending{EndsFailed, EndsMute, EndsKilled, EndsMissing}, FateHost, FateBlocks, qwenVersion},
		{"PermissionRequest", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsMute,
			EndsKilled, EndsLate, EndsMissing}, FatePrompts, 0, ""},
	},
	Source: "qwenlm.github.io/qwen-code-docs hooks, QwenLM/qwen-code packages/core/src/{hooks,tools}, pull 11615 (2026-09); " + qwenVersion + " was run",
}

package hookio

// gemini is Gemini CLI. Its answer has the keys decision and reason at the top
// level. That "ask" makes it prompt is in its source, not in its
// documentation: 0.61.0 prompts, and without a person ends or waits for ever;
// older versions take an unknown decision for none. An ask is a deny here.
var gemini = Host{
	Name:      "gemini",
	Aliases:   []string{"gemini-cli"},
	Title:     "Gemini CLI",
	OnWindows: WindowsShell{PowerShell, "google-gemini/gemini-cli docs/reference/commands.md and packages/core/src/utils/shell-utils.ts: powershell.exe, or the pwsh that ComSpec names (2026-08)"},
	Detect: func(p Top) bool {
		switch p.Get("hook_event_name").String() {
		case "BeforeTool", "AfterTool":
			return true
		}
		return transcriptIn(p, ".gemini")
	},
	Events: []EventName{{"BeforeTool", PreToolUse}, {"AfterTool", PostToolUse}, {"SessionEnd", SessionEnd}},
	Tools: []Pair{
		{"run_shell_command", "Bash"}, {"read_file", "Read"}, {"read_many_files", "Read"}, {"write_file", "Write"}, {"replace", "Edit"},
		{"glob", "Glob"}, {"grep_search", "Grep"}, {"search_file_content", "Grep"}, {"list_directory", "LS"},
		{"web_fetch", "WebFetch"}, {"google_web_search", "WebSearch"}, {"invoke_agent", "Agent"}, {"delegate_to_agent", "Agent"},
		{"activate_skill", "Skill"}, {"write_todos", "TodoWrite"}, {"ask_user", "AskUserQuestion"},
		{"enter_plan_mode", "EnterPlanMode"}, {"exit_plan_mode", "ExitPlanMode"}, {"save_memory", toolMemory},
	},
	MCP: MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}, {Sep: "__"}}, Server: "mcp_context.server_name", Tool: "mcp_context.tool_name"},
	Shapes: []Shape{
		{Tools: "run_shell_command", Kind: KindCommand, Keys: []string{"command", "dir_path"}, First: 1, Need: true, Dir: "dir_path", Also: []string{"description", "is_background"}},
		{Tools: "read_file", Kind: KindPath, Access: AccessRead, Keys: []string{"file_path", "absolute_path", "path"}, First: 3, Need: true},
		{Tools: "read_many_files", Kind: KindPath, Access: AccessRead, Keys: []string{"include", "paths"}, First: 2, Need: true, Lists: []string{"include", "paths"}, Globs: true, Also: []string{"exclude"}},
		{Tools: "glob", Kind: KindPath, Access: AccessRead, Keys: []string{"dir_path", "path", "pattern"}, First: 2, Under: []string{"pattern"}},
		{Tools: "grep_search search_file_content", Kind: KindPath, Access: AccessRead, Keys: keysGeminiGrep, First: 2, Filter: []string{"include_pattern", "include"}, Also: []string{"pattern"}},
		{Tools: "list_directory", Kind: KindPath, Access: AccessRead, Keys: []string{"dir_path", "path"}, First: 2},
		{Tools: "web_fetch", Kind: KindURL, Keys: []string{"url", "prompt"}, First: 2, Need: true, Prose: "prompt"},
		{Tools: "invoke_agent delegate_to_agent", Keys: []string{"agent_name", "agent"}, First: 2, Also: []string{"prompt"}},
	},
	AskIs:      func(*Call) AskForm { return AskDenies },
	Answers:    []AnswerKey{{Path: "continue", Words: "false"}, {Path: "decision", Words: "allow ask deny block"}},
	AnyExit:    true,
	Encode:     encodeFlat,
	ProjectVar: "GEMINI_PROJECT_DIR",
	Alone: Alone{
		Rules: []string{".gemini"},
		Own: []OwnFiles{
			{Base: BaseHome, Dir: ".gemini/tmp/*/{session}/plans", Ext: ".md", Doc: "plans of the session"},
			{Base: BaseSession, Dir: "../memory", Ext: ".md", Doc: "private notes on the session's project"},
		},
		Source: "google-gemini/gemini-cli docs/cli/plan-mode.md, docs/tools/memory.md, packages/core/src/config/storage.ts (2026)",
	},
	Register: &Registration{
		Programs: []string{"gemini"}, Folder: "~/.gemini",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.gemini/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".gemini/settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/GeminiCli/settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "windows", Path: `C:\ProgramData\gemini-cli\settings.json`, Root: "hooks"},
			{Scope: ForManaged, Path: "/etc/gemini-cli/settings.json", Root: "hooks"},
		},
		Moved:   Pair{"~", "GEMINI_CLI_HOME"},
		Matcher: ".*", Command: commandKey, Fixed: []Member{{"name", `"permgate"`}, {"type", `"command"`}},
		Timeout: "timeout", Millis: true, OrExit2: true, Sh: true,
		OnWindows: WindowsShell{PowerShell, "packages/core/src/hooks/hookRunner.ts of 0.61.0 (2026-11): powershell.exe, or the pwsh that is there"},
		Events: []HookEvent{
			{Name: "BeforeTool", Gates: true},
			{Name: "AfterTool", Records: true},
			{Name: "SessionEnd", Records: true, NoTool: true},
		},
		Posture: posture,
		Off: []OffSwitch{
			{Scope: ForManaged, Key: "hooksConfig.enabled", Value: "false"},
			{Scope: ForUser, Key: "hooksConfig.enabled", Value: "false"},
			{Scope: ForProject, Key: "hooksConfig.enabled", Value: "false"},
			{Scope: ForManaged, Key: "hooksConfig.disabled", Value: `"permgate"`},
			{Scope: ForUser, Key: "hooksConfig.disabled", Value: `"permgate"`},
			{Scope: ForProject, Key: "hooksConfig.disabled", Value: `"permgate"`},
		},
		Notes: []string{
			"Gemini CLI has no fail-closed switch: a hook that times out lets the call go on to its own prompt",
			"hooks of a project run only in a trusted folder, and Gemini CLI warns when they change",
		},
		Source: "google-gemini/gemini-cli docs/hooks/reference.md, packages/core/src/hooks at 5411f113ca (2026-08-21); switches of 0.61.0",
	},
	Driven: Driven{geminiVersion, geminiDay},
	Reader: []Reading{
		// an allow does not lift its own prompt
		{"", []Ending{EndsAllow, EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, geminiVersion},
		// what the shell says on stderr of a missing program blocks, as text with an exit code of 2 or more does
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked, EndsMissing}, FateBlocks, 0, geminiVersion},
		// installed, the shell says a word on stderr: without one exit 2 is no block
		{"", []Ending{EndsFailed, EndsMute, EndsKilled}, FateHost, FateBlocks, geminiVersion},
	},
	Source: "google-gemini/gemini-cli docs/hooks/reference.md and packages/core/src/{hooks,tools} at 5411f113ca (2026-08-21); " + geminiVersion + " was run",
}

var keysGeminiGrep = []string{"dir_path", "path", "include_pattern", "include"}

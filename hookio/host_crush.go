package hookio

// crush is Crush. It has no ask: no opinion leads to its own prompt.
var crush = Host{
	Name:      "crush",
	Title:     "Crush",
	OnWindows: WindowsShell{Bash, "charmbracelet/crush internal/shell: mvdan.cc/sh on every system (2026-08)"},
	Roots:     []string{".crush"},
	Detect:    func(p Top) bool { return p.Has("event", "tool_name") && !p.Has("hook_event_name") },
	Fields:    []Pair{{"event", "hook_event_name"}},
	Decode:    decodeCrush,
	Answers: []AnswerKey{
		{Path: "decision", Words: "allow deny -ask"},
		{"PreToolUse", "hookSpecificOutput.permissionDecision", "allow deny -ask", ""},
	},
	Encode: encodeFlat,
	Shapes: []Shape{
		{Tools: "bash", Kind: KindCommand, Keys: []string{"command", "working_dir"}, First: 1, Need: true, Also: alsoCommand, Dir: "working_dir"},
		{Tools: "download", Kind: KindPath, Access: AccessWrite, Keys: []string{"file_path"}, First: 1, Need: true, Also: []string{"url"}},
		{Tools: "grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "include", "glob"}, First: 2, Filter: []string{"include", "glob"}, Also: alsoSearch},
		{Tools: "ls", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 2},
	},
	Tools: []Pair{
		{"bash", "Bash"}, {"view", "Read"}, {"write", "Write"}, {"edit", "Edit"}, {"multiedit", "Edit"}, {"download", "Write"},
		{"glob", "Glob"}, {"ls", "LS"}, {"grep", "Grep"}, {"fetch", "WebFetch"}, {"web_fetch", "WebFetch"}, {"agentic_fetch", "WebFetch"},
		{"web_search", "WebSearch"}, {"agent", "Agent"},
	},
	MCP:        MCP{Forms: []MCPForm{{Prefix: "mcp_", Sep: "_"}}},
	AskIs:      func(*Call) AskForm { return AskSilent },
	ProjectVar: "CRUSH_PROJECT_DIR",
	Register: &Registration{
		Programs: []string{"crush"}, Folder: "~/.config/crush",
		Files: []HookFile{
			{Scope: ForUser, OS: "windows", Path: "~/AppData/Local/crush/crush.json", Root: "hooks"},
			{Scope: ForUser, Path: "~/.config/crush/crush.json", Root: "hooks"},
			{Scope: ForProject, Path: ".crush.json", Root: "hooks", IfThere: true},
			{Scope: ForProject, Path: "crush.json", Root: "hooks"},
		},
		Moved: Pair{"~/.config", "XDG_CONFIG_HOME"},
		Flat:  true, Command: commandKey, Timeout: "timeout", OrExit2: true, Sh: true,
		OnWindows: WindowsShell{Bash, "charmbracelet/crush internal/hooks/runner.go (2026-09): mvdan.cc/sh on every system"},
		Events:    []HookEvent{{Name: "PreToolUse", Gates: true}},
		Posture:   posture,
		Notes: []string{
			"Crush calls hooks for its main agent only",
			"an ask is Crush's own prompt: --yolo, and permissions.allowed_tools of a crush.json (a project's too), run the call instead; use a deny rule for what must not run",
			"a hook that times out lets the call go on to Crush's own prompt",
		},
		Source: "charmbracelet/crush docs/hooks and internal/hooks at 37f36e938 (2026-08-21)",
	},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, ""},
		// an ask is silence: its own prompt
		{"", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, ""},
		{"", []Ending{EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
		// installed: "|| exit 2"
		{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
	},
	Source: "github.com/charmbracelet/crush docs/hooks and internal/hooks at 37f36e938 (2026-08-21)",
}

// decodeCrush is decode, and reads the URL of a download as well as its file.
func decodeCrush(c *Call, p Top) {
	decode(c, p)
	if c.RawTool == "download" && c.Event.Decides() {
		c.URL = c.text("url", c.Input.Get("url"), true)
		if c.URL == "" {
			c.fault("tool_input of \"download\" has no url")
		}
	}
}

// encodeFlat writes {"decision": ..., "reason": ...}.
func encodeFlat(dst []byte, _ *Call, a Answer) []byte {
	dst = append(dst, `{"decision":"`...)
	dst = append(dst, a.Decision.String()...)
	dst = AppendJSON(append(dst, `","reason":`...), a.Reason)
	return append(dst, "}\n"...)
}

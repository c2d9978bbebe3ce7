package hookio

// droid is Factory's Droid. It takes the first hook that decides, so an allow
// for what Droid runs without asking would outvote the deny of another hook:
// for those tools allow is silence. An ask it takes for no opinion: what it would
// have run without asking runs (0.225.2, headless and with a client that can be
// asked), so an ask becomes a deny. Its autonomy levels may be given by
// --skip-permissions-unsafe too: to permgate each is default.
var droid = Host{
	Name:    "droid",
	Aliases: []string{"factory", "factory-droid"},
	Title:   "Factory Droid",
	Roots:   []string{".factory"},
	Detect:  func(p Top) bool { return transcriptIn(p, ".factory") && !transcriptIn(p, ".claude") },
	Fields:  fieldsCamel,
	Shapes: []Shape{
		{Tools: "ApplyPatch", Kind: KindPatch, Access: AccessWrite, Keys: []string{"input", "patch", "command", "patchText"}, First: 4, Need: true},
		{Tools: "LS", Kind: KindPath, Access: AccessRead, Keys: []string{"directory_path", "path", "file_path", "paths"}, First: 3},
		{Tools: "Grep", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "file_path", "paths", "glob_pattern", "glob"}, First: 2, Filter: []string{"glob_pattern", "glob"}, Also: alsoSearch},
		{Tools: "Glob", Kind: KindPath, Access: AccessRead, Keys: []string{"folder", "path", "file_path", "paths", "pattern", "patterns"}, First: 3, Lists: patterns, Under: patterns},
	},
	Answers: []AnswerKey{
		{Path: "continue", Words: "false"},
		{"PreToolUse", "hookSpecificOutput.permissionDecision", "allow deny -ask", ""},
	},
	AnyExit: true,
	Encode:  encodeDroid,
	Modes: []Pair{
		{"default", "default"},
		{"off", "default"},
		{"auto-low", "default"},
		{"auto-medium", "default"},
		{"auto-high", "default"},
		{"plan", "plan"},
		{"spec", "plan"},
		{"acceptEdits", "acceptEdits"},
		{"bypassPermissions", "bypassPermissions"},
	},
	Tools: []Pair{
		{"Execute", "Bash"}, {"Create", "Write"}, {"MultiEdit", "Edit"}, {"ApplyPatch", "Edit"}, {"FetchUrl", "WebFetch"}, {"Task", "Agent"},
	},
	AskIs:      func(*Call) AskForm { return AskDenies },
	ProjectVar: "FACTORY_PROJECT_DIR",
	Register: &Registration{
		Programs: []string{"droid"}, Folder: "~/.factory",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.factory/hooks.json", IfThere: true, Hides: true},
			{Scope: ForUser, Path: "~/.factory/hooks/hooks.json", IfThere: true, Hides: true},
			{Scope: ForUser, Path: "~/.factory/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".factory/hooks.json", IfThere: true, Hides: true},
			{Scope: ForProject, Path: ".factory/hooks/hooks.json", IfThere: true, Hides: true},
			{Scope: ForProject, Path: ".factory/settings.json", Root: "hooks"},
		},
		Moved:   Pair{"~", "FACTORY_HOME_OVERRIDE"},
		Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true, First: true,
		Events: []HookEvent{
			{Name: "PreToolUse", Gates: true},
			{Name: "PostToolUse", Records: true},
			{Name: "SessionEnd", Records: true, NoTool: true},
		},
		Posture: posture,
		Off: []OffSwitch{
			{Scope: ForUser, Path: "~/.factory/hooks.json", Key: "hooksDisabled", Value: "true"},
			{Scope: ForUser, Path: "~/.factory/settings.json", Key: "hooks.hooksDisabled", Value: "true"},
			{Scope: ForProject, Path: ".factory/hooks.json", Key: "hooksDisabled", Value: "true"},
			{Scope: ForProject, Path: ".factory/settings.json", Key: "hooks.hooksDisabled", Value: "true"},
		},
		Notes: []string{
			"Droid reads the hooks when it starts: restart it",
			"an event that is in hooks.json is not read from settings.json; some versions do not read the hooks.json of a project (Factory-AI/factory issue 3): check with permgate log that calls arrive, else move its entries to .factory/settings.json",
			"Droid takes the first hook that decides: keep permgate's entry first, where install puts it, because another hook's allow would override its deny; there is no fail-closed switch",
		},
		Source: "docs.factory.ai/harness/hooks, rtk-ai/rtk pull 2267 (Droid 0.140.0, 2026-07); files and switches of 0.225.2",
	},
	Driven: Driven{droidVersion, droidDay},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, droidVersion},
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, droidVersion},
		{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, droidVersion},
		// installed: "|| exit 2"
		{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, droidVersion},
	},
	Source: "docs.factory.ai/harness/hooks; rtk-ai/rtk pull 2267 (Droid 0.140.0, 2026-07); entireio/cli issue 917; payloads and answers of 0.225.2 (2026-11)",
}

func encodeDroid(dst []byte, c *Call, a Answer) []byte {
	if a.Decision == Allow {
		switch c.Tool {
		case "Read", "Grep", "Glob", "LS":
			return dst
		}
	}
	return encodeNested(dst, c, a)
}

package hookio

// coreAgent is core-agent. Its command hooks only observe: what decides is a function
// of the program that embeds it, which sends a tool call as core-agent has it, with
// the mode of the gate and the folder, and answers its gate as it is told.
var coreAgent = Host{
	Name:    "core-agent",
	Aliases: []string{"coreagent"},
	Title:   "core-agent",
	Roots:   []string{".core-agent"},
	Detect:  func(p Top) bool { return p.Has("name", "args", "mode") },
	Fields:  []Pair{{"name", "tool_name"}, {"args", "tool_input"}, {"mode", "permission_mode"}, {"id", "tool_use_id"}},
	Answers: []AnswerKey{{Path: "decision", Words: "allow ask deny"}},
	Encode:  encodeFlat,
	Modes: []Pair{
		{"ask", "default"}, {"interactive", "default"}, {"acceptEdits", "acceptEdits"}, {"plan", "plan"}, {"allow", "dontAsk"},
		{"yolo", "bypassPermissions"},
	},
	Tools: []Pair{
		{"bash", "Bash"}, {"read_file", "Read"}, {"read_many_files", "Grep"}, {"write_file", "Write"}, {"edit_file", "Edit"},
		{"list_dir", "LS"}, {"glob", "Glob"}, {"grep", "Grep"}, {"todo", "TodoWrite"},
	},
	Shapes: []Shape{
		{Tools: "read_many_files", Kind: KindPath, Access: AccessRead, Keys: []string{"path", "paths", "pattern"}, First: 2, Filter: []string{"pattern"}},
		{Tools: "list_dir", Kind: KindPath, Access: AccessRead, Keys: keysSearch, First: 2},
	},
	AskIs:       askNested, // its Prompter
	SilenceRuns: true,      // what the function makes of silence is not known
	Reader:      readerFunction,
	Calls:       "Prompter",
	Source:      "go-steer/core-agent tools and pkg/permissions at b7083874 (2026-08-21)",
}

// readerFunction is what a function of the program that embeds permgate makes of an
// answer: one of its own, and the one that docs/seeds.md shows, to which all but an allow is a no.
var readerFunction = []Reading{
	{"", []Ending{EndsAllow}, FateRuns, 0, ""},
	{"", []Ending{EndsSilence}, FateRuns, FateBlocks, ""},
	{"", []Ending{EndsAsk}, FatePrompts, FateBlocks, ""},
	{"", []Ending{EndsDeny, EndsBlocked}, FateBlocks, 0, ""},
	{"", []Ending{EndsText, EndsBroken, EndsFailed, EndsMute, EndsKilled, EndsLate, EndsMissing}, FateUnknown, FateBlocks, ""},
}

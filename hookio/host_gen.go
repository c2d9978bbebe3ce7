package hookio

// gen is Gen (gencode). Its payloads call auto what permgate and Gen's settings call acceptEdits.
var gen = Host{
	Name:             "gen",
	Aliases:          []string{"gencode"},
	Title:            "Gen",
	OnWindows:        WindowsShell{Bash, "its tool is called Bash"},
	Roots:            []string{".gen"},
	Detect:           func(p Top) bool { return transcriptIn(p, ".gen") },
	Events:           eventsClaude,
	OmitsEmpty:       true,
	Answers:          answersNested,
	Encode:           encodeNested,
	Modes:            []Pair{{"default", "default"}, {"auto", "acceptEdits"}, {"bypassPermissions", "bypassPermissions"}},
	Tools:            []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}},
	PlanPasses:       planning,
	AllowsForSession: true,
	AskIs:            askNested,
	ProjectVar:       "GEN_PROJECT_DIR",
	Register: &Registration{
		Programs: []string{"gen"}, Folder: "~/.gen",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.gen/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".gen/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".gen/settings.local.json", Root: "hooks", IfThere: true},
		},
		Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true, Sh: true,
		OnWindows: WindowsShell{Bash, "yanmxa/gencode internal/hook/executors_command.go (2026-04): sh -c on every system"},
		Events:    gateAndDialog,
		Posture:   posture,
		Inherits:  true,
		Plain:     true,
		Off: []OffSwitch{
			{Scope: ForUser, Key: "disableAllHooks", Value: "true"},
			{Scope: ForProject, Key: "disableAllHooks", Value: "true"},
			{Scope: ForProject, Path: ".gen/settings.local.json", Key: "disableAllHooks", Value: "true"},
		},
		Notes: []string{
			"gencode 1.14.0 to 1.15.7 read this entry but never call the hook; use 1.13.0, or its successor San from 1.20.2 on",
			"a hook that times out lets the call go on to Gen's own gate",
		},
		Source: "yanmxa/gencode internal/hook at v1.15.7 (2026-04-30)",
	},
	Reader: readerGen,
	Source: "github.com/yanmxa/gencode docs/hook.md and internal/hook, v1.15.7 (2026-04-30)",
}

// readerGen is what Gen and its successor San make of an answer.
var readerGen = []Reading{
	{"", []Ending{EndsAllow}, FateRuns, 0, ""},
	{"", []Ending{EndsAsk}, FatePrompts, 0, ""},
	{"", []Ending{EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, ""},
	{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, ""},
	{"", []Ending{EndsFailed, EndsKilled, EndsMissing}, FateHost, FateBlocks, ""},
	// documented, but not called by 1.14.0 to 1.15.7 of Gen and 1.22.4 of San
	{"PermissionRequest", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsKilled,
		EndsLate, EndsMissing}, FatePrompts, 0, ""},
}

package hookio

// san is San, the successor of Gen. What its mode autoPilot may do without a
// prompt is not documented, so it stays unmapped: an unknown mode is default.
var san = Host{
	Name:             "san",
	Title:            "San",
	OnWindows:        WindowsShell{Bash, "its tool is called Bash"},
	Roots:            []string{".san"},
	Detect:           func(p Top) bool { return transcriptIn(p, ".san") },
	Events:           eventsClaude,
	OmitsEmpty:       true,
	Answers:          answersNested,
	Encode:           encodeNested,
	Modes:            []Pair{{"default", "default"}, {"auto", "acceptEdits"}, {"bypassPermissions", "bypassPermissions"}},
	Tools:            []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}},
	Shapes:           []Shape{{Tools: "Agent", Keys: []string{"name", "subagent_type"}, First: 2, Label: "name", Also: []string{"prompt", "model", "isolation", "mode"}}},
	Decode:           decodeSan,
	PlanPasses:       planning,
	AllowsForSession: true,
	AskIs:            askNested,
	ProjectVar:       "SAN_PROJECT_DIR",
	Register: &Registration{
		Programs: []string{"san"}, Folder: "~/.san",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.san/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".san/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".san/settings.local.json", Root: "hooks", IfThere: true},
		},
		Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true, Sh: true,
		// without it Git Bash, where that is installed
		Windows:   []Member{{"shell", `"powershell"`}},
		OnWindows: WindowsShell{PowerShell, "the key shell: genai-io/san internal/hook/executors_command.go (2026-09)"},
		Events:    gateAndDialog,
		Posture:   posture,
		Inherits:  true,
		Plain:     true,
		Off: []OffSwitch{
			{Scope: ForUser, Key: "disableAllHooks", Value: "true"},
			{Scope: ForProject, Key: "disableAllHooks", Value: "true"},
			{Scope: ForProject, Path: ".san/settings.local.json", Key: "disableAllHooks", Value: "true"},
		},
		Notes: []string{
			"San up to 1.22.4 calls PreToolUse for the main agent only, and PermissionRequest not at all: calls of its subagents are not seen here",
			"a hook that times out lets the call go on to San's own gate",
		},
		Source: "genai-io/san internal/hook, internal/setting at v1.22.4 (2026-08-22)",
	},
	Reader: readerGen,
	Source: "github.com/genai-io/san docs/packages/2-feature/hook.md and internal/hook, v1.22.4 (2026-08-22)",
}

// decodeSan is decode. The name of an agent to start is that of a definition, or a label for one that may do all;
// Claude Code's key is not one of its own, and it is not guessed which of two counts.
func decodeSan(c *Call, p Top) {
	decode(c, p)
	name, other := c.Input.Get("name"), c.Input.Get("subagent_type")
	if c.Label && other.Exists() && other.String() != name.String() {
		c.fault("name and subagent_type are two agents")
	}
}

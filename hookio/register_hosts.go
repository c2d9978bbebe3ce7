package hookio

// The registrations of the hosts. A host literal points at its own.

var registerClaude = Registration{
	Programs: []string{"claude"}, Folder: "~/.claude",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.claude/settings.json", Root: "hooks"},
		{Scope: ForProject, Path: ".claude/settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "windows", Path: `C:\Program Files\ClaudeCode\managed-settings.json`, Root: "hooks"},
		{Scope: ForManaged, Path: "/etc/claude-code/managed-settings.json", Root: "hooks"},
	},
	Moved:   Pair{"~/.claude", "CLAUDE_CONFIG_DIR"},
	Matcher: "*", Exec: true, Fixed: typeCommand, Timeout: "timeout",
	FailShut: Member{"onFailure", `"block"`},
	Async:    Member{"async", "true"},
	Events: []HookEvent{
		{Name: "PreToolUse", Gates: true},
		{Name: "PermissionRequest"},
		{Name: "PostToolUse", Records: true, Async: true},
		{Name: "PostToolUseFailure", Records: true, Async: true},
		{Name: "PermissionDenied", Records: true, Async: true},
		{Name: "SessionEnd", Records: true, NoTool: true},
	},
	Posture: []Member{
		{"catastrophic", `"deny"`}, {"onUnmatched", `"defer"`}, {"subagents", `"host"`}, {"projectTrust", `"require"`},
		{"expandScripts", "true"},
	},
	Off: []OffSwitch{
		{Scope: ForManaged, Key: "disableAllHooks", Value: "true"},
		{Scope: ForManaged, Key: "allowManagedHooksOnly", Value: "true", Spares: ForManaged},
		{Scope: ForUser, Key: "disableAllHooks", Value: "true", Spares: ForManaged},
		{Scope: ForProject, Key: "disableAllHooks", Value: "true", Spares: ForManaged},
		{Scope: ForProject, Path: ".claude/settings.local.json", Key: "disableAllHooks", Value: "true", Spares: ForManaged},
	},
	Notes: []string{
		"before Claude Code 2.1.295 onFailure is ignored: a hook that crashes or times out there lets the call go on to Claude's own rules",
	},
	Source: "code.claude.com/docs hooks (2026-08), onFailure from 2.1.295 (2026-10)",
}

var registerGen = Registration{
	Programs: []string{"gen"}, Folder: "~/.gen",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.gen/settings.json", Root: "hooks"},
		{Scope: ForProject, Path: ".gen/settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/Gen/managed-settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "windows", Path: `C:\Program Files\Gen\managed-settings.json`, Root: "hooks"},
		{Scope: ForManaged, Path: "/etc/gen/managed-settings.json", Root: "hooks"},
	},
	Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
	Events:   gateAndDialog,
	Posture:  posture,
	Inherits: true,
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
}

var registerSan = Registration{
	Programs: []string{"san"}, Folder: "~/.san",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.san/settings.json", Root: "hooks"},
		{Scope: ForProject, Path: ".san/settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/San/managed-settings.json", Root: "hooks"},
		{Scope: ForManaged, OS: "windows", Path: `C:\Program Files\San\managed-settings.json`, Root: "hooks"},
		{Scope: ForManaged, Path: "/etc/san/managed-settings.json", Root: "hooks"},
	},
	Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
	Events:   gateAndDialog,
	Posture:  posture,
	Inherits: true,
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
}

var registerCodex = Registration{
	Programs: []string{"codex"}, Folder: "~/.codex",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.codex/hooks.json", Root: "hooks"},
		{Scope: ForProject, Path: ".codex/hooks.json", Root: "hooks"},
	},
	Moved:   Pair{"~/.codex", "CODEX_HOME"},
	Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
	Events: []HookEvent{
		{Name: "PreToolUse", Gates: true},
		{Name: "PermissionRequest"},
		{Name: "PostToolUse", Records: true},
		{Name: "SessionEnd", Records: true, NoTool: true},
	},
	Posture: posture,
	Off: []OffSwitch{
		{Scope: ForManaged, Path: "/etc/codex/requirements.toml", Key: "allow_managed_hooks_only", Value: "true"},
		{Scope: ForManaged, Path: "/etc/codex/requirements.toml", Key: "features.hooks", Value: "false"},
		{Scope: ForUser, Path: "~/.codex/config.toml", Key: "features.hooks", Value: "false"},
		{Scope: ForProject, Path: ".codex/config.toml", Key: "features.hooks", Value: "false"},
	},
	After: "start codex and trust the hooks in /hooks; until then, and again after every change of them, Codex does not run them",
	Notes: []string{
		"Codex has no fail-closed switch: a hook that crashes or times out lets the call go on",
		"the hooks.json of a project counts only where Codex trusts the project",
	},
	Source: "learn.chatgpt.com/docs/hooks, openai/codex issues 28437 and 41979, up to 0.153.3 (2026-09)",
}

var registerCopilot = Registration{
	Programs: []string{"copilot"}, Folder: "~/.copilot",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.copilot/hooks/permgate.json", Root: "hooks", Own: true},
		{Scope: ForProject, Path: ".github/hooks/permgate.json", Root: "hooks", Own: true},
	},
	Moved:   Pair{"~/.copilot", "COPILOT_HOME"},
	Head:    version1,
	Flat:    true,
	Command: []Pair{{"windows", "powershell"}, {"", "bash"}}, Fixed: typeCommand, Timeout: "timeoutSec",
	Events: []HookEvent{
		{Name: "preToolUse", Gates: true},
		{Name: "permissionRequest"},
		{Name: "postToolUse", Records: true},
		{Name: "postToolUseFailure", Records: true},
		{Name: "sessionEnd", Records: true},
	},
	Posture: posture,
	Off: []OffSwitch{
		{Scope: ForUser, Path: "~/.copilot/settings.json", Key: "disableAllHooks", Value: "true"},
		{Scope: ForUser, Path: "~/.copilot/config.json", Key: "disableAllHooks", Value: "true"},
		{Scope: ForProject, Path: ".github/copilot/settings.json", Key: "disableAllHooks", Value: "true"},
		{Scope: ForProject, Path: ".github/copilot/settings.local.json", Key: "disableAllHooks", Value: "true"},
	},
	Notes: []string{
		"before Copilot CLI 1.0.57 a hook that fails lets the call go on; a hook that times out does so in every version but 1.0.57 to 1.0.66",
		"hooks of a project run only after Copilot trusts its folder; the cloud agent reads the default branch only",
	},
	Source: "github/copilot-cli changelog to 1.0.78 (2026-08-03), docs.github.com hooks reference",
}

var registerVSCode = Registration{
	Programs: []string{"code"}, Folder: "~/.vscode",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.copilot/hooks/permgate-vscode.json", Root: "hooks", Own: true},
		{Scope: ForProject, Path: ".github/hooks/permgate-vscode.json", Root: "hooks", Own: true},
	},
	Flat: true, Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
	Events: []HookEvent{
		{Name: "PreToolUse", Gates: true},
		{Name: "PostToolUse", Records: true},
	},
	Posture: posture,
	Notes: []string{
		"Copilot CLI reads these folders too and runs this hook as well; permgate answers it in Copilot's form",
		"a hook that times out lets the call go on to VS Code's own prompt",
	},
	Source: "microsoft/vscode-docs hooks-reference.md (2026-07-29)",
}

var registerGemini = Registration{
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
	Timeout: "timeout", Millis: true, OrExit2: true, PowerShell: true,
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
}

var registerQwen = Registration{
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
	Timeout: "timeout", Millis: true, OrExit2: true, Async: Member{"async", "true"},
	Events: []HookEvent{
		{Name: "PreToolUse", Gates: true},
		{Name: "PermissionRequest"},
		{Name: "PostToolUse", Records: true, Async: true},
		{Name: "PostToolUseFailure", Records: true, Async: true},
		{Name: "PermissionDenied", Records: true, Async: true},
		{Name: "SessionEnd", Records: true, NoTool: true},
	},
	Posture: posture,
	Off: []OffSwitch{
		{Scope: ForManaged, Key: "disableAllHooks", Value: "true"},
		{Scope: ForUser, Key: "disableAllHooks", Value: "true"},
		{Scope: ForProject, Key: "disableAllHooks", Value: "true"},
	},
	Notes: []string{
		"Qwen Code has no fail-closed switch: a hook that times out lets the call go on to its own prompt",
		"of several hooks for one call Qwen Code takes the last that decides: keep permgate's entry behind those of others, whose allow would outvote its deny",
		"hooks of a project run only in a trusted folder",
	},
	Source: "qwenlm.github.io/qwen-code-docs hooks, QwenLM/qwen-code pull 11615 (2026-09-11); files and switches of 0.24.4",
}

var registerCursor = Registration{
	Programs: []string{"cursor-agent", "cursor"}, Folder: "~/.cursor",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.cursor/hooks.json", Root: "hooks"},
		{Scope: ForProject, Path: ".cursor/hooks.json", Root: "hooks"},
		{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/Cursor/hooks.json", Root: "hooks"},
		{Scope: ForManaged, OS: "windows", Path: `C:\ProgramData\Cursor\hooks.json`, Root: "hooks"},
		{Scope: ForManaged, Path: "/etc/cursor/hooks.json", Root: "hooks"},
	},
	Head: version1, Flat: true, Command: commandKey, Timeout: "timeout",
	FailShut: Member{"failClosed", "true"}, OrExit2: true,
	Events: []HookEvent{
		{Name: "beforeShellExecution", Gates: true},
		{Name: "beforeMCPExecution", Gates: true},
		{Name: "beforeReadFile", Gates: true},
		// An ask is a deny here, and would come before the events that can ask
		// about a shell command or an MCP tool. Named tools as well, should the
		// matcher be no regular expression of JavaScript.
		{Name: "preToolUse", Gates: true, Matcher: "Read|Write|Grep|Delete|Task|^(?!Shell$|MCP:)"},
		{Name: "postToolUse", Records: true},
		{Name: "sessionEnd", Records: true, NoTool: true},
	},
	Posture: []Member{{"catastrophic", `"deny"`}, {"projectTrust", `"require"`}, {"expandScripts", "true"}},
	Notes: []string{
		"Cursor cannot ask about an edit: without an allow rule for Edit or the mode acceptEdits it is denied",
		"Cursor also runs the hooks of .claude files, on preToolUse alone, where an ask is a deny: switch third-party configuration off in its settings to be asked",
		"Cursor enforces only deny everywhere: its own run mode may let an ask pass",
		"cloud agents load only a committed .cursor/hooks.json",
	},
	Source: "cursor.com/docs/hooks, as quoted 2026-08-25 to 2026-10-05",
}

var registerDroid = Registration{
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
		"Droid reads the hooks when it starts: start it anew",
		"an event that stands in hooks.json is not read from settings.json; some versions do not read the hooks.json of a project (Factory-AI/factory issue 3): check with permgate log that calls arrive, else move its entries to .factory/settings.json",
		"Droid takes the first hook that decides: keep permgate's entry before those of others, where install puts a new one, for their allow would outvote its deny; it has no fail-closed switch",
	},
	Source: "docs.factory.ai/harness/hooks, rtk-ai/rtk pull 2267 (Droid 0.140.0, 2026-07); files and switches of 0.225.2",
}

var registerCrush = Registration{
	Programs: []string{"crush"}, Folder: "~/.config/crush",
	Files: []HookFile{
		{Scope: ForUser, OS: "windows", Path: "~/AppData/Local/crush/crush.json", Root: "hooks"},
		{Scope: ForUser, Path: "~/.config/crush/crush.json", Root: "hooks"},
		{Scope: ForProject, Path: ".crush.json", Root: "hooks", IfThere: true},
		{Scope: ForProject, Path: "crush.json", Root: "hooks"},
	},
	Moved: Pair{"~/.config", "XDG_CONFIG_HOME"},
	Flat:  true, Command: commandKey, Timeout: "timeout", OrExit2: true,
	Events:  []HookEvent{{Name: "PreToolUse", Gates: true}},
	Posture: posture,
	Notes: []string{
		"Crush calls hooks for its main agent only",
		"a hook that times out lets the call go on to Crush's own prompt",
	},
	Source: "charmbracelet/crush docs/hooks and internal/hooks at 37f36e938 (2026-08-21)",
}

var registerGoose = Registration{
	Programs: []string{"goose"}, Folder: "~/.config/goose",
	Files: []HookFile{
		{Scope: ForUser, Path: "~/.agents/plugins/permgate/hooks/hooks.json", Root: "hooks", Own: true},
		{Scope: ForProject, Path: ".agents/plugins/permgate/hooks/hooks.json", Root: "hooks", Own: true},
	},
	Beside: []TextFile{{"../plugin.json", `{
  "name": "permgate",
  "version": "1.0.0",
  "description": "decides before a tool call runs whether it may"
}
`}},
	// a bare * is no regular expression: goose skips the whole rule
	Matcher: ".*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout",
	FailShut: Member{"on_failure", `"block"`}, OrExit2: true,
	Events: []HookEvent{
		{Name: "PreToolUse", Gates: true},
		{Name: "PostToolUse", Records: true},
		{Name: "PostToolUseFailure", Records: true},
		{Name: "SessionEnd", Records: true, NoTool: true},
	},
	Posture: []Member{{"catastrophic", `"deny"`}, {"projectTrust", `"require"`}, {"expandScripts", "true"}},
	Notes: []string{
		"goose versions without on_failure let a call go on when the hook times out",
	},
	Source: "goose documentation, guides/context-engineering/hooks (2026)",
}

// Parts several registrations have in common.
var (
	typeCommand   = []Member{{"type", `"command"`}}
	commandKey    = []Pair{{"", "command"}}
	version1      = []Member{{"version", "1"}}
	gateAndDialog = []HookEvent{{Name: "PreToolUse", Gates: true}, {Name: "PermissionRequest"}}
	posture       = []Member{{"catastrophic", `"deny"`}, {"onUnmatched", `"defer"`}, {"projectTrust", `"require"`}, {"expandScripts", "true"}}
)

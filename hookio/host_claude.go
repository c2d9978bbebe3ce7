package hookio

import "github.com/tidwall/gjson"

// claude is Claude Code. Its field and tool names are the canonical ones.
var claude = Host{
	Name:      "claude",
	Aliases:   []string{"claude-code"},
	Title:     "Claude Code",
	OnWindows: WindowsShell{Bash, "code.claude.com docs setup and tools-reference: Bash is Git Bash, PowerShell is a tool of its own (2026-08)"},
	Roots:     []string{".claude"},
	Detect:    func(p Top) bool { return transcriptIn(p, ".claude") },
	Events: []EventName{
		{"PreToolUse", PreToolUse}, {"PermissionRequest", PermissionRequest}, {"PreSkillShellCommand", PreSkillShellCommand},
		{"PostToolUse", PostToolUse},
		{"PostToolUseFailure", PostToolUseFailure}, {"PermissionDenied", PermissionDenied}, {"SessionEnd", SessionEnd},
	},
	Answers: []AnswerKey{
		{Path: "continue", Words: "false"},
		{"PreToolUse", "hookSpecificOutput.permissionDecision", "allow ask deny defer", "hookSpecificOutput.hookEventName"},
		{"PermissionRequest", "hookSpecificOutput.decision.behavior", "allow deny", "hookSpecificOutput.hookEventName"},
		{"PreToolUse", "decision", "approve block", ""},
		{"PreSkillShellCommand", "hookSpecificOutput.permissionDecision", "allow ask deny", "hookSpecificOutput.hookEventName"},
	},
	AnyExit: true,
	Encode:  encodeNested,
	Modes: []Pair{
		{"default", "default"},
		{"manual", "default"},
		{"acceptEdits", "acceptEdits"},
		{"plan", "plan"},
		{"auto", "auto"},
		{"dontAsk", "dontAsk"},
		{"bypassPermissions", "bypassPermissions"},
	},
	Tools: []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}},
	// of Cowork sessions: code.claude.com docs permissions (2026-10)
	MCP:             MCP{Same: []Pair{{"mcp__workspace__bash", "Bash"}, {"mcp__workspace__web_fetch", "WebFetch"}}},
	AskIs:           askNested,
	Shared:          true,
	AgentTypeIsMain: true,
	AutoClassifier:  true,
	Guards: []string{".git", ".vscode", ".idea", ".husky", ".cargo", ".devcontainer", ".yarn", ".mvn", ".claude",
		".gitconfig", ".gitmodules", ".bashrc", ".bash_profile", ".bash_login", ".bash_aliases", ".bash_logout",
		".zshrc", ".zprofile", ".zshenv", ".zlogin", ".zlogout", ".profile", ".envrc", ".npmrc", ".yarnrc", ".yarnrc.yml",
		".pnp.cjs", ".pnp.loader.mjs", ".pnpmfile.cjs", "bunfig.toml", ".bunfig.toml", ".bazelrc", ".bazelversion", ".bazeliskrc",
		".pre-commit-config.yaml", "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", "gradle-wrapper.properties",
		"maven-wrapper.properties", ".devcontainer.json", ".ripgreprc", "pyrightconfig.json", ".mcp.json", ".claude.json"},
	SubagentsPrompt: true,
	Alone: Alone{
		Workspace: []ToolModes{
			{
				Modes: []string{"default", "acceptEdits", "dontAsk"},
				Tools: []string{"Edit", "Write", "NotebookEdit", "Bash", "PowerShell"},
			},
			{
				// what a command writes is left to the classifier of auto there (useAutoModeDuringPlan)
				Modes: []string{"plan"},
				Tools: []string{"Edit", "Write", "NotebookEdit"},
			},
		},
		Enforces: []string{"plan", "dontAsk"},
		Rules:    []string{".claude"},
		Grammar: &Grammar{
			Reads: "ls cat echo pwd head tail grep wc which diff stat du fmt comm cmp numfmt expr test [ printf getconf seq tsort pr lsof pgrep " +
				"file true false sleep sort uniq tr cut jq rg git find",
			Edits:   "mkdir touch rm rmdir mv cp sed",
			Blind:   "exec eval source . trap watch script setsid ionice taskset chrt strace unshare",
			Through: "command builtin xargs",
			Suspends: "python|python3|pypy|node|deno|bun|tsx|ts-node|perl|ruby|php|lua|Rscript|bash|sh|zsh|dash|ksh|fish|pwsh|powershell|" +
				"npx|pnpx|bunx|uvx|npm exec|npm x|pnpm exec|pnpm dlx|yarn exec|yarn dlx",
			Variables: "NODE_ENV CI PYTHONDONTWRITEBYTECODE PYTHONUNBUFFERED PYTEST_DEBUG RUST_BACKTRACE RUST_LOG LANG LANGUAGE LC_ALL LC_CTYPE LC_TIME CHARSET " +
				"TZ TERM COLORTERM FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE COLUMNS LINES GOOS GOARCH CGO_ENABLED GO111MODULE GOEXPERIMENT " +
				"GIT_TERMINAL_PROMPT DEBIAN_FRONTEND ANTHROPIC_API_KEY GREP_COLOR GREP_COLORS GCC_COLORS LS_COLORS TIME_STYLE BLOCK_SIZE",
		},
		Own: []OwnFiles{
			{Base: BaseSession, Dir: "memory", Ext: ".md", Projects: ".claude/projects", Key: "autoMemoryDirectory", Doc: "the memory of the session's project"},
			{Base: BaseHome, Dir: ".claude/plans", Ext: ".md", Key: "plansDirectory", Plans: true, Doc: "plans, in every mode"},
			{Base: BaseScratch, Deep: true, Shell: true, Doc: "the scratch folder of the session"},
		},
		Source: "code.claude.com/docs permission-modes and memory (2026-09); " + claudeVersion + " was run in all six modes: testdata/hosts/claude/laxness.tsv",
	},
	Dialog: Dialog{
		Env:    []Pair{{"CLAUDE_CODE_ENTRYPOINT", "cli"}, {"CLAUDE_CODE_SESSION_ATTENDED", "1"}},
		Modes:  []string{"default", "acceptEdits", "auto", "bypassPermissions"},
		Source: claudeVersion + " was driven in a terminal: a call that is refused or interrupted at the dialog sends no event after it",
	},
	// Hooks of managed settings get it before 2.1.328 (2.1.327 was driven, 2026-11-28): the response is what the model
	// is told.
	Refused:          func(p Top) bool { return p.Get("tool_response").Type == gjson.String && !p.Has("duration_ms") },
	AllowsForSession: true,
	ProjectVar:       "CLAUDE_PROJECT_DIR",
	Snapshots:        "shell-snapshots",
	Register: &Registration{
		Programs: []string{"claude"}, Folder: "~/.claude",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.claude/settings.json", Root: "hooks"},
			{Scope: ForProject, Path: ".claude/settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "darwin", Path: "/Library/Application Support/ClaudeCode/managed-settings.json", Root: "hooks"},
			{Scope: ForManaged, OS: "windows", Path: `C:\Program Files\ClaudeCode\managed-settings.json`, Root: "hooks"},
			{Scope: ForManaged, Path: "/etc/claude-code/managed-settings.json", Root: "hooks"},
		},
		Moved:   Pair{"~/.claude", "CLAUDE_CONFIG_DIR"},
		Plugin:  "permgate@permgate",
		Matcher: "*", Exec: true, Fixed: typeCommand, Timeout: "timeout",
		FailShut: Member{"onFailure", `"block"`},
		Async:    Member{"async", "true"},
		Events: []HookEvent{
			{Name: "PreToolUse", Gates: true}, {Name: "PermissionRequest"},
			{Name: "PreSkillShellCommand", Gates: true, Since: "2.1.332", Off: "disableSkillShellExecution",
				What: "commands in the text of skills and slash commands"},
			{Name: "PostToolUse", Records: true, Async: true}, {Name: "PostToolUseFailure", Records: true, Async: true},
			{Name: "PermissionDenied", Records: true, Async: true}, {Name: "SessionEnd", Records: true, NoTool: true},
		},
		Posture: []Recommended{
			{"catastrophic", `"deny"`, 1}, {"destructive", `"practical"`, 1}, {"secrets", `"ask"`, 1}, {"onUnmatched", `"defer"`, 1},
			{"subagents", `"host"`, 1}, {"projectTrust", `"require"`, 1}, {"expandScripts", "true", 1},
			{"rememberYes", "true", 2},
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
			"no hook of Claude Code before 2.1.332 sees commands in the text of skills (!`CMD`), and install leaves its event out there: " +
				"run it again after an upgrade; the setting disableSkillShellExecution switches them off",
		},
		Source: "code.claude.com/docs hooks (2026-08), onFailure from 2.1.295 (2026-10)",
	},
	Driven: Driven{claudeVersion, claudeDay},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, claudeVersion},
		{"", []Ending{EndsAsk}, FatePrompts, 0, claudeVersion},
		{"", []Ending{EndsDeny, EndsBlocked, EndsMute}, FateBlocks, 0, claudeVersion},
		{"", []Ending{EndsSilence, EndsText, EndsBroken}, FateHost, 0, claudeVersion},
		{"", []Ending{EndsFailed, EndsKilled, EndsLate, EndsMissing}, FateHost, FateBlocks, claudeVersion},
		{"PreSkillShellCommand", []Ending{EndsAsk}, FateBlocks, 0, claudeVersion},
		// the dialog stays open, and is registered without onFailure
		{"PermissionRequest", []Ending{EndsAllow}, FateRuns, 0, claudeVersion},
		{"PermissionRequest", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsBlocked,
			EndsMute, EndsKilled, EndsLate, EndsMissing}, FatePrompts, 0, claudeVersion},
		{"PermissionRequest", []Ending{EndsDeny}, FateBlocks, 0, claudeVersion},
	},
	Source: "code.claude.com/docs/en/hooks, 2026-08-22 (2.1.240), and its changes up to 2.1.331; " + claudeVersion + " was run",
}

package hookio

import "github.com/tidwall/gjson"

// claude is Claude Code. Its field and tool names are the canonical ones.
var claude = Host{
	Name:    "claude",
	Aliases: []string{"claude-code"},
	Title:   "Claude Code",
	Roots:   []string{".claude"},
	Detect:  func(p gjson.Result) bool { return transcriptIn(p, ".claude") },
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
	Tools:           []Pair{{"Task", "Agent"}, {"MultiEdit", "Edit"}},
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
	ProjectVar:      "CLAUDE_PROJECT_DIR",
	ConfigPaths:     []string{"~/.claude/settings.json", ".claude/settings.json", ".claude/settings.local.json"},
	Register:        &registerClaude,
	Source:          "code.claude.com/docs/en/hooks, 2026-08-22 (2.1.240), and its changes up to 2.1.321",
	Examples: []Example{
		{
			Name: "shell command", Event: PreToolUse,
			In:    `{"session_id":"0c9e","transcript_path":"/home/u/.claude/projects/-home-u-app/0c9e.jsonl","cwd":"/home/u/app","permission_mode":"default","effort":{"level":"medium"},"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"npm test","description":"run the tests","timeout":120000},"tool_use_id":"toolu_01"}`,
			Want:  "Bash npm test",
			Allow: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}`,
			Ask:   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`,
			Deny:  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}`,
		},
		{
			Name: "edit inside a subagent", Event: PreToolUse,
			In:    `{"session_id":"0c9e","transcript_path":"C:\\Users\\u\\.claude\\projects\\x\\0c9e.jsonl","cwd":"C:\\app","permission_mode":"acceptEdits","agent_id":"agent-1","agent_type":"Explore","hook_event_name":"PreToolUse","tool_name":"MultiEdit","tool_input":{"file_path":"C:\\app\\a.go","edits":[{"old_string":"a","new_string":"b"}]}}`,
			Want:  `Edit C:\app\a.go`,
			Allow: `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"allow","permissionDecisionReason":"why"}}`,
			Ask:   `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask","permissionDecisionReason":"why"}}`,
			Deny:  `{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"why"}}`,
		},
		{
			Name: "the dialog is about to open", Event: PermissionRequest,
			In:    `{"session_id":"0c9e","transcript_path":"/home/u/.claude/projects/x/0c9e.jsonl","cwd":"/home/u/app","permission_mode":"default","hook_event_name":"PermissionRequest","tool_name":"WebFetch","tool_input":{"url":"https://go.dev/doc/","prompt":"summary"},"permission_suggestions":[{"type":"setMode","mode":"acceptEdits","destination":"session"}]}`,
			Want:  "WebFetch https://go.dev/doc/",
			Allow: `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"allow"}}}`,
			Deny:  `{"hookSpecificOutput":{"hookEventName":"PermissionRequest","decision":{"behavior":"deny","message":"why"}}}`,
		},
	},
}

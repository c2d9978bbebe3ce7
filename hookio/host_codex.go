package hookio

import "strings"

// codex is OpenAI's Codex CLI. It reads hook output strictly: what it does not
// expect is a failed hook, and the tool runs. That holds for ask and for an
// allow without updatedInput, so ask is denied and allow is silence there.
var codex = Host{
	Name:      "codex",
	Aliases:   []string{"codex-cli"},
	Title:     "Codex",
	OnWindows: WindowsShell{PowerShell, "openai/codex codex-rs/core/src/shell.rs: pwsh, else powershell (2026-09)"},
	Roots:     []string{".codex"},
	Detect: func(p Top) bool {
		return p.Has("turn_id") || transcriptIn(p, ".codex") && !transcriptIn(p, ".claude")
	}, // events of a session have no turn
	Events: []EventName{
		{"PreToolUse", PreToolUse}, {"PermissionRequest", PermissionRequest}, {"PostToolUse", PostToolUse}, {"SessionEnd", SessionEnd},
	},
	Decode: decodeCodex,
	Answers: []AnswerKey{
		{"PreToolUse", "hookSpecificOutput.permissionDecision", "deny", ""},
		{"PermissionRequest", "hookSpecificOutput.decision.behavior", "allow deny", ""},
		{"PreToolUse", "decision", "block", ""},
	},
	Strict:  true,
	Reasons: true,
	Encode:  encodeCodex,
	Modes: []Pair{
		{"default", "default"},
		{"acceptEdits", "acceptEdits"},
		{"plan", "plan"},
		{"dontAsk", "dontAsk"},
		{"bypassPermissions", "bypassPermissions"},
	},
	Tools: []Pair{
		{"apply_patch", "Edit"}, {"shell", "Bash"}, {"exec", "Bash"}, {"local_shell", "Bash"}, {"shell_command", "Bash"},
		{"exec_command", "Bash"}, {"write_stdin", "Bash"}, {"view_image", "Read"}, {"update_plan", "TodoWrite"}, {"request_user_input", "AskUserQuestion"},
	},
	Shapes: []Shape{
		{Tools: "shell exec local_shell shell_command Bash", Kind: KindArgv, Keys: []string{"command", "workdir"}, First: 1, Need: true, Dir: "workdir", Also: alsoCommand},
		{Tools: "exec_command", Kind: KindArgv, Keys: []string{"cmd", "workdir"}, First: 1, Need: true, Dir: "workdir"},
		{Tools: "write_stdin", Kind: KindCommand, Keys: []string{"chars"}, First: 1}, // into a running shell
	},
	AskIs: func(c *Call) AskForm {
		if c.Event == PermissionRequest {
			return AskSilent
		}
		return AskDenies
	},
	CwdMoves: true, // observed on 0.169.0
	Alone:    Alone{Rules: []string{".codex"}},
	Register: &Registration{
		Programs: []string{"codex"}, Folder: "~/.codex",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.codex/hooks.json", Root: "hooks"},
			{Scope: ForProject, Path: ".codex/hooks.json", Root: "hooks"},
		},
		Moved:   Pair{"~/.codex", "CODEX_HOME"},
		Matcher: "*", Command: commandKey, Fixed: typeCommand, Timeout: "timeout", OrExit2: true,
		OnWindows: WindowsShell{PowerShell, "codex-rs/core/src/session/mod.rs and max-sixty/worktrunk issue 4239 (2026-09): the session's shell, PowerShell; cmd only where it has none"},
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
	},
	Driven: Driven{codexVersion, codexDay},
	Reader: []Reading{
		// an allow is silence
		{"", []Ending{EndsAllow, EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, codexVersion},
		{"", []Ending{EndsAsk, EndsDeny, EndsBlocked}, FateBlocks, 0, codexVersion},
		// installed, the shell says a word on stderr: without one exit 2 is no block
		{"", []Ending{EndsFailed, EndsMute, EndsKilled, EndsMissing}, FateHost, FateBlocks, codexVersion},
		{"PermissionRequest", []Ending{EndsAllow}, FateRuns, 0, codexVersion},
		{"PermissionRequest", []Ending{EndsAsk, EndsSilence, EndsText, EndsBroken, EndsFailed, EndsMute,
			EndsLate}, FatePrompts, 0, codexVersion},
		{"PermissionRequest", []Ending{EndsKilled, EndsMissing}, FatePrompts, FatePrompts, codexVersion},
	},
	Source: "learn.chatgpt.com/docs/hooks and openai/codex issues 28437, 41979, up to 0.153.3 (2026-09); " + codexVersion + " was run",
}

// decodeCodex adds to the fields the host that a request for network access
// names in its description: "network-access go.dev". Any other request about a command
// may be one to run it outside of the sandbox: the hook is not sent the fields that say so.
func decodeCodex(c *Call, payload Top) {
	decode(c, payload)
	if c.Event != PermissionRequest {
		return
	}
	if host, ok := strings.CutPrefix(c.Input.Get("description").Str, "network-access "); ok {
		c.AlsoURL = append(c.AlsoURL, "https://"+strings.TrimSpace(host))
	} else if c.Escape == "" && c.Command != "" {
		c.Escape = "a request for approval"
	}
}

func encodeCodex(dst []byte, c *Call, a Answer) []byte {
	if a.Decision == Allow && c.Event == PreToolUse {
		return dst
	}
	return encodeNested(dst, c, a)
}

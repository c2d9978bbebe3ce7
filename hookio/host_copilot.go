package hookio

import "github.com/tidwall/gjson"

// copilot is GitHub Copilot CLI. How an event is spelled in its file decides
// what is sent: preToolUse gets sessionId, toolName and its own tool names,
// PreToolUse gets session_id, tool_name and Claude Code's; permissionRequest
// comes in the first form either way. VS Code reads the same folders.
var copilot = Host{
	Name:      "copilot",
	Aliases:   []string{"copilot-cli", "github-copilot"},
	Title:     "GitHub Copilot CLI",
	OnWindows: WindowsShell{PowerShell, "its changelog: a tool powershell in place of bash, which PreToolUse calls Bash (2026-08)"},
	Detect: func(p Top) bool {
		switch {
		case p.Has("hook_event_name"):
			return !p.Has("transcript_path") && isoTime(p.Get("timestamp"))
		case p.Has("hookEventName"):
			return false
		}
		return p.Has("toolName", "toolArgs") || p.Has("hookName", "toolName", "toolInput") ||
			p.Has("sessionId", "cwd") && p.Get("timestamp").Type == gjson.Number
	},
	Events: []EventName{
		{"preToolUse", PreToolUse}, {"permissionRequest", PermissionRequest},
		{"postToolUse", PostToolUse}, {"postToolUseFailure", PostToolUseFailure}, {"sessionEnd", SessionEnd},
	},
	Fields: []Pair{
		{"hookName", "hook_event_name"}, {"sessionId", "session_id"}, {"toolName", "tool_name"},
		{"toolArgs", "tool_input"}, {"toolInput", "tool_input"}, {"transcriptPath", "transcript_path"},
		{"agentId", "agent_id"}, {"agentType", "agent_type"}, {"toolCallId", "tool_use_id"},
	},
	InputText: true, // of the model, in older versions
	Tools: []Pair{
		{"bash", "Bash"}, {"powershell", "PowerShell"}, {"write_bash", "Bash"}, {"write_powershell", "PowerShell"},
		{"view", "Read"}, {"create", "Write"}, {"edit", "Edit"}, {"str_replace_editor", "Edit"}, {"apply_patch", "Edit"},
		{"grep", "Grep"}, {"rg", "Grep"}, {"glob", "Glob"}, {"web_fetch", "WebFetch"}, {"web_search", "WebSearch"},
		{"task", "Agent"}, {"Task", "Agent"}, {"skill", "Skill"}, {"ask_user", "AskUserQuestion"},
		{"update_todo", "TodoWrite"}, {"exit_plan_mode", "ExitPlanMode"}, {"MultiEdit", "Edit"},
		{"store_memory", toolMemory}, {"vote_memory", toolMemory}, {"memory", toolMemory}, {"mcp-sampling", toolSampling},
		{"extensions_manage", toolExtension}, {"extensions_reload", toolExtension},
		{"extension-management", toolExtension}, {"extension-permission-access", toolExtension}, // its kinds of permission
	},
	MCP: MCP{Forms: []MCPForm{{Sep: "/"}, {Sep: "-", Last: true}}},
	Shapes: []Shape{
		{Tools: "write_bash write_powershell", Kind: KindCommand, Keys: []string{"input"}, First: 1},
		// the name Claude Code has for edit, str_replace_editor and apply_patch alike
		{Tools: "Edit", Kind: KindPath, Access: AccessWrite, Keys: []string{"path", "file_path", "filePath", "input", "paths", "edits"}, First: 4, Need: true,
			Patch: "input", Also: []string{"old_str", "new_str", "file_text", "diff"}},
		{Tools: "Agent", Keys: []string{"agent_type", "subagent_type"}, First: 2, Also: []string{"prompt", "name", "description", "model"}},
	},
	AskIs: askNested,
	Answers: []AnswerKey{
		{"PreToolUse", "hookSpecificOutput.permissionDecision", "allow ask deny", ""},
		{"PreToolUse", "permissionDecision", "allow ask deny", ""},
		{"preToolUse", "permissionDecision", "allow ask deny", ""},
		{"permissionRequest", "behavior", "allow deny -ask", ""},
	},
	Encode: encodeCopilot,
	Shared: true,
	Alone: Alone{
		Own:    []OwnFiles{{Base: BaseHome, Dir: ".copilot/session-state/{session}", Ext: ".md", Doc: "the plan of the session"}},
		Source: "docs.github.com copilot-cli-reference/cli-config-dir-reference (2026)",
	},
	Register: &Registration{
		Programs: []string{"copilot"}, Folder: "~/.copilot",
		Files: []HookFile{
			{Scope: ForUser, Path: "~/.copilot/hooks/permgate.json", Root: "hooks", Own: true},
			{Scope: ForProject, Path: ".github/hooks/permgate.json", Root: "hooks", Own: true},
		},
		Moved:   Pair{"~/.copilot", "COPILOT_HOME"},
		Head:    version1,
		Flat:    true,
		Command: []Pair{{"windows", "powershell"}, {"", "bash"}}, Fixed: typeCommand, Timeout: "timeoutSec", Sh: true,
		OnWindows: WindowsShell{PowerShell, "docs.github.com use-hooks (2026): the key powershell"},
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
	},
	Driven: Driven{copilotVersion, copilotDay},
	Reader: []Reading{
		{"", []Ending{EndsAllow}, FateRuns, 0, copilotVersion},
		{"", []Ending{EndsAsk}, FatePrompts, 0, copilotVersion},
		{"", []Ending{EndsDeny, EndsFailed, EndsBlocked, EndsMute, EndsKilled,
			EndsMissing}, FateBlocks, 0, copilotVersion},
		{"", []Ending{EndsSilence, EndsText, EndsBroken, EndsLate}, FateHost, 0, copilotVersion},
		{"permissionRequest", []Ending{EndsAsk}, FateHost, 0, copilotVersion},
		// it fails closed where preToolUse does not
		{"permissionRequest", []Ending{EndsText, EndsBroken}, FateBlocks, 0, copilotVersion},
	},
	Source: "docs.github.com hooks reference (2026), github/copilot-cli changelog to 1.0.78 (2026-08-03), payloads of 1.0.102",
}

// encodeCopilot writes the keys at the top level. For an event in Claude Code's
// spelling they come in the nested form too: VS Code, which runs the same files,
// reads only that one, and Copilot reads past what it does not know.
func encodeCopilot(dst []byte, c *Call, a Answer) []byte {
	if c.Event == PermissionRequest {
		dst = append(append(append(dst, `{"behavior":"`...), a.Decision.String()...), '"')
		if a.Decision == Deny {
			dst = AppendJSON(append(dst, `,"message":`...), a.Reason)
		}
	} else {
		dst = append(append(append(dst, `{"permissionDecision":"`...), a.Decision.String()...), '"')
		dst = AppendJSON(append(dst, `,"permissionDecisionReason":`...), a.Reason)
	}
	if c.RawEvent != string(c.Event) {
		return append(dst, "}\n"...)
	}
	dst = append(dst, ',')
	start := len(dst)
	dst = encodeNested(dst, c, a)
	copy(dst[start:], dst[start+1:]) // without the brace it begins with
	return dst[:len(dst)-1]
}

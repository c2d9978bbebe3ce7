package hosttest

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Claude is Claude Code.
var Claude = Host{
	Name: "claude", Title: "Claude Code",
	Package: "@anthropic-ai/claude-code", Folder: "claude-code",
	Program: func(dir string) []string {
		system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
		name := "claude"
		if system == "win32" {
			name = "claude.exe"
		}
		return []string{filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-"+system+"-"+arch, name)}
	},
	API: Anthropic,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "Bash", Input: map[string]any{"command": command, "description": "make a file"}}
	},
	Launch: launchClaude,
	Scene:  claudeScene,
	ScenePosture: Posture{Name: "edits", Args: []string{"--permission-mode", "acceptEdits",
		"--allowedTools", "Bash(touch:*)", "Bash(cat no-such-file)", "mcp__stub__touch", "Skill"}},
	Events: []string{"SessionStart", "PreToolUse", "PreSkillShellCommand", "PermissionRequest", "PermissionDenied", "PostToolUse", "PostToolUseFailure",
		"SubagentStart", "SubagentStop", "Stop", "SessionEnd"},
	Sent: []Sent{
		{"SessionStart", "cwd hook_event_name session_id source transcript_path"},
		{"PreToolUse", "agent_id? agent_type? cwd effort hook_event_name mcp_server? permission_mode prompt_id session_id tool_input tool_name tool_use_id transcript_path"},
		{"PreSkillShellCommand", "command_name command_source cwd effort hook_event_name invoked_by permission_mode prompt_id session_id tool_input tool_name tool_use_id transcript_path"},
		{"PermissionRequest", "agent_id agent_type cwd effort hook_event_name permission_mode permission_suggestions prompt_id session_id tool_input tool_name transcript_path"},
		{"PermissionDenied", ""},
		{"PostToolUse", "agent_id? agent_type? cwd duration_ms effort hook_event_name mcp_server? permission_mode prompt_id session_id tool_input tool_name tool_response tool_use_id transcript_path"},
		{"PostToolUseFailure", "cwd duration_ms effort error hook_event_name is_interrupt permission_mode prompt_id session_id tool_input tool_name tool_use_id transcript_path"},
		{"SubagentStart", "agent_id agent_type cwd hook_event_name prompt_id session_id transcript_path"},
		{"SubagentStop", "agent_id agent_transcript_path agent_type background_tasks cwd effort hook_event_name last_assistant_message permission_mode prompt_id session_crons session_id stop_hook_active transcript_path"},
		{"Stop", "background_tasks cwd effort hook_event_name last_assistant_message permission_mode prompt_id session_crons session_id stop_hook_active transcript_path"},
		{"SessionEnd", "cwd hook_event_name prompt_id reason session_id transcript_path"},
	},
	SentEnv: "AI_AGENT CLAUDECODE CLAUDE_CODE_CHILD_NOTES_DIR CLAUDE_CODE_CHILD_SESSION CLAUDE_CODE_ENTRYPOINT " +
		"CLAUDE_CODE_MESSAGING_SOCKET? CLAUDE_CODE_MESSAGING_TOKEN? CLAUDE_CODE_SESSION_ATTENDED " +
		"CLAUDE_CODE_SESSION_ID CLAUDE_EFFORT? CLAUDE_ENV_FILE? CLAUDE_PID CLAUDE_PROJECT_DIR " +
		"COREPACK_ENABLE_AUTO_PIN NoDefaultCurrentDirectoryInExePath",
	ExecForm: true,
	Gates: []Gate{{
		Event: "PreToolUse",
		Postures: []Posture{
			{Name: "prompt", Args: []string{"--permission-mode", "default"}}, // no one can answer a prompt under -p: the call is refused
			{Name: "rule", Args: []string{"--permission-mode", "default", "--allowedTools", "Bash(touch:*)"}},
			{Name: "bypass", Args: []string{"--permission-mode", "bypassPermissions"}},
		},
		Switch: "onFailure", Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: seen(
			"yyy yyy: allow ourallow",
			"nnn nnn: ask deny bom notutf8 unknownfield exit1deny exit2 exit2silent exit2allow exit2deny ourask",
			"nnn nnn: ourdeny",
			"nyy nyy: silence text emptyobject brokenjson notclosed otherform textjson jsontext binary",
			"nyy nyy: stderrjson ourpass",
			"nyy nnn: badvalue twolines exit1 exit1stderr exit127 killed timeout denytimeout wrongevent missing",
			"nyy nnn: missingexec",
			"yyy nnn: exit1allow",
		),
	}, {
		// Of a session without a person only background subagents have a dialog, and no one answers it.
		Event:    "PermissionRequest",
		Postures: []Posture{{Name: "background", Args: []string{"--permission-mode", "default"}, Errand: claudeErrand(true)}},
		Answer:   dialogAnswer, Other: dialogFlat, Wrong: dialogWrong,
		Seen: seen(
			"y: allow exit1allow exit2allow ourallow",
			"n: ask deny silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson",
			"n: jsontext bom notutf8 binary unknownfield stderrjson exit1 exit1stderr exit1deny exit2",
			"n: exit2silent exit2deny exit127 killed timeout denytimeout wrongevent ourpass ourask ourdeny",
			"n: missing missingexec",
		),
	}, {
		// What a skill may run was checked before: the command that is not denied runs.
		Event: "PreSkillShellCommand",
		Postures: []Posture{
			{Name: "rule", Args: []string{"--permission-mode", "default", "--allowedTools", "Skill"}, Skills: true},
			{Name: "edits", Args: []string{"--permission-mode", "acceptEdits", "--allowedTools", "Skill"}, Skills: true},
			{Name: "bypass", Args: []string{"--permission-mode", "bypassPermissions"}, Skills: true},
		},
		Switch: "onFailure", Other: flatDeny, Wrong: nestedWrong,
		Answer: func(decision string) string {
			return strings.Replace(nestedAnswer(decision), "PreToolUse", "PreSkillShellCommand", 1)
		},
		Seen: seen(
			"yyy yyy: allow silence text emptyobject brokenjson notclosed otherform textjson jsontext binary stderrjson ourpass ourallow",
			"nnn nnn: ask deny bom notutf8 unknownfield exit1deny exit2 exit2silent exit2allow exit2deny ourask ourdeny",
			"yyy nnn: badvalue twolines exit1 exit1stderr exit1allow exit127 killed timeout denytimeout wrongevent",
			"yyy nnn: missing missingexec",
		),
	}},
}

// claudeErrand is the call that starts a subagent with the task errandPrompt.
func claudeErrand(background bool) *ToolCall {
	return &ToolCall{Name: "Agent", Input: map[string]any{
		"description": "probe", "prompt": errandPrompt, "subagent_type": "general-purpose", "run_in_background": background}}
}

func launchClaude(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1, "onFailure")
	}
	if len(s.Rules) > 0 {
		settings["permissions"] = map[string]any{"allow": s.Rules}
	}
	args = append([]string{"-p", Prompt, "--output-format", "json", "--settings", jsonText(settings)}, s.Posture.Args...)
	if s.MCP != nil {
		args = append(args, "--strict-mcp-config", "--mcp-config", jsonText(map[string]any{"mcpServers": s.MCP}))
	}
	return args, []string{
		"ANTHROPIC_BASE_URL=" + s.API.URL, "ANTHROPIC_API_KEY=dummy",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"IS_SANDBOX=1", // root may use bypassPermissions only in what claims to be a sandbox
	}
}

// claudeScene has calls of every family, two at once, and those of a subagent that is waited for and of
// one in the background, which needs an approval.
func claudeScene(t testing.TB, s *Session) []Conversation {
	file := func(name string) string { return filepath.Join(s.Project, name) }
	agent := func(prompt string, background bool) ToolCall {
		return ToolCall{Name: "Agent", Input: map[string]any{"description": "probe", "prompt": prompt,
			"subagent_type": "general-purpose", "run_in_background": background}}
	}
	return []Conversation{
		{Prompt, []ToolCall{
			s.Host.Shell("touch made.txt"),
			s.Host.Shell("cat no-such-file"),
			s.Host.Touch("one.txt"), s.Host.Touch("two.txt").beside(),
			{Name: "Write", Input: map[string]any{"file_path": file("w.txt"), "content": "a\n"}},
			{Name: "Read", Input: map[string]any{"file_path": file("w.txt")}},
			{Name: "Edit", Input: map[string]any{"file_path": file("w.txt"), "old_string": "a", "new_string": "b"}},
			{Name: "mcp__stub__touch", Input: map[string]any{"name": file("mcp.txt")}},
			agent("first errand", false),
			agent("second errand", true),
			s.skill(t, filepath.Join(s.Project, ".claude"), "probe", "touch skill.txt"),
			s.Host.Shell("touch last.txt"),
		}},
		{"first errand", []ToolCall{s.Host.Touch("sub.txt")}},
		{"second errand", []ToolCall{s.Host.Shell("sh -c 'touch background.txt'")}},
	}
}

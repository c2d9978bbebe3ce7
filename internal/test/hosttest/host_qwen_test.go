package hosttest

import (
	"path/filepath"
	"testing"
)

// nodeVersion is the release of Node.js that hosts written in JavaScript are run with.
const nodeVersion = "22.23.3"

var qwenRules = []string{"--allowed-tools", "run_shell_command", "--allowed-tools", "edit", "--allowed-tools", "write_file"}

// Qwen is Qwen Code.
var Qwen = Host{
	Name: "qwen", Title: "Qwen Code",
	Package: "@qwen-code/qwen-code", Folder: "qwen-code", Node: nodeVersion,
	Program: func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@qwen-code", "qwen-code", "cli.js")}
	},
	API: Chat,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "run_shell_command", Input: map[string]any{"command": command, "description": "make a file", "is_background": false}}
	},
	Launch: launchQwen,
	Scene:  qwenScene,
	Events: []string{"SessionStart", "PreToolUse", "PermissionRequest", "PostToolUse", "PostToolUseFailure", "Stop", "SessionEnd"},
	Sent: []Sent{
		{"SessionStart", "cwd hook_event_name model permission_mode session_id source timestamp transcript_path"},
		{"PreToolUse", "cwd hook_event_name permission_mode prompt_id session_id timestamp tool_call_id tool_input tool_name tool_use_id transcript_path"},
		{"PermissionRequest", ""},
		{"PostToolUse", "cwd duration_ms hook_event_name permission_mode prompt_id session_id timestamp tool_call_id tool_input tool_name tool_response tool_use_id transcript_path"},
		{"PostToolUseFailure", "cwd duration_ms error hook_event_name is_interrupt permission_mode prompt_id session_id timestamp tool_call_id tool_input tool_name tool_use_id transcript_path"},
		{"Stop", "background_tasks context_limit context_usage crons cwd hook_event_name input_tokens last_assistant_message permission_mode prompt_id session_id stop_hook_active timestamp transcript_path"},
		{"SessionEnd", ""},
	},
	SentEnv: "CLAUDE_PROJECT_DIR GEMINI_PROJECT_DIR QWEN_CODE_AGENT_ID QWEN_CODE_MODEL QWEN_CODE_MODEL_IDENTITY " +
		"QWEN_CODE_NO_RELAUNCH QWEN_CODE_PRIVATE_RELAUNCH_ENV_PROVENANCE QWEN_CODE_PROJECT_DIR " +
		"QWEN_CODE_PROMPT_ID QWEN_CODE_SESSION_ID QWEN_PROJECT_DIR",
	Gates: []Gate{{
		Event: "PreToolUse",
		// There is no posture "prompt": without a person a call that would be asked about is refused, or
		// its tool not offered, before any hook is called. A shell command that writes needs a rule for the
		// shell and for the edit tools.
		Postures: []Posture{
			{Name: "rule", Args: append([]string{"--approval-mode", "default"}, qwenRules...)},
			{Name: "bypass", Args: []string{"--approval-mode", "yolo"}},
		},
		Switch: blocking, Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: seen(
			"yy yy: allow silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson",
			"yy yy: jsontext binary timeout denytimeout ourpass ourallow",
			"nn nn: ask deny bom notutf8 unknownfield stderrjson exit1deny exit2 wrongevent ourask ourdeny",
			"yy nn: exit1 exit1stderr exit1allow exit2silent exit2allow exit2deny exit127 killed missing",
		),
	}},
}

func launchQwen(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": "openai"}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false},
		"general":  map[string]any{"enableAutoUpdate": false},
	}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1, blocking)
	}
	if s.MCP != nil {
		settings["mcpServers"] = s.MCP
	}
	addSettings(t, filepath.Join(s.Home, ".qwen", "settings.json"), settings)
	args = append([]string{"-p", Prompt}, s.Posture.Args...)
	return args, []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + s.API.URL + "/v1", "OPENAI_MODEL=stub"}
}

// qwenScene has calls of every family, one that fails, and two at once.
func qwenScene(t testing.TB, s *Session) []Conversation {
	file := func(name string) string { return filepath.Join(s.Project, name) }
	return []Conversation{{Prompt, []ToolCall{
		s.Host.Touch("made.txt"),
		s.Host.Shell("cat no-such-file"),
		s.Host.Touch("one.txt"), s.Host.Touch("two.txt").beside(),
		{Name: "write_file", Input: map[string]any{"file_path": file("w.txt"), "content": "a\n"}},
		{Name: "read_file", Input: map[string]any{"file_path": file("w.txt")}},
		{Name: "edit", Input: map[string]any{"file_path": file("w.txt"), "old_string": "a", "new_string": "b"}},
		{Name: "glob", Input: map[string]any{"pattern": "*.txt"}},
		{Name: "grep_search", Input: map[string]any{"pattern": "b"}},
		{Name: "list_directory", Input: map[string]any{"path": s.Project}},
		{Name: "mcp__stub__touch", Input: map[string]any{"name": file("mcp.txt")}},
	}}}
}

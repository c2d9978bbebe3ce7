package hosttest

import (
	"path/filepath"
	"testing"
)

// GeminiCLI is Google's Gemini CLI.
var GeminiCLI = Host{
	Name: "gemini", Title: "Gemini CLI",
	Package: "@google/gemini-cli", Folder: "gemini-cli", Node: nodeVersion,
	Program: func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js")}
	},
	API: Gemini,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "run_shell_command", Input: map[string]any{"command": command, "description": "make a file"}}
	},
	Launch: launchGemini,
	Scene:  geminiScene,
	Events: []string{"SessionStart", "BeforeTool", "AfterTool", "Notification", "SessionEnd"},
	Sent: []Sent{
		{"SessionStart", "cwd hook_event_name session_id source timestamp transcript_path"},
		{"BeforeTool", "cwd hook_event_name mcp_context? session_id timestamp tool_input tool_name transcript_path"},
		{"AfterTool", "cwd hook_event_name mcp_context? session_id timestamp tool_input tool_name tool_response transcript_path"},
		{"Notification", ""},
		{"SessionEnd", "cwd hook_event_name reason session_id timestamp transcript_path"},
	},
	SentEnv: "CLAUDE_PROJECT_DIR GEMINI_CLI_TRUST_WORKSPACE GEMINI_CWD GEMINI_PLANS_DIR GEMINI_PROJECT_DIR " +
		"GEMINI_SESSION_ID",
	Gates: []Gate{{
		Event: "BeforeTool",
		// There is no posture "prompt": without a person a tool that would ask is not offered to the model.
		Postures: []Posture{
			{Name: "rule", Args: []string{"--allowed-tools", "run_shell_command(touch)"}},
			{Name: "bypass", Args: []string{"--approval-mode", "yolo"}},
		},
		Switch: blocking, Answer: func(decision string) string { return `{"decision":"` + decision + `","reason":"probe"}` }, Other: nestedAnswer("deny"),
		Seen: seen(
			"yy yy: allow silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson",
			"yy yy: jsontext binary exit1allow exit2allow timeout denytimeout ourpass ourallow",
			"ee ee: ask",
			"nn nn: deny bom notutf8 unknownfield stderrjson exit1deny exit2 exit2deny exit127 ourask ourdeny",
			"nn nn: missing",
			"yy nn: exit1 exit1stderr exit2silent killed",
		),
	}},
}

func launchGemini(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false},
		"general":  map[string]any{"enableAutoUpdate": false},
	}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1000, blocking)
	}
	if s.MCP != nil {
		settings["mcpServers"] = s.MCP
	}
	addSettings(t, filepath.Join(s.Home, ".gemini", "settings.json"), settings)
	args = append([]string{"-p", Prompt, "-m", "gemini-2.5-pro", "--skip-trust"}, s.Posture.Args...)
	return args, []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + s.API.URL,
		// One process, so that ending it ends all. Where an ask finds no one to ask (e in Seen), the process
		// then ends; started as users start it, it waits for ever.
		"GEMINI_CLI_NO_RELAUNCH=true",
	}
}

// geminiScene has calls of every family, one that fails, and two at once.
func geminiScene(t testing.TB, s *Session) []Conversation {
	file := func(name string) string { return filepath.Join(s.Project, name) }
	return []Conversation{{Prompt, []ToolCall{
		s.Host.Touch("made.txt"),
		s.Host.Shell("cat no-such-file"),
		s.Host.Touch("one.txt"), s.Host.Touch("two.txt").beside(),
		{Name: "write_file", Input: map[string]any{"file_path": file("w.txt"), "content": "a\n"}},
		{Name: "read_file", Input: map[string]any{"file_path": file("w.txt")}},
		{Name: "replace", Input: map[string]any{"file_path": file("w.txt"), "old_string": "a", "new_string": "b", "instruction": "probe"}},
		{Name: "glob", Input: map[string]any{"pattern": "*.txt"}},
		{Name: "grep_search", Input: map[string]any{"pattern": "b"}},
		{Name: "list_directory", Input: map[string]any{"dir_path": s.Project}},
		{Name: "mcp_stub_touch", Input: map[string]any{"name": file("mcp.txt")}},
	}}}
}

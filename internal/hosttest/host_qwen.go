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
	Package: "@qwen-code/qwen-code", Folder: "qwen-code", Version: "0.24.4", Node: nodeVersion,
	Program: func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@qwen-code", "qwen-code", "cli.js")}
	},
	API: Chat,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "run_shell_command", Input: map[string]any{"command": command, "description": "make a file", "is_background": false}}
	},
	Launch: launchQwen,
	Gates: []Gate{{
		Event: "PreToolUse",
		// Without a person a tool no rule allows is not offered to the model, and a shell command that writes
		// needs a rule for the shell and for the edit tools. With the rules, the mode auto would still ask.
		Postures: []Posture{
			{Name: "prompt", Args: append([]string{"--approval-mode", "auto"}, qwenRules...)},
			{Name: "rule", Args: append([]string{"--approval-mode", "default"}, qwenRules...)},
			{Name: "bypass", Args: []string{"--approval-mode", "yolo"}},
		},
		Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: []Seen{
			{"allow", "nyy", ""},
			{"ask", "nnn", ""},
			{"deny", "nnn", ""},
			{"silence", "nyy", ""},
			{"text", "nyy", ""},
			{"emptyobject", "nyy", ""},
			{"brokenjson", "nyy", ""},
			{"notclosed", "nyy", ""},
			{"badvalue", "nyy", ""},
			{"otherform", "nyy", ""},
			{"twolines", "nyy", ""},
			{"textjson", "nyy", ""},
			{"jsontext", "nyy", ""},
			{"bom", "nnn", ""},
			{"notutf8", "nnn", ""},
			{"binary", "nyy", ""},
			{"unknownfield", "nnn", ""},
			{"stderrjson", "nnn", ""},
			{"exit1", "nyy", ""},
			{"exit1stderr", "nyy", ""},
			{"exit1allow", "nyy", ""},
			{"exit1deny", "nnn", ""},
			{"exit2", "nnn", ""},
			{"exit2silent", "nyy", ""},
			{"exit2allow", "nyy", ""},
			{"exit2deny", "nyy", ""},
			{"exit127", "nyy", ""},
			{"killed", "nyy", ""},
			{"timeout", "nyy", ""},
			{"denytimeout", "nyy", ""},
			{"wrongevent", "nnn", ""},
			{"missing", "nyy", ""},
		},
	}},
}

func launchQwen(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": "openai"}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false},
		"general":  map[string]any{"enableAutoUpdate": false},
	}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1, "")
	}
	addSettings(t, filepath.Join(s.Home, ".qwen", "settings.json"), settings)
	args = append([]string{"-p", Prompt}, s.Posture.Args...)
	return args, []string{"OPENAI_API_KEY=dummy", "OPENAI_BASE_URL=" + s.API.URL + "/v1", "OPENAI_MODEL=stub"}
}

package hosttest

import (
	"path/filepath"
	"testing"
)

// GeminiCLI is Google's Gemini CLI.
var GeminiCLI = Host{
	Name: "gemini", Title: "Gemini CLI",
	Package: "@google/gemini-cli", Folder: "gemini-cli", Version: "0.61.0", Node: nodeVersion,
	Program: func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", "@google", "gemini-cli", "bundle", "gemini.js")}
	},
	API: Gemini,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "run_shell_command", Input: map[string]any{"command": command, "description": "make a file"}}
	},
	Launch: launchGemini,
	Gates: []Gate{{
		Event: "BeforeTool",
		// There is no posture "prompt": without a person a tool that would ask is not offered to the model.
		Postures: []Posture{
			{Name: "rule", Args: []string{"--allowed-tools", "run_shell_command(touch)"}},
			{Name: "bypass", Args: []string{"--approval-mode", "yolo"}},
		},
		Answer: func(decision string) string { return `{"decision":"` + decision + `","reason":"probe"}` }, Other: nestedAnswer("deny"),
		Seen: []Seen{
			{"allow", "yy", ""},
			{"ask", "ee", ""},
			{"deny", "nn", ""},
			{"silence", "yy", ""},
			{"text", "yy", ""},
			{"emptyobject", "yy", ""},
			{"brokenjson", "yy", ""},
			{"notclosed", "yy", ""},
			{"badvalue", "yy", ""},
			{"otherform", "yy", ""},
			{"twolines", "yy", ""},
			{"textjson", "yy", ""},
			{"jsontext", "yy", ""},
			{"bom", "nn", ""},
			{"notutf8", "nn", ""},
			{"binary", "yy", ""},
			{"unknownfield", "nn", ""},
			{"stderrjson", "nn", ""},
			{"exit1", "yy", ""},
			{"exit1stderr", "yy", ""},
			{"exit1allow", "yy", ""},
			{"exit1deny", "nn", ""},
			{"exit2", "nn", ""},
			{"exit2silent", "yy", ""},
			{"exit2allow", "yy", ""},
			{"exit2deny", "nn", ""},
			{"exit127", "nn", ""},
			{"killed", "yy", ""},
			{"timeout", "yy", ""},
			{"denytimeout", "yy", ""},
			{"missing", "nn", ""},
		},
	}},
}

func launchGemini(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{
		"security": map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}},
		"privacy":  map[string]any{"usageStatisticsEnabled": false},
		"general":  map[string]any{"enableAutoUpdate": false},
	}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1000, "")
	}
	addSettings(t, filepath.Join(s.Home, ".gemini", "settings.json"), settings)
	args = append([]string{"-p", Prompt, "-m", "gemini-2.5-pro", "--skip-trust"}, s.Posture.Args...)
	return args, []string{"GEMINI_API_KEY=dummy", "GOOGLE_GEMINI_BASE_URL=" + s.API.URL,
		// One process, so that ending it ends all. Where an ask finds nobody to ask (e in Seen), the process
		// then ends; started as users start it, it waits for ever.
		"GEMINI_CLI_NO_RELAUNCH=true",
	}
}

package hosttest

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Droid is Factory's Droid. It is driven with a model of the user's own (customModels), which needs no account.
var Droid = Host{
	Name: "droid", Title: "Factory Droid",
	// @factory/cli names the programs of each platform; the one for Linux serves for all.
	Package: droidPackage(), Folder: "droid",
	Program: func(dir string) []string {
		name := "droid"
		if runtime.GOOS == "windows" {
			name = "droid.exe"
		}
		return []string{filepath.Join(dir, "node_modules", filepath.FromSlash(droidPackage()), "bin", name)}
	},
	API: Anthropic,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "Execute", Input: map[string]any{"command": command, "summary": "make a file", "timeout": 10,
			"riskLevel": "medium", "riskLevelReason": "probe"}}
	},
	Launch: launchDroid,
	Gates: []Gate{{
		Event: "PreToolUse",
		// The model itself says how risky a command is, and Droid compares that with --auto. Where it would
		// have to ask it ends the run.
		Postures: []Posture{
			{Name: "prompt"},
			{Name: "rule", Args: []string{"--auto", "medium"}},
			{Name: "bypass", Args: []string{"--skip-permissions-unsafe"}},
		},
		Switch: blocking, Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		// An ask is as good as silence: where Droid would not have asked, no one is asked.
		Seen: []Seen{
			{"allow", "yyy", "yyy"},
			{"ask", "eyy", "eyy"},
			{"deny", "nnn", "nnn"},
			{"silence", "eyy", "eyy"},
			{"text", "eyy", "eyy"},
			{"emptyobject", "eyy", "eyy"},
			{"brokenjson", "eyy", "eyy"},
			{"notclosed", "eyy", "eyy"},
			{"badvalue", "eyy", "eyy"},
			{"otherform", "eyy", "eyy"},
			{"twolines", "eyy", "eyy"},
			{"textjson", "eyy", "eyy"},
			{"jsontext", "eyy", "eyy"},
			{"bom", "eyy", "eyy"},
			{"notutf8", "nnn", "nnn"},
			{"binary", "eyy", "eyy"},
			{"unknownfield", "nnn", "nnn"},
			{"stderrjson", "eyy", "eyy"},
			{"exit1", "eyy", "nnn"},
			{"exit1stderr", "eyy", "nnn"},
			{"exit1allow", "yyy", "nnn"},
			{"exit1deny", "nnn", "nnn"},
			{"exit2", "nnn", "nnn"},
			{"exit2silent", "nnn", "nnn"},
			{"exit2allow", "nnn", "nnn"},
			{"exit2deny", "nnn", "nnn"},
			{"exit127", "eyy", "nnn"},
			{"killed", "eyy", "nnn"},
			{"timeout", "eyy", "eyy"},
			{"denytimeout", "nnn", "nnn"},
			{"wrongevent", "nnn", "nnn"},
			{"ourpass", "eyy", "eyy"},
			{"ourallow", "yyy", "yyy"},
			{"ourask", "nnn", "nnn"},
			{"ourdeny", "nnn", "nnn"},
			{"missing", "eyy", "nnn"},
		},
	}},
}

func droidPackage() string {
	system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
	return "@factory/cli-" + system + "-" + arch
}

func launchDroid(t testing.TB, s *Session) (args, env []string) {
	run := filepath.Join(s.Home, "run.json") // beside ~/.factory/settings.json, which holds the hooks
	writeFile(t, run, jsonText(map[string]any{
		"cloudSessionSync": false,
		"customModels": []any{map[string]any{"model": "stub", "displayName": "stub", "provider": "anthropic",
			"baseUrl": s.API.URL, "apiKey": "dummy", "maxOutputTokens": 1000}},
	}))
	if len(s.Hooks) > 0 {
		writeFile(t, filepath.Join(s.Home, ".factory", "settings.json"), jsonText(map[string]any{"hooks": nestedHooks(s.Hooks, 1, blocking)}))
	}
	return append(append([]string{"exec", "--settings", run, "--model", "custom:stub"}, s.Posture.Args...), Prompt), nil
}

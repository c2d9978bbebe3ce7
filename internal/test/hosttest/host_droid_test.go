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
		Seen: seen(
			"yyy yyy: allow ourallow",
			"eyy eyy: ask silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson",
			"eyy eyy: jsontext bom binary stderrjson timeout ourpass",
			"nnn nnn: deny notutf8 unknownfield exit1deny exit2 exit2silent exit2allow exit2deny denytimeout",
			"nnn nnn: wrongevent ourask ourdeny",
			"eyy nnn: exit1 exit1stderr exit127 killed missing",
			"yyy nnn: exit1allow",
		),
	}},
}

func droidPackage() string {
	system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
	return "@factory/cli-" + system + "-" + arch
}

func launchDroid(t testing.TB, s *Session) (args, env []string) {
	run := filepath.Join(s.Home, "run.json") // next to ~/.factory/settings.json, which holds the hooks
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

package hosttest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// copilotPostures are what Copilot CLI does by itself. No one can answer a prompt under -p: the call is
// refused.
var copilotPostures = []Posture{
	{Name: "prompt"},
	{Name: "rule", Args: []string{"--allow-tool=shell(touch:*)"}},
	{Name: "bypass", Args: []string{"--allow-all-tools"}},
}

// Copilot is GitHub Copilot CLI. The model is one of the user's own (COPILOT_PROVIDER_BASE_URL), which
// needs no account.
var Copilot = Host{
	Name: "copilot", Title: "GitHub Copilot CLI",
	Package: "@github/copilot", Folder: "copilot",
	Program: func(dir string) []string {
		system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
		name := "copilot"
		if system == "win32" {
			name = "copilot.exe"
		}
		return []string{filepath.Join(dir, "node_modules", "@github", "copilot-"+system+"-"+arch, name)}
	},
	API: Anthropic,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "bash", Input: map[string]any{"command": command, "description": "make a file"}}
	},
	Launch: launchCopilot,
	Gates: []Gate{{
		Event: "preToolUse", Postures: copilotPostures,
		Answer: func(decision string) string {
			return `{"permissionDecision":"` + decision + `","permissionDecisionReason":"probe"}`
		},
		Other: nestedAnswer("deny"),
		// A hook that fails denies. One that is late does not, nor one that prints what is no single object.
		Seen: seen(
			"yyy: allow ourallow",
			"nnn: ask deny bom notutf8 unknownfield exit1 exit1stderr exit1allow exit1deny exit2 exit2silent",
			"nnn: exit2allow exit2deny exit127 killed ourask ourdeny missing",
			"nyy: silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson jsontext",
			"nyy: binary stderrjson timeout denytimeout ourpass",
		),
	}, {
		// In Claude Code's spelling, from a project's .claude/settings.json: run in a trusted folder, with a
		// payload of that form, and answered in it or in Copilot's own.
		Event: "PreToolUse", Postures: copilotPostures,
		Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: seen(
			"yyy: allow ourallow",
			"nnn: ask deny otherform bom notutf8 unknownfield exit1 exit1stderr exit1allow exit1deny exit2",
			"nnn: exit2silent exit2allow exit2deny exit127 killed wrongevent ourask ourdeny missing",
			"nyy: silence text emptyobject brokenjson notclosed badvalue twolines textjson jsontext binary",
			"nyy: stderrjson timeout denytimeout ourpass",
		),
	}, {
		// Before Copilot's own permission check, whatever that would say. Here text that is no object denies too.
		Event: "permissionRequest", Postures: copilotPostures,
		Answer: func(decision string) string {
			return `{"behavior":"` + decision + `","message":"probe"}`
		},
		Other: nestedAnswer("deny"),
		Seen: seen(
			"yyy: allow ourallow",
			"nyy: ask silence emptyobject badvalue otherform stderrjson timeout denytimeout ourpass ourask",
			"nnn: deny text brokenjson notclosed twolines textjson jsontext bom notutf8 binary unknownfield",
			"nnn: exit1 exit1stderr exit1allow exit1deny exit2 exit2silent exit2allow exit2deny exit127 killed",
			"nnn: ourdeny missing",
		),
	}},
}

func launchCopilot(t testing.TB, s *Session) (args, env []string) {
	args = append([]string{"-p", Prompt}, s.Posture.Args...)
	own, claude := map[string]any{}, []Hook(nil)
	for _, h := range s.Hooks {
		if h.Event == "PreToolUse" {
			claude = append(claude, h)
			continue
		}
		entry := map[string]any{"type": "command", "bash": h.Command}
		if h.Timeout > 0 {
			entry["timeoutSec"] = h.Timeout
		}
		list, _ := own[h.Event].([]any)
		own[h.Event] = append(list, entry)
	}
	if len(own) > 0 {
		writeFile(t, filepath.Join(s.Home, ".copilot", "hooks", "probe.json"), jsonText(map[string]any{"version": 1, "hooks": own}))
	}
	if claude != nil {
		writeFile(t, filepath.Join(s.Project, ".claude", "settings.json"), jsonText(map[string]any{"hooks": nestedHooks(claude, 1, "")}))
		args = append(args, "--trust-folder")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	return args, []string{
		"COPILOT_OFFLINE=true", "COPILOT_AUTO_UPDATE=false",
		"COPILOT_PROVIDER_TYPE=anthropic", "COPILOT_PROVIDER_BASE_URL=" + s.API.URL, "COPILOT_PROVIDER_API_KEY=dummy",
		"COPILOT_MODEL=claude-sonnet-4.5",
		"XDG_CACHE_HOME=" + filepath.Join(cache, "permgate-hosttest", "copilot-unpacked"), // 240 MB that it unpacks before it starts
	}
}

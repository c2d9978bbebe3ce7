package hosttest

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// copilotPostures are what Copilot CLI does by itself. Nobody can answer a prompt under -p: the call is
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
		Seen: []Seen{
			{"allow", "yyy", ""},
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
			{"stderrjson", "nyy", ""},
			{"exit1", "nnn", ""},
			{"exit1stderr", "nnn", ""},
			{"exit1allow", "nnn", ""},
			{"exit1deny", "nnn", ""},
			{"exit2", "nnn", ""},
			{"exit2silent", "nnn", ""},
			{"exit2allow", "nnn", ""},
			{"exit2deny", "nnn", ""},
			{"exit127", "nnn", ""},
			{"killed", "nnn", ""},
			{"timeout", "nyy", ""},
			{"denytimeout", "nyy", ""},
			{"ourpass", "nyy", ""},
			{"ourallow", "yyy", ""},
			{"ourask", "nnn", ""},
			{"ourdeny", "nnn", ""},
			{"missing", "nnn", ""},
		},
	}, {
		// In Claude Code's spelling, from a project's .claude/settings.json: run in a trusted folder, with a
		// payload of that form, and answered in it or in Copilot's own.
		Event: "PreToolUse", Postures: copilotPostures,
		Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: []Seen{
			{"allow", "yyy", ""},
			{"ask", "nnn", ""},
			{"deny", "nnn", ""},
			{"silence", "nyy", ""},
			{"text", "nyy", ""},
			{"emptyobject", "nyy", ""},
			{"brokenjson", "nyy", ""},
			{"notclosed", "nyy", ""},
			{"badvalue", "nyy", ""},
			{"otherform", "nnn", ""},
			{"twolines", "nyy", ""},
			{"textjson", "nyy", ""},
			{"jsontext", "nyy", ""},
			{"bom", "nnn", ""},
			{"notutf8", "nnn", ""},
			{"binary", "nyy", ""},
			{"unknownfield", "nnn", ""},
			{"stderrjson", "nyy", ""},
			{"exit1", "nnn", ""},
			{"exit1stderr", "nnn", ""},
			{"exit1allow", "nnn", ""},
			{"exit1deny", "nnn", ""},
			{"exit2", "nnn", ""},
			{"exit2silent", "nnn", ""},
			{"exit2allow", "nnn", ""},
			{"exit2deny", "nnn", ""},
			{"exit127", "nnn", ""},
			{"killed", "nnn", ""},
			{"timeout", "nyy", ""},
			{"denytimeout", "nyy", ""},
			{"wrongevent", "nnn", ""},
			{"ourpass", "nyy", ""},
			{"ourallow", "yyy", ""},
			{"ourask", "nnn", ""},
			{"ourdeny", "nnn", ""},
			{"missing", "nnn", ""},
		},
	}, {
		// Before Copilot's own permission check, whatever that would say. Here text that is no object denies too.
		Event: "permissionRequest", Postures: copilotPostures,
		Answer: func(decision string) string {
			return `{"behavior":"` + decision + `","message":"probe"}`
		},
		Other: nestedAnswer("deny"),
		Seen: []Seen{
			{"allow", "yyy", ""},
			{"ask", "nyy", ""},
			{"deny", "nnn", ""},
			{"silence", "nyy", ""},
			{"text", "nnn", ""},
			{"emptyobject", "nyy", ""},
			{"brokenjson", "nnn", ""},
			{"notclosed", "nnn", ""},
			{"badvalue", "nyy", ""},
			{"otherform", "nyy", ""},
			{"twolines", "nnn", ""},
			{"textjson", "nnn", ""},
			{"jsontext", "nnn", ""},
			{"bom", "nnn", ""},
			{"notutf8", "nnn", ""},
			{"binary", "nnn", ""},
			{"unknownfield", "nnn", ""},
			{"stderrjson", "nyy", ""},
			{"exit1", "nnn", ""},
			{"exit1stderr", "nnn", ""},
			{"exit1allow", "nnn", ""},
			{"exit1deny", "nnn", ""},
			{"exit2", "nnn", ""},
			{"exit2silent", "nnn", ""},
			{"exit2allow", "nnn", ""},
			{"exit2deny", "nnn", ""},
			{"exit127", "nnn", ""},
			{"killed", "nnn", ""},
			{"timeout", "nyy", ""},
			{"denytimeout", "nyy", ""},
			{"ourpass", "nyy", ""},
			{"ourallow", "yyy", ""},
			{"ourask", "nyy", ""},
			{"ourdeny", "nnn", ""},
			{"missing", "nnn", ""},
		},
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

package hosttest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
)

// codexReview makes Codex want an approval: the call asks to leave the sandbox. Of the headless ways to
// start it only automatic review has approvals, and the fake model approves: what no hook decides runs.
var codexReview = Posture{Name: "review", Args: []string{"--approve-for-me"},
	Call: map[string]any{"sandbox_permissions": "require_escalated", "justification": "probe"}}

// Codex is OpenAI's Codex CLI.
var Codex = Host{
	Name: "codex", Title: "Codex CLI",
	Package: "@openai/codex", Folder: "codex", Version: "0.169.0",
	Program: func(dir string) []string {
		system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
		triple := map[string]string{"linux": "unknown-linux-musl", "darwin": "apple-darwin", "win32": "pc-windows-msvc"}[system]
		cpu := map[string]string{"x64": "x86_64", "arm64": "aarch64"}[arch]
		name := "codex"
		if system == "win32" {
			name = "codex.exe"
		}
		return []string{filepath.Join(dir, "node_modules", "@openai", "codex-"+system+"-"+arch, "vendor", cpu+"-"+triple, "bin", name)}
	},
	API: Responses,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "exec_command", Input: map[string]any{"cmd": command}}
	},
	Launch: launchCodex,
	Gates: []Gate{{
		Event: "PreToolUse",
		Postures: []Posture{
			codexReview,
			{Name: "sandbox", Args: []string{"--sandbox", "workspace-write"}},
			{Name: "bypass", Args: []string{"--dangerously-bypass-approvals-and-sandbox"}},
		},
		Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: []Seen{
			{"allow", "yyy", ""},
			{"ask", "yyy", ""},
			{"deny", "nnn", ""},
			{"silence", "yyy", ""},
			{"text", "yyy", ""},
			{"emptyobject", "yyy", ""},
			{"brokenjson", "yyy", ""},
			{"notclosed", "yyy", ""},
			{"badvalue", "yyy", ""},
			{"otherform", "yyy", ""},
			{"twolines", "yyy", ""},
			{"textjson", "yyy", ""},
			{"jsontext", "yyy", ""},
			{"bom", "yyy", ""},
			{"notutf8", "nnn", ""},
			{"binary", "yyy", ""},
			{"unknownfield", "yyy", ""},
			{"stderrjson", "yyy", ""},
			{"exit1", "yyy", ""},
			{"exit1stderr", "yyy", ""},
			{"exit1allow", "yyy", ""},
			{"exit1deny", "yyy", ""},
			{"exit2", "nnn", ""},
			{"exit2silent", "yyy", ""},
			{"exit2allow", "yyy", ""},
			{"exit2deny", "yyy", ""},
			{"exit127", "yyy", ""},
			{"killed", "yyy", ""},
			{"timeout", "yyy", ""},
			{"denytimeout", "yyy", ""},
			{"wrongevent", "nnn", ""},
			{"missing", "yyy", ""},
		},
	}, {
		Event: "PermissionRequest", Postures: []Posture{codexReview},
		Answer: dialogAnswer, Other: dialogFlat, Wrong: dialogWrong,
		Seen: []Seen{
			{"allow", "y", ""},
			{"ask", "y", ""},
			{"deny", "n", ""},
			{"silence", "y", ""},
			{"text", "y", ""},
			{"emptyobject", "y", ""},
			{"brokenjson", "y", ""},
			{"notclosed", "y", ""},
			{"badvalue", "y", ""},
			{"otherform", "y", ""},
			{"twolines", "y", ""},
			{"textjson", "y", ""},
			{"jsontext", "y", ""},
			{"bom", "y", ""},
			{"notutf8", "n", ""},
			{"binary", "y", ""},
			{"unknownfield", "y", ""},
			{"stderrjson", "y", ""},
			{"exit1", "y", ""},
			{"exit1stderr", "y", ""},
			{"exit1allow", "y", ""},
			{"exit1deny", "y", ""},
			{"exit2", "n", ""},
			{"exit2silent", "y", ""},
			{"exit2allow", "y", ""},
			{"exit2deny", "y", ""},
			{"exit127", "y", ""},
			{"killed", "y", ""},
			{"timeout", "y", ""},
			{"denytimeout", "y", ""},
			{"wrongevent", "n", ""},
			{"missing", "y", ""},
		},
	}},
}

func launchCodex(t testing.TB, s *Session) (args, env []string) {
	home := filepath.Join(s.Home, ".codex")
	writeFile(t, filepath.Join(home, "config.toml"), fmt.Sprintf(`
model = "gpt-5.5"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = %q
wire_api = "responses"
env_key = "STUB_API_KEY"
[analytics]
enabled = false
`, s.API.URL+"/v1"))
	if len(s.Hooks) > 0 {
		addSettings(t, filepath.Join(home, "hooks.json"), map[string]any{"hooks": nestedHooks(s.Hooks, 1, "")})
	}
	args = append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"}, s.Posture.Args...)
	return append(args, Prompt), []string{"CODEX_HOME=" + home, "STUB_API_KEY=dummy"}
}

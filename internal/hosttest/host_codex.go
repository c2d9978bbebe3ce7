package hosttest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
)

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
	Postures: []Posture{
		{Name: "sandbox", Args: []string{"--sandbox", "workspace-write"}},
		{Name: "bypass", Args: []string{"--dangerously-bypass-approvals-and-sandbox"}},
	},
	Launch: launchCodex,
	Event:  "PreToolUse",
	Answer: nestedAnswer,
	Other:  flatDeny,
	Wrong:  nestedWrong,
	Seen: []Seen{
		{"allow", "yy", ""},
		{"ask", "yy", ""},
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
		{"bom", "yy", ""},
		{"notutf8", "nn", ""},
		{"binary", "yy", ""},
		{"unknownfield", "yy", ""},
		{"stderrjson", "yy", ""},
		{"exit1", "yy", ""},
		{"exit1stderr", "yy", ""},
		{"exit1allow", "yy", ""},
		{"exit1deny", "yy", ""},
		{"exit2", "nn", ""},
		{"exit2silent", "yy", ""},
		{"exit2allow", "yy", ""},
		{"exit2deny", "yy", ""},
		{"exit127", "yy", ""},
		{"killed", "yy", ""},
		{"timeout", "yy", ""},
		{"denytimeout", "yy", ""},
		{"wrongevent", "nn", ""},
		{"missing", "yy", ""},
	},
}

func launchCodex(t testing.TB, s *Session) (args, env []string) {
	home := filepath.Join(s.Home, ".codex")
	writeFile(t, filepath.Join(home, "config.toml"), fmt.Sprintf(`
model = "stub"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = %q
wire_api = "responses"
env_key = "STUB_API_KEY"
[analytics]
enabled = false
`, s.API.URL+"/v1"))
	writeFile(t, filepath.Join(home, "hooks.json"), jsonText(map[string]any{"hooks": nestedHooks(s.Hooks, 1, "")}))
	args = append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"}, s.Posture.Args...)
	return append(args, Prompt), []string{"CODEX_HOME=" + home, "STUB_API_KEY=dummy"}
}

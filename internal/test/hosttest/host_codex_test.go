package hosttest

import (
	"fmt"
	"path/filepath"
	"runtime"
	"testing"
)

// codexReview makes Codex want an approval: the call asks to leave the sandbox. Of the headless ways to
// start it only automatic review has approvals, and the fake model approves: what no hook decides runs.
var codexReview = Posture{Name: "review", Args: []string{"--approve-for-me"}, Approves: true,
	Call: map[string]any{"sandbox_permissions": "require_escalated", "justification": "probe"}}

// Codex is OpenAI's Codex CLI.
var Codex = Host{
	Name: "codex", Title: "Codex CLI",
	Package: "@openai/codex", Folder: "codex",
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
	Launch:       launchCodex,
	Scene:        codexScene,
	ScenePosture: codexReview,
	Events:       []string{"SessionStart", "PreToolUse", "PermissionRequest", "PostToolUse", "Stop", "SessionEnd"},
	Sent: []Sent{
		{"SessionStart", "cwd hook_event_name model permission_mode session_id source transcript_path"},
		{"PreToolUse", "cwd hook_event_name model permission_mode session_id tool_input tool_name tool_use_id transcript_path turn_id"},
		{"PermissionRequest", "cwd hook_event_name model permission_mode session_id tool_input tool_name transcript_path turn_id"},
		{"PostToolUse", "cwd hook_event_name model permission_mode session_id tool_input tool_name tool_response tool_use_id transcript_path turn_id"},
		{"Stop", "cwd hook_event_name last_assistant_message model permission_mode session_id stop_hook_active transcript_path turn_id"},
		{"SessionEnd", "cwd hook_event_name reason session_id transcript_path"},
	},
	Gates: []Gate{{
		Event: "PreToolUse",
		Postures: []Posture{
			codexReview,
			{Name: "sandbox", Args: []string{"--sandbox", "workspace-write"}},
			{Name: "bypass", Args: []string{"--dangerously-bypass-approvals-and-sandbox"}},
		},
		Switch: blocking, Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: []Seen{
			{"allow", "yyy", "yyy"},
			{"ask", "yyy", "yyy"},
			{"deny", "nnn", "nnn"},
			{"silence", "yyy", "yyy"},
			{"text", "yyy", "yyy"},
			{"emptyobject", "yyy", "yyy"},
			{"brokenjson", "yyy", "yyy"},
			{"notclosed", "yyy", "yyy"},
			{"badvalue", "yyy", "yyy"},
			{"otherform", "yyy", "yyy"},
			{"twolines", "yyy", "yyy"},
			{"textjson", "yyy", "yyy"},
			{"jsontext", "yyy", "yyy"},
			{"bom", "yyy", "yyy"},
			{"notutf8", "nnn", "nnn"},
			{"binary", "yyy", "yyy"},
			{"unknownfield", "yyy", "yyy"},
			{"stderrjson", "yyy", "yyy"},
			{"exit1", "yyy", "nnn"},
			{"exit1stderr", "yyy", "nnn"},
			{"exit1allow", "yyy", "nnn"},
			{"exit1deny", "yyy", "nnn"},
			{"exit2", "nnn", "nnn"},
			{"exit2silent", "yyy", "nnn"},
			{"exit2allow", "yyy", "nnn"},
			{"exit2deny", "yyy", "nnn"},
			{"exit127", "yyy", "nnn"},
			{"killed", "yyy", "nnn"},
			{"timeout", "yyy", "yyy"},
			{"denytimeout", "yyy", "yyy"},
			{"wrongevent", "nnn", "nnn"},
			{"ourpass", "yyy", "yyy"},
			{"ourallow", "yyy", "yyy"},
			{"ourask", "nnn", "nnn"},
			{"ourdeny", "nnn", "nnn"},
			{"missing", "yyy", "nnn"},
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
			{"ourpass", "y", ""},
			{"ourallow", "y", ""},
			{"ourask", "y", ""},
			{"ourdeny", "n", ""},
			{"missing", "y", ""},
		},
	}},
}

func launchCodex(t testing.TB, s *Session) (args, env []string) {
	home := filepath.Join(s.Home, ".codex")
	config := fmt.Sprintf(`
model = "gpt-5.5"
model_provider = "stub"
[model_providers.stub]
name = "stub"
base_url = %q
wire_api = "responses"
env_key = "STUB_API_KEY"
[analytics]
enabled = false
`, s.API.URL+"/v1")
	for name, server := range s.MCP {
		m := server.(map[string]any)
		config += fmt.Sprintf("[mcp_servers.%s]\ncommand = %q\n[mcp_servers.%s.env]\n", name, m["command"], name)
		for k, v := range m["env"].(map[string]string) {
			config += fmt.Sprintf("%s = %q\n", k, v)
		}
	}
	writeFile(t, filepath.Join(home, "config.toml"), config)
	if len(s.Hooks) > 0 {
		addSettings(t, filepath.Join(home, "hooks.json"), map[string]any{"hooks": nestedHooks(s.Hooks, 1, blocking)})
	}
	args = append([]string{"exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"}, s.Posture.Args...)
	return append(args, Prompt), []string{"CODEX_HOME=" + home, "STUB_API_KEY=dummy"}
}

// codexScene has calls of every family, one that fails, one in another folder, one that asks for an
// approval, and a patch.
func codexScene(s *Session) []Conversation {
	elsewhere := s.Host.Touch("elsewhere.txt")
	elsewhere.Input["workdir"] = s.Home
	return []Conversation{{Prompt, []ToolCall{
		s.Host.Touch("made.txt"),
		s.Host.Shell("cat no-such-file"),
		elsewhere,
		s.Host.Touch("approved.txt").with(codexReview),
		{Name: "apply_patch", Input: map[string]any{customInput: "*** Begin Patch\n*** Add File: w.txt\n+a\n*** Add File: v.txt\n+a\n*** End Patch\n"}},
		{Name: "view_image", Input: map[string]any{"path": filepath.Join(s.Project, "made.txt")}},
		{Name: "mcp__stub__touch", Input: map[string]any{"name": filepath.Join(s.Project, "mcp.txt")}},
	}}}
}

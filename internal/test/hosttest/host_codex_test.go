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
		Seen: seen(
			"yyy yyy: allow ask silence text emptyobject brokenjson notclosed badvalue otherform twolines",
			"yyy yyy: textjson jsontext bom binary unknownfield stderrjson timeout denytimeout ourpass ourallow",
			"nnn nnn: deny notutf8 exit2 wrongevent ourask ourdeny",
			"yyy nnn: exit1 exit1stderr exit1allow exit1deny exit2silent exit2allow exit2deny exit127 killed",
			"yyy nnn: missing",
		),
	}, {
		Event: "PermissionRequest", Postures: []Posture{codexReview},
		Answer: dialogAnswer, Other: dialogFlat, Wrong: dialogWrong,
		Seen: seen(
			"y: allow ask silence text emptyobject brokenjson notclosed badvalue otherform twolines textjson",
			"y: jsontext bom binary unknownfield stderrjson exit1 exit1stderr exit1allow exit1deny exit2silent",
			"y: exit2allow exit2deny exit127 killed timeout denytimeout ourpass ourallow ourask missing",
			"n: deny notutf8 exit2 wrongevent ourdeny",
		),
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
func codexScene(t testing.TB, s *Session) []Conversation {
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

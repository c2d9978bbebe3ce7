package hosttest

import (
	"path/filepath"
	"runtime"
	"testing"
)

// Claude is Claude Code.
var Claude = Host{
	Name: "claude", Title: "Claude Code",
	Package: "@anthropic-ai/claude-code", Folder: "claude-code", Version: "2.1.329",
	Program: func(dir string) []string {
		system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
		name := "claude"
		if system == "win32" {
			name = "claude.exe"
		}
		return []string{filepath.Join(dir, "node_modules", "@anthropic-ai", "claude-code-"+system+"-"+arch, name)}
	},
	API: Anthropic,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "Bash", Input: map[string]any{"command": command, "description": "make a file"}}
	},
	Launch: launchClaude,
	Switch: "onFailure", ExecForm: true,
	Gates: []Gate{{
		Event: "PreToolUse",
		Postures: []Posture{
			{Name: "prompt", Args: []string{"--permission-mode", "default"}}, // nobody can answer a prompt under -p: the call is refused
			{Name: "rule", Args: []string{"--permission-mode", "default", "--allowedTools", "Bash(touch:*)"}},
			{Name: "bypass", Args: []string{"--permission-mode", "bypassPermissions"}},
		},
		Answer: nestedAnswer, Other: flatDeny, Wrong: nestedWrong,
		Seen: []Seen{
			{"allow", "yyy", "yyy"},
			{"ask", "nnn", "nnn"},
			{"deny", "nnn", "nnn"},
			{"silence", "nyy", "nyy"},
			{"text", "nyy", "nyy"},
			{"emptyobject", "nyy", "nyy"},
			{"brokenjson", "nyy", "nyy"},
			{"notclosed", "nyy", "nyy"},
			{"badvalue", "nyy", "nnn"},
			{"otherform", "nyy", "nyy"},
			{"twolines", "nyy", "nnn"},
			{"textjson", "nyy", "nyy"},
			{"jsontext", "nyy", "nyy"},
			{"bom", "nnn", "nnn"},
			{"notutf8", "nnn", "nnn"},
			{"binary", "nyy", "nyy"},
			{"unknownfield", "nnn", "nnn"},
			{"stderrjson", "nyy", "nyy"},
			{"exit1", "nyy", "nnn"},
			{"exit1stderr", "nyy", "nnn"},
			{"exit1allow", "yyy", "nnn"},
			{"exit1deny", "nnn", "nnn"},
			{"exit2", "nnn", "nnn"},
			{"exit2silent", "nnn", "nnn"},
			{"exit2allow", "nnn", "nnn"},
			{"exit2deny", "nnn", "nnn"},
			{"exit127", "nyy", "nnn"},
			{"killed", "nyy", "nnn"},
			{"timeout", "nyy", "nnn"},
			{"denytimeout", "nyy", "nnn"},
			{"wrongevent", "nyy", "nnn"},
			{"missing", "nyy", "nnn"},
			{"missingexec", "nyy", "nnn"},
		},
	}},
}

func launchClaude(t testing.TB, s *Session) (args, env []string) {
	settings := map[string]any{}
	if len(s.Hooks) > 0 {
		settings["hooks"] = nestedHooks(s.Hooks, 1, s.Host.Switch)
	}
	if len(s.Rules) > 0 {
		settings["permissions"] = map[string]any{"allow": s.Rules}
	}
	args = append([]string{"-p", Prompt, "--output-format", "json", "--settings", jsonText(settings)}, s.Posture.Args...)
	if s.MCP != nil {
		args = append(args, "--strict-mcp-config", "--mcp-config", jsonText(map[string]any{"mcpServers": s.MCP}))
	}
	return args, []string{
		"ANTHROPIC_BASE_URL=" + s.API.URL, "ANTHROPIC_API_KEY=dummy",
		"DISABLE_TELEMETRY=1", "DISABLE_AUTOUPDATER=1", "DISABLE_ERROR_REPORTING=1",
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1",
		"IS_SANDBOX=1", // root may use bypassPermissions only in what claims to be a sandbox
	}
}

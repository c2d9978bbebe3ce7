package hosttest

import (
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// Opencode is opencode, whose hooks are what its plugin of permgate's runs.
var Opencode = Host{
	Name: "opencode", Title: "opencode",
	// opencode-ai names the programs of each platform, and its install script picks one.
	Package: "opencode-" + opencodePlatform(), Folder: "opencode", Program: opencodeProgram("opencode-", "opencode"),
	API: Chat,
	Shell: func(command string) ToolCall {
		return ToolCall{Name: "bash", Input: map[string]any{"command": command}}
	},
	Launch:   launchOpencode,
	ExecForm: true,
	Scene:    opencodeScene, ScenePosture: Posture{Name: "scene", Args: []string{"--auto"}},
	Events: []string{"PreToolUse", "PostToolUse"},
	Sent: []Sent{
		{"PreToolUse", "agent agent_id? agent_type? cwd hook_event_name plugin project session_id tool_input tool_name tool_use_id"},
		{"PostToolUse", "agent agent_id? agent_type? cwd hook_event_name plugin project session_id tool_input tool_name tool_use_id"},
	},
	SentEnv: "AGENT GOMAXPROCS OPENCODE OPENCODE_PID",
	Gates: []Gate{{
		Event: "PreToolUse",
		// What its own permissions ask about ends a run without a person, or runs with --auto.
		Postures: []Posture{
			{Name: "rule"},
			{Name: "bypass", Args: []string{"--auto"}},
			{Name: "errand", Errand: &ToolCall{Name: "task", Input: map[string]any{"description": "an errand", "prompt": errandPrompt, "subagent_type": "general"}}},
		},
		Answer: opencodeAnswer, Other: flatDeny,
		// In "errand" a program that is missing refuses the task itself.
		Seen: seen(
			"yyy: allow silence stderrjson ourpass ourallow",
			"nnn: ask deny text emptyobject brokenjson notclosed badvalue otherform twolines textjson jsontext",
			"nnn: bom notutf8 binary unknownfield exit1 exit1stderr exit1allow exit1deny exit2 exit2silent",
			"nnn: exit2allow exit2deny exit127 killed timeout denytimeout ourask ourdeny",
			"nne: missing missingexec",
		),
	}},
}

// Kilo is Kilo, which was made out of opencode: only its names are others.
var Kilo = kiloOf(Opencode)

func kiloOf(h Host) Host {
	h.Name, h.Title, h.Folder = "kilo", "Kilo", "kilo"
	h.Package, h.Program = "@kilocode/cli-"+opencodePlatform(), opencodeProgram("@kilocode/cli-", "kilo")
	h.SentEnv = "AGENT GOMAXPROCS KILO KILOCODE_FEATURE KILOCODE_VERSION KILO_PID KILO_PROCESS_ROLE KILO_RUN_ID OPENCODE " +
		"npm_config_user_agent"
	return h
}

func opencodePlatform() string {
	system, arch := npmPlatform(runtime.GOOS, runtime.GOARCH)
	if system == "win32" {
		system = "windows"
	}
	return system + "-" + arch
}

func opencodeProgram(pkg, name string) func(dir string) []string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	return func(dir string) []string {
		return []string{filepath.Join(dir, "node_modules", pkg+opencodePlatform(), "bin", name)}
	}
}

// opencodeAnswer is an answer in the form that the plugin reads.
func opencodeAnswer(decision string) string {
	return jsonText(map[string]any{"decision": decision, "reason": "probe"})
}

func launchOpencode(t testing.TB, s *Session) (args, env []string) {
	name := s.Host.Name
	config := filepath.Join(s.Home, ".config", name)
	settings := map[string]any{
		"model": "stub/stub", "small_model": "stub/stub", "autoupdate": false, "share": "disabled",
		"provider": map[string]any{"stub": map[string]any{"npm": "@ai-sdk/openai-compatible", "name": "stub",
			"options": map[string]any{"baseURL": s.API.URL + "/v1", "apiKey": "dummy"},
			"models":  map[string]any{"stub": map[string]any{"name": "stub"}}}},
	}
	if s.Posture.Name == "bypass" {
		settings["permission"] = map[string]any{"bash": "ask"}
	}
	servers := map[string]any{}
	for name, v := range s.MCP {
		server := v.(map[string]any)
		servers[name] = map[string]any{"type": "local", "environment": server["env"],
			"command": append([]string{server["command"].(string)}, server["args"].([]string)...)}
	}
	settings["mcp"] = servers
	addSettings(t, filepath.Join(config, name+".json"), settings)
	// as if its own library were installed there: it waits for npm otherwise
	writeFile(t, filepath.Join(config, "package-lock.json"), `{"packages":{"":{"dependencies":{"@opencode-ai/plugin":"*"}}}}`)
	writeFile(t, filepath.Join(config, "node_modules", ".package-lock.json"), "{}")
	if len(s.Hooks) > 0 {
		s.writePlugin(t, filepath.Join(config, "plugins"))
	}
	prefix := strings.ToUpper(name)
	return append(append([]string{"run"}, s.Posture.Args...), Prompt),
		[]string{prefix + "_DISABLE_MODELS_FETCH=1", prefix + "_DISABLE_AUTOUPDATE=1", "npm_config_fetch_retries=0",
			"KILO_DISABLE_SESSION_INGEST=1", "KILO_TELEMETRY_LEVEL=off", "KILO_DISABLE_DEFAULT_PLUGINS=1"}
}

// writePlugin writes the plugin, and the hooks that it runs.
func (s *Session) writePlugin(t testing.TB, dir string) {
	events := map[string][]any{}
	for _, h := range s.Hooks {
		entry := map[string]any{"command": "/bin/sh", "args": []string{"-c", h.Command}, "timeout": h.Timeout}
		if h.Args != nil {
			entry["command"], entry["args"] = h.Command, h.Args
		}
		events[h.Event] = append(events[h.Event], entry)
	}
	writeFile(t, filepath.Join(dir, "permgate.json"), jsonText(map[string]any{"hooks": events}))
	for _, f := range hookio.Lookup(s.Host.Name).Register.Beside {
		writeFile(t, filepath.Join(dir, f.Path), f.Text())
	}
}

// opencodeScene has calls of every family, one that fails, two at once, and one of a task.
func opencodeScene(t testing.TB, s *Session) []Conversation {
	file := func(name string) string { return filepath.Join(s.Project, name) }
	return []Conversation{{Prompt, []ToolCall{
		s.Host.Touch("made.txt"),
		s.Host.Shell("cat no-such-file"),
		{Name: "bash", Input: map[string]any{"command": "pwd", "workdir": s.Home, "timeout": 9000}},
		s.Host.Touch("one.txt"), s.Host.Touch("two.txt").beside(),
		{Name: "write", Input: map[string]any{"filePath": file("w.txt"), "content": "a\n"}},
		{Name: "read", Input: map[string]any{"filePath": file("w.txt")}},
		{Name: "edit", Input: map[string]any{"filePath": file("w.txt"), "oldString": "a", "newString": "b"}},
		{Name: "glob", Input: map[string]any{"pattern": "*.txt"}},
		{Name: "grep", Input: map[string]any{"pattern": "b", "include": "*.txt"}},
		{Name: "todowrite", Input: map[string]any{"todos": []any{map[string]any{"content": "x", "status": "pending", "priority": "low"}}}},
		{Name: "webfetch", Input: map[string]any{"url": "http://127.0.0.1:9/x", "format": "text"}},
		{Name: "stub_touch", Input: map[string]any{"name": file("mcp.txt")}},
		{Name: "task", Input: map[string]any{"description": "an errand", "prompt": errandPrompt, "subagent_type": "general"}},
	}}, {errandPrompt, []ToolCall{s.Host.Touch("errand.txt")}}}
}

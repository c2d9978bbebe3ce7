package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/test/executable"
)

// claudeModes is what Claude Code does in postures that TestHosts does not drive, after the lines permgate
// prints for pass, allow, ask and deny (see Seen), headless: a call is refused where a person would be asked.
var claudeModes = [...]struct {
	name, mode string
	errand     *ToolCall
	ran        string
}{
	{"plan", "plan", nil, "nnnn"}, // an allow does not lift it
	{"acceptEdits", "acceptEdits", nil, "yynn"},
	{"dontAsk", "dontAsk", nil, "nynn"},
	{"auto", "auto", nil, "yynn"}, // a file in the workspace is no question for the model
	{"subagent", "default", claudeErrand(false), "nynn"},
	{"subagent in bypass", "bypassPermissions", claudeErrand(false), "yynn"},
	{"background", "default", claudeErrand(true), "nynn"},
	{"background in bypass", "bypassPermissions", claudeErrand(true), "yynn"},
	{"workflow", "default", claudeWorkflow(), "nynn"},
	{"workflow in bypass", "bypassPermissions", claudeWorkflow(), "yynn"},
}

// claudeWorkflow is the call that starts a workflow, one agent of which has the task errandPrompt.
func claudeWorkflow() *ToolCall {
	return &ToolCall{Name: "Workflow", Input: map[string]any{"script": "export const meta = {name: 'probe', description: 'probe', " +
		"phases: [{title: 'one', detail: 'one'}]}\nphase('one')\nreturn await agent('" + errandPrompt + "', {label: 'one'})"}}
}

// TestClaudeModes drives the decisions through the modes and subagents that TestHosts does not.
func TestClaudeModes(t *testing.T) {
	h := &Claude
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the probe hook is a shell script")
	}
	g := &h.Gates[0]
	for _, tt := range claudeModes {
		seen := h.Observe(t, program, g, Posture{Name: tt.name, Errand: tt.errand,
			Args: []string{"--permission-mode", tt.mode, "--allowedTools", "Workflow"}}, true, func(name string) bool { return strings.HasPrefix(name, "our") })
		got := ""
		for d := hookio.Pass; d <= hookio.Deny; d++ {
			got += seen[ourName(d)]
		}
		if got != tt.ran {
			t.Errorf("%s: pass, allow, ask, deny: %s, the table says %s", tt.name, got, tt.ran)
		}
	}
}

// TestClaudePlugin has Claude Code check the plugin of docs/plugin and run it: a call is denied by the binary it finds, in
// bypassPermissions too, and blocked without one.
func TestClaudePlugin(t *testing.T) {
	h := &Claude
	program := h.Install(t)
	if runtime.GOOS == "windows" {
		t.Skip("the plugin needs /bin/sh")
	}
	plugin := filepath.Join(t.TempDir(), "a plugin")
	if err := os.CopyFS(plugin, os.DirFS(filepath.Join("..", "..", "..", "docs", "plugin"))); err != nil {
		t.Fatal(err)
	}
	for _, what := range []string{plugin, filepath.Join(plugin, "marketplace.json"), filepath.Join(plugin, "skills")} {
		cmd := exec.Command(program[0], append(program[1:len(program):len(program)], "plugin", "validate", "--strict", what)...)
		cmd.Env = []string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("claude plugin validate %s: %v\n%s", what, err, out)
		}
	}
	writeFile(t, filepath.Join(plugin, "hooks", "release.txt"), "version 1.2.3\n")
	permgate, err := os.ReadFile(BuildPermgate(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name     string
		fetched  bool
		settings string
		ran      bool
		reason   string
	}{
		{"no binary", false, noRule, false, "permgate plugin: no permgate binary found, so this call is blocked"},
		{"deny rule", true, denyRule, false, ".gen/settings.json:1:"},
		{"no rule", true, noRule, true, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSession(t, h, h.Touch("ran.txt"))
			s.Posture = Posture{Args: []string{"--permission-mode", "bypassPermissions", "--plugin-dir", plugin}}
			s.Env = []string{"PATH=/usr/bin:/bin"}
			writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), tt.settings)
			if data := filepath.Join(s.Home, ".claude", "plugins", "data", "permgate-inline", "1.2.3", "permgate"); tt.fetched {
				executable.Write(t, data, string(permgate))
			}
			out, err := s.Run(t, program)
			if len(s.API.Results()) != 1 {
				t.Fatalf("%d tool results: %v\n%s", len(s.API.Results()), err, out)
			}
			if text := s.API.Results()[0].Text; s.Ran("ran.txt") != tt.ran || !strings.Contains(text, tt.reason) {
				t.Errorf("ran %v: %s\n%s", !tt.ran, text, out)
			}
		})
	}
}

package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestClaudePermgate registers the real binary as Claude Code's hook and checks which calls run.
func TestClaudePermgate(t *testing.T) {
	claude := Claude(t)
	hook := Hook{Command: BuildPermgate(t), Args: []string{"hook", "--host", "claude", "--event", "PreToolUse"},
		Timeout: 10, OnFailure: "block"}
	for _, tt := range []struct {
		name     string
		settings string   // the project's .gen/settings.json, which Claude Code itself does not read
		mode     string   // --permission-mode
		allow    []string // rules only Claude Code sees, by --settings
		call     ToolCall
		ran      bool
		reason   string // part of what the model is told, when it did not run
	}{
		{"allow rule", `{"permissions":{"allow":["Bash(touch:*)"]}}`, "default", nil, Touch("ran.txt"), true, ""},
		{"no rule", `{}`, "default", nil, Touch("ran.txt"), false, "no rule"},
		{"ask rule beats the host's allow", `{"permissions":{"ask":["Bash(touch:*)"]}}`, "default", []string{"Bash(touch:*)"}, Touch("ran.txt"), false, ".gen/settings.json:1:"},
		{"deny rule", `{"permissions":{"allow":["Bash(touch:*)"],"deny":["Bash(touch ran*)"]}}`, "default", nil, Touch("ran.txt"), false, ".gen/settings.json:1:"},
		{"deny rule in bypass", `{"permissions":{"deny":["Bash(touch:*)"]}}`, "bypassPermissions", nil, Touch("ran.txt"), false, ".gen/settings.json:1:"},
		{"sensitive path in bypass", `{}`, "bypassPermissions", nil, Touch(".envrc"), false, ".envrc"},
		{"allow covers only one of two", `{"permissions":{"allow":["Bash(true:*)"]}}`, "default", nil, Touch("ran.txt; true"), false, "touch ran.txt"},
		{"broken settings", `{"permissions":{"allow":["Bash(touch:*)"]}`, "default", nil, Touch("ran.txt"), false, ".gen/settings.json:1:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := NewSession(t, StartAPI(t, tt.call))
			s.Mode, s.Settings = tt.mode, Settings(hook, tt.allow...)
			writeFile(t, filepath.Join(s.Project, ".gen", "settings.json"), tt.settings)
			out, err := s.Run(t, claude)
			results := s.API.Results()
			if len(results) != 1 {
				t.Fatalf("%d tool results: %v\n%s", len(results), err, out)
			}
			t.Logf("ran %v: %.300q", s.Ran("ran.txt") || s.Ran(".envrc"), results[0].Text)
			if got := s.Ran("ran.txt") || s.Ran(".envrc"); got != tt.ran {
				t.Errorf("ran %v, want %v", got, tt.ran)
			}
			if !tt.ran && !strings.Contains(results[0].Text, tt.reason) {
				t.Errorf("the reason does not say %q: %q", tt.reason, results[0].Text)
			}
		})
	}
}

// BuildPermgate builds the binary the way a release is built.
func BuildPermgate(t testing.TB) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(t.TempDir(), "permgate")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", bin, ".")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("permgate does not build: %v\n%s", err, out)
	}
	return bin
}

func writeFile(t testing.TB, path, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

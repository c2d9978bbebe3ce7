package hosttest

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// TestClaudeManaged: hooks of managed settings hear nothing more of a call that was refused before it ran, no matter
// who refused it; what ran they hear of. Releases before 2.1.328 sent PostToolUse for a refused call, too.
func TestClaudeManaged(t *testing.T) {
	program := Claude.Install(t)
	if err := exec.Command("unshare", "--mount", "true").Run(); err != nil {
		t.Skipf("the folder of managed settings cannot be replaced: %v", err)
	}
	s := NewSession(t, &Claude, Claude.Touch("ran.txt"), Claude.Shell("sh -c 'touch asked.txt'"), Claude.Touch("denied.txt"))
	s.Posture = Posture{Args: []string{"--permission-mode", "default", "--allowedTools", "Bash(touch:*)", "--disallowedTools", "Bash(touch denied.txt)"}}
	etc, dir := t.TempDir(), t.TempDir()
	var hooks []Hook
	for _, e := range []string{"PreToolUse", "PostToolUse", "PostToolUseFailure", "PermissionDenied"} {
		hooks = append(hooks, Hook{Event: e, Command: writeRecorder(t, dir) + " " + e, Timeout: 10})
	}
	writeFile(t, filepath.Join(etc, "claude-code", "managed-settings.json"), jsonText(map[string]any{"hooks": nestedHooks(hooks, 1, "")}))
	mount := "mount -t overlay -o lowerdir=" + etc + ":/etc overlay /etc && exec \"$@\""
	out, err := s.Run(t, append([]string{"/usr/bin/unshare", "--mount", "/bin/sh", "-c", mount, "sh"}, program...))
	var got []string
	for _, x := range readSent(t, dir, s) {
		if in, _ := x.body["tool_input"].(map[string]any); in != nil {
			command, _ := in["command"].(string)
			got = append(got, x.event+" "+command)
		}
		t.Log(x.raw)
	}
	want := []string{"PreToolUse touch ran.txt", "PostToolUse touch ran.txt", "PreToolUse sh -c 'touch asked.txt'", "PreToolUse touch denied.txt"}
	if !slices.Equal(got, want) {
		t.Errorf("%q: %v\n%s", got, err, out)
	}
}

package hosts

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// TestStartKilled: a hook that the system kills is told from one that fails, with and without a shell in between.
func TestStartKilled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no signals")
	}
	const kill = "kill -KILL $$"
	for _, c := range []struct {
		argv   []string
		killed bool
	}{
		{[]string{"/bin/sh", "-c", kill}, true},
		{[]string{"/bin/sh", "-c", "/bin/sh -c '" + kill + "'; exit $?"}, true},
		{[]string{"/bin/sh", "-c", "exit 2"}, false},
	} {
		_, code, err := start(c.argv, os.TempDir(), "", nil)
		if err != nil || killed(code) != c.killed {
			t.Errorf("%q: exit code %d, %v", c.argv, code, err)
		}
	}
}

// TestProgramOn: a program is found as the system finds it: on Windows by PATHEXT, so that of what npm puts there it is the .cmd.
func TestProgramOn(t *testing.T) {
	dir, empty := t.TempDir(), t.TempDir()
	for _, name := range [...]string{"agent", "agent.cmd", "agent.ps1", "other.ps1", "plain"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(empty, "agent"), nil, 0o644); err != nil { // not executable
		t.Fatal(err)
	}
	want := map[string]string{"agent": "agent", "plain": "plain", "other": "", "": ""}
	if runtime.GOOS == "windows" {
		want = map[string]string{"agent": "agent.cmd", "plain": "", "other": "", "": ""}
	}
	list := string(filepath.ListSeparator)
	for name, file := range want {
		if file != "" {
			file = filepath.Join(dir, file)
		}
		if got := programOn(list+empty+list+dir, name); got != file {
			t.Errorf("%q: %q instead of %q", name, got, file)
		}
	}
}

package subcmd

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
)

// TestProgram: a program is found as the system finds it: on Windows by PATHEXT, so that of what npm puts there it is the .cmd.
func TestProgram(t *testing.T) {
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
		e := &Env{World: gate.World{Getenv: func(string) string { return list + empty + list + dir }}}
		if _, got := e.Program(&hookio.Host{Register: &hookio.Registration{Programs: []string{name}}}); got != file {
			t.Errorf("%q: %q instead of %q", name, got, file)
		}
	}
}

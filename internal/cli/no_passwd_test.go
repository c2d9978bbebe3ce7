package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
)

// TestNoPasswdEntry: where a user has none, as in a container started with some number, install says what to do, and
// trust does not name an option that it does not have. Nor does it end well with a hook that cannot be started.
func TestNoPasswdEntry(t *testing.T) {
	l := newLogRun(t, nil)
	exe := filepath.Join(l.dir, "bin", "permgate")
	writeFile(t, exe, "")
	l.e.World.Exe = func() (string, error) { return exe, nil }
	l.e.World.Cwd = filepath.Join(l.dir, "app")
	l.e.World.PasswdHome, l.e.World.UID = "", 4242
	out, errs, code := l.run("install", "--host", "claude", "--yes")
	want := "user 4242 has no passwd entry, so your own rules do not count and every call asks: permgate trust --home "
	_, last, _ := strings.Cut(out, "to undo: ")
	if words := strings.Join(strings.Fields(last), " "); code != subcmd.ExitFindings || !strings.Contains(words, want) ||
		!strings.Contains(words, "fail claude: PreToolUse (") || !strings.Contains(words, exe+" is not executable; fix: permgate doctor") {
		t.Error(out, errs, code)
	}
	_, errs, code = l.run("trust", "--folder", l.dir, "--yes")
	if code == subcmd.ExitOK || !strings.Contains(errs, "hint: permgate trust --home ") {
		t.Error(errs, code)
	}
}

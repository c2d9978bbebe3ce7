package gate

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

// TestLogDir: a project that sets the hook's environment cannot have the log
// written where it likes.
func TestLogDir(t *testing.T) {
	dir := t.TempDir()
	home, app, state, open := filepath.Join(dir, "home"), filepath.Join(dir, "home", "app"), filepath.Join(dir, "state"), filepath.Join(dir, "open")
	for _, d := range []string{filepath.Join(app, ".git"), state, open, filepath.Join(app, "home")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	os.Chmod(open, 0o777)
	noLink := os.Symlink(app, filepath.Join(dir, "link"))
	usual := filepath.Join(home, ".local", "state", "permgate")
	for _, c := range []struct{ name, state, xdg, home, want string }{
		{"nothing set", "", "", home, usual},
		{"--state", "/x", state, home, "/x"},
		{"XDG_STATE_HOME", "", state, home, filepath.Join(state, "permgate")},
		{"XDG_STATE_HOME that is not there yet", "", filepath.Join(state, "a", "b"), home, filepath.Join(state, "a", "b", "permgate")},
		{"relative", "", "state", home, usual},
		{"in the project", "", filepath.Join(app, "state"), home, usual},
		{"in the project, by a link", "", filepath.Join(dir, "link", "state"), home, usual},
		{"below what everybody may write to", "", filepath.Join(open, "a"), home, usual},
		{"a device", "", os.DevNull, home, usual},
		{"HOME in the project", "", "", filepath.Join(app, "home"), usual},
	} {
		if noLink != nil && strings.HasSuffix(c.name, "by a link") || runtime.GOOS == "windows" && strings.HasSuffix(c.name, "everybody may write to") {
			continue // there is no such link or folder
		}
		env := map[string]string{"XDG_STATE_HOME": c.xdg, "HOME": c.home}
		w := World{Getenv: func(k string) string { return env[k] }, Cwd: app, PasswdHome: home, UID: disk.UID(),
			OS: rules.NativeOS(), Files: disk.Disk{}, ManagedDir: []string{filepath.Join(dir, "none")}}
		f := &Flags{State: c.state}
		call := hookio.Unread(hookio.Options{})
		for _, p := range []*rules.Policy{Policy(call, f, w), nil} {
			if got := LogDir(f, w, p); got != c.want {
				t.Errorf("%s (policy: %v): %s, want %s", c.name, p != nil, got, c.want)
			}
		}
	}
}

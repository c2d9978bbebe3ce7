package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestTrustedWriters has processes add rules to one file of a project that has
// to be trusted, while others read what is trusted of it. What permgate wrote
// stays trusted, no matter who came last.
func TestTrustedWriters(t *testing.T) {
	skipShort(t)
	if runtime.GOOS == "windows" {
		t.Skip("folders cannot be locked there: who comes too late is told so")
	}
	writers := testenv.Count(t, 8, 60, 60)
	r := newReadme(t, `{"permissions": {"deny": ["Bash(rm:*)"]}}`)
	// for whatever program calls, so that every writer, too, looks whether the file is trusted
	user := filepath.Join(r.home, ".gen")
	if err := os.MkdirAll(user, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(user, "permgate.json"), []byte(`{"projectTrust": "require"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmds := make([]*exec.Cmd, writers)
	outs := make([]strings.Builder, writers)
	for i := range cmds {
		cmds[i] = exec.Command(filepath.Join(r.path, "permgate"), "allow", "--scope", "shared", "--yes", fmt.Sprintf("make t%d", i))
		cmds[i].Dir, cmds[i].Env = r.app, r.env()
		cmds[i].Stdout, cmds[i].Stderr = &outs[i], &outs[i]
	}
	executable.Turns(cmds, func(i int, err error) {
		if err != nil || strings.Contains(outs[i].String(), "trusted") {
			t.Errorf("%d: %v\n%s", i, err, outs[i].String())
		}
	})
	if out := r.run("permgate trust --list", ""); !strings.Contains(out, "\ntrusted  .gen/settings.json ") {
		t.Error(out)
	}
	for i := range writers {
		if out := r.run(fmt.Sprintf("permgate check make t%d", i), ""); !strings.HasPrefix(out, "allow") {
			t.Errorf("%d: %s", i, out)
		}
	}
}

package gitindex

import (
	"encoding/hex"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// TestRoot: an index says which tree it makes after a commit, and no more once something is staged.
func TestRoot(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	git := func(args ...string) string { return testenv.Git(t, dir, dir, args...) }
	write := func(name string) {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	index := func() []byte {
		data, err := os.ReadFile(filepath.Join(dir, ".git/index"))
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	write("a")
	write("b/c")
	git("init", "-q")
	git("add", ".")
	if id := Root(index(), 20); id != nil {
		t.Errorf("before the commit: %x", id)
	}
	git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
	data, want := index(), git("rev-parse", "HEAD^{tree}")
	if got := hex.EncodeToString(Root(data, 20)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for n := range data {
		if id := Root(data[:n], 20); id != nil && hex.EncodeToString(id) != want {
			t.Errorf("the first %d bytes: %x", n, id)
		}
	}
	write("b/d")
	git("add", "b/d")
	if id := Root(index(), 20); id != nil {
		t.Errorf("with something staged: %x", id)
	}
}

//go:build unix

package edit

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestOwner checks that a file of a user stays the user's when root changes it,
// and that what root adds to the user's folders is the user's too.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root changes files of others")
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(file, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, uid := range map[string]int{file: 1234, dir: 1235} {
		if err := os.Chown(name, uid, uid); err != nil {
			t.Skip(err)
		}
	}
	added := filepath.Join(dir, "sub", "new.json")
	bak := Backup(file, time.Unix(0, 0))
	if err := Replace(file, []byte("old"), []byte("new"), 0o600, bak); err != nil {
		t.Fatal(err)
	}
	if err := Replace(added, nil, []byte("new"), 0o600, ""); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]uint32{file: 1234, bak: 1234, filepath.Dir(added): 1235, added: 1235} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if st := info.Sys().(*syscall.Stat_t); st.Uid != want || st.Gid != want {
			t.Errorf("%s belongs to %d:%d, want %d", name, st.Uid, st.Gid, want)
		}
	}
}

//go:build unix

package disk

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A pipe without a writer must be refused, not waited for.
func TestPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o644); err != nil {
		t.Skip(err)
	}
	if _, err := (Disk{}).ReadFile(name, 100); err == nil || !strings.Contains(err.Error(), "a pipe") {
		t.Errorf("%v", err)
	}
	if _, err := (Disk{}).ReadDir(name); err == nil {
		t.Error("a pipe is read as a directory")
	}
}

func TestDevice(t *testing.T) {
	if _, err := (Disk{}).ReadFile("/dev/null", 100); err == nil || !strings.Contains(err.Error(), "a device") {
		t.Errorf("%v", err)
	}
}

func TestOwner(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	write(t, name, "")
	for _, c := range []struct {
		mode   os.FileMode
		others bool
	}{{0o644, false}, {0o600, false}, {0o646, true}, {0o666, true}} {
		if err := os.Chmod(name, c.mode); err != nil {
			t.Fatal(err)
		}
		info, err := Disk{}.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if uid, ok := (Disk{}).Owner(info); uid != os.Getuid() || !ok {
			t.Errorf("owner %d, %v", uid, ok)
		}
		if got := (Disk{}).OthersWrite(info); got != c.others {
			t.Errorf("%v: others write %v", c.mode, got)
		}
	}
	os.Chmod(name, 0o664)
	info, _ := Disk{}.Lstat(name)
	st := info.Sys().(*syscall.Stat_t)
	if got := (Disk{}).OthersWrite(info); got != (st.Uid != st.Gid) {
		t.Errorf("writable by group %d, owner %d: %v", st.Gid, st.Uid, got)
	}
}

package state

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// TestFullDisk: what was granted stays as it was when nothing more can be written.
func TestFullDisk(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "permgate")
	os.Mkdir(dir, 0o700)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k,mode=0700"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	if _, err := store(dir).Update("s1", "/work", edits); err != nil {
		t.Fatal(err)
	}
	filler := filepath.Join(dir, "filler")
	os.WriteFile(filler, make([]byte, 12<<10), 0o600)
	bash := func(s *Session) error { s.AllBash = true; return nil }
	if _, err := store(dir).Update("s1", "/work", bash); err == nil || !strings.Contains(err.Error(), "no space left") {
		t.Errorf("%v", err)
	}
	if s, _, err := store(dir).Read("s1"); err != nil || !s.AllEdits || s.AllBash {
		t.Errorf("%+v %v", s, err)
	}
	onlyFiles(t, dir, "session-s1.json", lockName, "filler")
	os.Remove(filler)
	if s, err := store(dir).Update("s1", "/work", bash); err != nil || !s.AllEdits || !s.AllBash {
		t.Errorf("%+v %v", s, err)
	}
}

// TestStopped: who waits for a process that holds the lock and does not go on is told so.
func TestStopped(t *testing.T) {
	defer func(was time.Duration) { patience = was }(patience)
	patience = 50 * time.Millisecond
	dir := filepath.Join(t.TempDir(), "permgate")
	os.Mkdir(dir, 0o700)
	unlock, err := lockedfile.MutexAt(filepath.Join(dir, lockName)).Lock()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store(dir).Update("s1", "/work", edits); err == nil || !strings.Contains(err.Error(), "another permgate has been changing session grants for 50ms") {
		t.Errorf("%v", err)
	}
	unlock()
	if _, err := store(dir).Update("s1", "/work", edits); err != nil {
		t.Error(err)
	}
}

//go:build unix

package log

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestOtherNames puts a file of the user's under the names of the log: nothing
// may be written to it, and nothing of it lost.
func TestOtherNames(t *testing.T) {
	for _, name := range []string{Name, errorName} {
		dir := t.TempDir()
		own := filepath.Join(dir, "rc")
		if err := os.WriteFile(own, []byte("alias x=y\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		w := &Writer{Dir: filepath.Join(dir, "state")}
		if err := os.Mkdir(w.Dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Link(own, filepath.Join(w.Dir, name)); err != nil {
			t.Skip(err)
		}
		err := w.Write(numbered("a", 1))
		if name == Name && (err == nil || !strings.Contains(err.Error(), "hard link")) {
			t.Errorf("%s: %v", name, err)
		}
		w.KeepError(errors.New("something"))
		info, _ := os.Stat(own)
		if data, _ := os.ReadFile(own); string(data) != "alias x=y\n" || info.Mode().Perm() != 0o644 {
			t.Errorf("%s: the file of another name holds %q, mode %o", name, data, info.Mode().Perm())
		}
	}
}

// TestPipeForError: noting an error waits for no one.
func TestPipeForError(t *testing.T) {
	w := &Writer{Dir: t.TempDir()}
	if err := syscall.Mkfifo(filepath.Join(w.Dir, errorName), 0o600); err != nil {
		t.Skip(err)
	}
	done := make(chan struct{})
	go func() { w.KeepError(errors.New("something")); close(done) }()
	<-done // else the time-out of go test shows where it waits for a reader
}

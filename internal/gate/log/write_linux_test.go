package log

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	w := Writer{Dir: dir}
	if err := w.Write(numbered("a", 1)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{"": 0o700, Name: 0o600} {
		if info, err := os.Stat(filepath.Join(dir, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%q: %v, %v", name, info.Mode(), err)
		}
	}
	os.Chmod(filepath.Join(dir, Name), 0o644)
	w.Write(numbered("a", 1))
	if info, _ := os.Stat(filepath.Join(dir, Name)); info.Mode().Perm() != 0o600 {
		t.Errorf("%v", info.Mode())
	}
}

// TestPipe: a pipe without a reader must not be waited for.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, Name), 0o600); err != nil {
		t.Skip(err)
	}
	if err := (&Writer{Dir: dir}).Write(numbered("a", 1)); err == nil || !strings.Contains(err.Error(), "regular") {
		t.Errorf("%v", err)
	}
}

// TestFullDisk fills a file system of a few pages.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=16k"); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	w := Writer{Dir: dir}
	var err error
	written := 0
	for ; err == nil && written < 100; written++ {
		err = w.Write(numbered("a", written))
	}
	if err == nil || !strings.Contains(err.Error(), "no space") && !strings.Contains(err.Error(), "full") {
		t.Fatalf("%v", err)
	}
	if Check(dir) == nil {
		t.Error("Check finds nothing")
	}
	if when, _ := LastError(dir); when.IsZero() {
		t.Error("the error is forgotten")
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=256k"); err != nil {
		t.Skip(err)
	}
	if err := w.Write(numbered("b", 1)); err != nil {
		t.Fatal(err)
	}
	got, skipped := read(t, dir)
	if len(got) != written || got["b/1"] != 1 || skipped > 1 {
		t.Errorf("%d records of %d, %d lines skipped", len(got), written, skipped)
	}
}

// TestReadOnly: the folder may not be written to.
func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_RDONLY, ""); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	defer syscall.Unmount(dir, syscall.MNT_DETACH)
	if err := (&Writer{Dir: dir}).Write(numbered("a", 1)); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("%v", err)
	}
	if Check(dir) == nil {
		t.Error("Check finds nothing")
	}
}

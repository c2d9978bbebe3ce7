package edit

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestRewrite: the file under the name is another one afterwards and looks like the old,
// also through a link; what is not to be touched is not.
func TestRewrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and links")
	}
	text, then := bytes.Repeat([]byte("permgate"), 300_000), time.Unix(1_700_000_000, 0)
	for _, tt := range []struct {
		name string
		mode os.FileMode
		done bool
	}{
		{"a program", 0o755, true},
		{"of one user", 0o700, true},
		{"read-only", 0o555, false},
		{"with a special mode", 0o755 | os.ModeSetuid, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			name, link := filepath.Join(dir, "permgate"), filepath.Join(t.TempDir(), "permgate")
			if err := os.WriteFile(name, text, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(name, tt.mode); err != nil {
				t.Fatal(err)
			}
			if err := os.Chtimes(name, then, then); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(name, link); err != nil {
				t.Fatal(err)
			}
			before, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if err := Rewrite(link); (err == nil) != tt.done {
				t.Error(err)
			}
			after, err := os.Stat(name)
			if err != nil {
				t.Fatal(err)
			}
			if os.SameFile(before, after) == tt.done || after.Mode() != tt.mode || !after.ModTime().Equal(then) {
				t.Errorf("same file: %v, %v, %v", os.SameFile(before, after), after.Mode(), after.ModTime())
			}
			if now, err := os.ReadFile(link); err != nil || !bytes.Equal(now, text) {
				t.Errorf("%d bytes, %v", len(now), err)
			}
			if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
				t.Errorf("left in the folder: %v, %v", list, err)
			}
		})
	}
	if err := Rewrite(t.TempDir()); err == nil {
		t.Error("a folder was rewritten")
	}
}

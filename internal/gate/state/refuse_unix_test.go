//go:build unix

package state

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRefused: nothing is written where somebody else could have put folder or
// file, and nothing through a link.
func TestRefused(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		arrange    func(t *testing.T, dir, victim string)
	}{
		{"folder is a link", "is a symlink", func(t *testing.T, dir, victim string) {
			real := filepath.Join(filepath.Dir(dir), "real")
			os.Mkdir(real, 0o700)
			os.Symlink(real, dir)
		}},
		{"folder is a file", "is not a folder", func(t *testing.T, dir, victim string) { os.WriteFile(dir, nil, 0o600) }},
		{"folder of everybody", "others can write to it", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.Chmod(dir, 0o777)
		}},
		{"folder of another user", "belongs to another user", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			if os.Chown(dir, 12345, -1) != nil {
				t.Skip("only root can give a folder away")
			}
		}},
		{"file is a link", "is a symlink", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.Symlink(victim, File(dir, "s1"))
		}},
		{"file is a dangling link", "is a symlink", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.Symlink(victim+"-none", File(dir, "s1"))
		}},
		{"file is a folder", "is not a regular file", func(t *testing.T, dir, victim string) { os.MkdirAll(File(dir, "s1"), 0o700) }},
		{"file is a pipe", "is not a regular file", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			if err := syscall.Mkfifo(File(dir, "s1"), 0o600); err != nil {
				t.Skip(err)
			}
		}},
		{"file of everybody", "others can write to it", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.WriteFile(File(dir, "s1"), []byte(`{}`), 0o600)
			os.Chmod(File(dir, "s1"), 0o666)
		}},
		{"file of another user", "belongs to another user", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.WriteFile(File(dir, "s1"), []byte(`{}`), 0o600)
			if os.Chown(File(dir, "s1"), 12345, -1) != nil {
				t.Skip("only root can give a file away")
			}
		}},
		{"file is torn", "is not JSON", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.WriteFile(File(dir, "s1"), []byte(`{"project":`), 0o600)
		}},
		{"lock is a link", "session.lock: is a symlink", func(t *testing.T, dir, victim string) {
			os.Mkdir(dir, 0o700)
			os.Symlink(victim+"-none", filepath.Join(dir, lockName))
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			top := t.TempDir()
			dir, victim := filepath.Join(top, "permgate"), filepath.Join(top, "victim")
			if err := os.WriteFile(victim, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			tt.arrange(t, dir, victim)
			if _, err := store(dir).Update("s1", "/work", edits); err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), dir) {
				t.Errorf("%v, want %q", err, tt.want)
			}
			if text, _ := os.ReadFile(victim); string(text) != "mine" {
				t.Errorf("the victim holds %q", text)
			}
			if _, err := os.Lstat(victim + "-none"); err == nil {
				t.Error("a file was made behind a link")
			}
		})
	}
}

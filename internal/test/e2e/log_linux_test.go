package e2e

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func mkfifo(name string) error { return syscall.Mkfifo(name, 0o600) }

// fill puts a full file system of a few pages in the place of a folder.
func fill(t *testing.T, dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=8k"); err != nil {
		return err
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	os.WriteFile(filepath.Join(dir, "filler"), make([]byte, 64<<10), 0o600)
	return nil
}

func readOnly(t *testing.T, dir string) error {
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_RDONLY, ""); err != nil {
		return err
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
	return nil
}

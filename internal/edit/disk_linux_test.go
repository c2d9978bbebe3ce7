package edit

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"
)

// refused tries an edit that must fail, say why, and change nothing in the folder.
func refused(t *testing.T, name, want string) {
	t.Helper()
	before := snapshot(name)
	_, err := editOnce(name)
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("got %v, want %q", err, want)
	}
	if after := snapshot(name); after != before {
		t.Errorf("the folder held\n%s\nand now\n%s", before, after)
	}
}

// snapshot is what a folder holds, and what is in a file of it.
func snapshot(name string) string {
	var b strings.Builder
	entries, _ := os.ReadDir(filepath.Dir(name))
	for _, e := range entries {
		b.WriteString(e.Name() + " " + e.Type().String() + "\n")
	}
	if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
		text, _ := os.ReadFile(name)
		b.Write(text)
	}
	return b.String()
}

func settings(t *testing.T, dir string) string {
	t.Helper()
	name := filepath.Join(dir, "settings.json")
	if err := os.WriteFile(name, []byte(numbered(0)), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// tmpfs mounts a small file system on a folder.
func tmpfs(t *testing.T, dir string, flags uintptr, options string) {
	t.Helper()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", flags, options); err != nil {
		t.Skip("no file system can be mounted here: ", err)
	}
	t.Cleanup(func() { syscall.Unmount(dir, syscall.MNT_DETACH) })
}

// TestFullDisk: a file system of a few pages, filled up to less than the file
// takes; with room again the edit works.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	tmpfs(t, dir, 0, "size=16k")
	name := settings(t, dir)
	filler := filepath.Join(dir, "filler")
	os.WriteFile(filler, make([]byte, 12<<10), 0o600)
	refused(t, name, "no space left on device")
	os.Remove(filler)
	if n, err := editOnce(name); n != 1 || err != nil {
		t.Errorf("%d %v", n, err)
	}
}

func TestReadOnlyDisk(t *testing.T) {
	dir := t.TempDir()
	tmpfs(t, dir, 0, "size=64k")
	name := settings(t, dir)
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip(err)
	}
	refused(t, name, "read-only file system")
}

func TestImmutable(t *testing.T) {
	name := settings(t, t.TempDir())
	if out, err := exec.Command("chattr", "+i", name).CombinedOutput(); err != nil {
		t.Skipf("no file can be made immutable here: %v %s", err, out)
	}
	t.Cleanup(func() { exec.Command("chattr", "-i", name).Run() })
	refused(t, name, "operation not permitted")
}

// TestReadOnlyFolder is about a user who may read the folder and not write to it.
func TestReadOnlyFolder(t *testing.T) {
	top := t.TempDir()
	os.Chmod(filepath.Dir(top), 0o755)
	dir := filepath.Join(top, "etc")
	os.Mkdir(dir, 0o755)
	name := settings(t, dir)
	os.Chmod(name, 0o666)
	os.Chmod(dir, 0o555)
	t.Cleanup(func() { os.Chmod(dir, 0o755) })
	asNobody(t, func() { refused(t, name, tmpPrefix) })
}

// TestReadOnlyFile is about a file its owner made read-only: to be replaced it
// would not have to be writable, root could even write to it.
func TestReadOnlyFile(t *testing.T) {
	name := settings(t, t.TempDir())
	os.Chmod(name, 0o444)
	refused(t, name, "read-only (mode 0444): permission denied")
	if err := Remove(name, []byte(numbered(0))); err == nil || !exists(name) {
		t.Errorf("removed: %v", err)
	}
}

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// asNobody runs f without root's rights over files, for a user who has them.
func asNobody(t *testing.T, f func()) {
	if os.Geteuid() != 0 {
		f()
		return
	}
	done := make(chan bool)
	go func() {
		defer close(done)
		runtime.LockOSThread() // and the thread ends with the goroutine
		syscall.RawSyscall(syscall.SYS_SETFSUID, 65534, 0, 0)
		f()
	}()
	<-done
}

// TestNoFile: what is no file is refused, and so is a link that leads nowhere.
func TestNoFile(t *testing.T) {
	for _, tt := range []struct {
		name, want string
		arrange    func(name string) error
	}{
		{"folder", "not a regular file", func(name string) error { return os.Mkdir(name, 0o700) }},
		{"pipe", "not a regular file", func(name string) error { return syscall.Mkfifo(name, 0o600) }},
		{"device", "not a regular file", func(name string) error { return os.Symlink("/dev/null", name) }},
		{"dangling link", "whose folder does not exist", func(name string) error { return os.Symlink("gone/settings.json", name) }},
		{"loop", "too many levels of symbolic links", func(name string) error { return os.Symlink(filepath.Base(name), name) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "settings.json")
			if err := tt.arrange(name); err != nil {
				t.Skip(err)
			}
			refused(t, name, tt.want)
		})
	}
}

// TestHeld: an edit waits for the holder of the folder, then goes on. One that waits for a process that does not
// go on is told so, and changes nothing.
func TestHeld(t *testing.T) {
	was := patience
	defer func() { patience = was }()
	dir := t.TempDir()
	name := settings(t, dir)
	unlock, err := lockDir(dir)
	if err != nil {
		t.Skip("no lock: ", err)
	}
	patience = 50 * time.Millisecond
	refused(t, name, "another permgate has been changing files there for 50ms")
	patience = was
	done := make(chan error)
	go func() {
		_, err := editOnce(name)
		done <- err
	}()
	time.Sleep(50 * time.Millisecond) // for the edit to wait, which it mostly does then
	unlock()
	if err := <-done; err != nil {
		t.Error(err)
	}
	if got := number(must(os.ReadFile(name))); got != 1 {
		t.Errorf("edit %d", got)
	}
}

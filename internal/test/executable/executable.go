// Package executable writes programs that tests run.
//
// A program cannot be started while a process has it open for writing. A process that another goroutine starts
// has every descriptor of ours until its exec is over, so a test that runs in parallel keeps a file open that
// was closed here, and running it fails with "text file busy" (https://go.dev/issue/22315). Waiting for the
// fork lock after the file is closed is not enough: the lock is free before exec has closed what it closes.
package executable

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// Write writes a program, which anybody may run, and the folders it needs.
func Write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
}

// WriteFile is os.WriteFile for a program: it can be started as soon as it is written, because no process is
// started while the file is open.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	return os.WriteFile(name, data, perm)
}

// Turns starts programs, no more than a few at a time, waits for all, and calls done with how each ended. One that
// waits for a lock, or for a processor, then waits for the work of few others, however slow the machine is.
func Turns(cmds []*exec.Cmd, done func(i int, err error)) {
	const atOnce = 8
	errs, slots := make([]error, len(cmds)), make(chan bool, atOnce)
	for i, cmd := range cmds {
		slots <- true
		go func() {
			errs[i] = cmd.Run()
			<-slots
		}()
	}
	for range atOnce {
		slots <- true
	}
	for i, err := range errs {
		done(i, err)
	}
}

// Renew writes the scripts below dir again, as other files: they can be started, no matter who wrote them.
func Renew(dir string) error {
	return filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil || !bytes.HasPrefix(text, []byte("#!")) {
			return err
		}
		info, err := d.Info()
		if err == nil {
			err = os.Remove(name)
		}
		if err == nil {
			err = WriteFile(name, text, info.Mode().Perm())
		}
		return err
	})
}

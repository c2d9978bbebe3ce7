//go:build !(linux || darwin || freebsd || netbsd || openbsd || dragonfly)

package log

import (
	"errors"
	"os"
	"time"
)

// A file is the log, open for appending.
type file struct{ f *os.File }

// openLog opens the log, or makes it. A symlink in its place is an error.
func openLog(name string) (file, error) {
	if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return file{}, &os.PathError{Op: "open", Path: name, Err: errors.New("is a symlink")}
	}
	f, err := os.OpenFile(name, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	return file{f}, err
}

// check returns the size of a file that may be written to: a regular one.
func (f file) check() (size int64, err error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("is not a regular file")
	}
	return info.Size(), nil
}

// endsLine reports whether the byte before size is a newline.
func (f file) endsLine(size int64) bool {
	var b [1]byte
	n, err := f.f.ReadAt(b[:], size-1)
	return err == nil && n == 1 && b[0] == '\n'
}

// openCounts opens the file of counts, for writing in place.
func openCounts(name string, create bool) (file, error) {
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return file{}, &os.PathError{Op: "open", Path: name, Err: errors.New("is not a regular file")}
	}
	flags := os.O_RDWR
	if create {
		flags |= os.O_CREATE
	}
	f, err := os.OpenFile(name, flags, 0o600)
	return file{f}, err
}

// readAt reports whether it could fill b.
func (f file) readAt(b []byte, at int64) bool {
	n, err := f.f.ReadAt(b, at)
	return err == nil && n == len(b)
}

func (f file) writeAt(b []byte, at int64) { f.f.WriteAt(b, at) }

func (f file) write(line []byte) (int, error) { return f.f.Write(line) }

// empty cuts a file to nothing.
func (f file) empty() error { return f.f.Truncate(0) }

func (f file) close() {
	if f.f != nil {
		f.f.Close()
	}
}

// is reports whether f is the file that bears a name.
func (f file) is(name string) bool {
	a, err := f.f.Stat()
	if err != nil {
		return false
	}
	b, err := os.Lstat(name)
	return err == nil && os.SameFile(a, b)
}

// stale is how old a lock file of a process that died may get.
const stale = 10 * time.Second

// lock makes a file that must not be there yet, without waiting.
func lock(name string) (unlock func(), ok bool) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		if info, err := os.Lstat(name); err == nil && time.Since(info.ModTime()) > stale {
			os.Remove(name)
		}
		return nil, false
	}
	f.Close()
	return func() { os.Remove(name) }, true
}

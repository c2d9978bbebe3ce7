package log

import (
	"errors"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/windows"
)

// A file is the log, open for appending.
type file struct{ f *os.File }

// openLog opens the log, or makes it. A symlink in its place is an error.
func openLog(name string) (file, error) {
	if info, err := os.Lstat(name); err == nil && info.Mode()&os.ModeSymlink != 0 {
		return file{}, &os.PathError{Op: "open", Path: name, Err: errors.New("is a symlink")}
	}
	f, err := openShared(name, os.O_RDWR|os.O_APPEND|os.O_CREATE)
	return file{f}, err
}

// openShared opens a file that others may rename and remove meanwhile, which os.OpenFile does not let them.
func openShared(name string, flags int) (*os.File, error) {
	dir, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	return dir.OpenFile(filepath.Base(name), flags, 0o600)
}

// openRead opens a file for reading.
func openRead(name string) (*os.File, error) { return openShared(name, os.O_RDONLY) }

// check returns the size of a file that may be written to: a regular one with one name.
func (f file) check() (size int64, err error) {
	info, err := f.f.Stat()
	if err != nil {
		return 0, err
	}
	if !info.Mode().IsRegular() {
		return 0, errors.New("is not a regular file")
	}
	var by windows.ByHandleFileInformation
	if err := windows.GetFileInformationByHandle(windows.Handle(f.f.Fd()), &by); err != nil {
		return 0, err
	}
	if by.NumberOfLinks > 1 {
		return 0, errors.New("has more than one hard link")
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
	f, err := openShared(name, flags)
	return file{f}, err
}

// readAt reports whether it could fill b.
func (f file) readAt(b []byte, at int64) bool {
	n, err := f.f.ReadAt(b, at)
	return err == nil && n == len(b)
}

func (f file) writeAt(b []byte, at int64) { f.f.WriteAt(b, at) }

// write appends a line. That is one step on a local disk, and may be two on a network's: others wait meanwhile.
func (f file) write(line []byte) (int, error) {
	defer f.turn()()
	return f.f.Write(line)
}

// turnPatience is how long others are waited for. Each writes one line, unless it was stopped.
const turnPatience = time.Second

// turn waits for a lock on a byte far beyond the text, which ends with the process.
func (f file) turn() (unlock func()) {
	h, at := windows.Handle(f.f.Fd()), &windows.Overlapped{OffsetHigh: 1 << 30}
	got := make(chan error, 1)
	go func() { got <- windows.LockFileEx(h, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, at) }()
	select {
	case err := <-got:
		if err == nil {
			return func() { windows.UnlockFileEx(h, 0, 1, 0, at) }
		}
	case <-time.After(turnPatience):
	}
	return func() {}
}

// empty cuts a file to nothing: by its name, for this handle can only append.
func (f file) empty() error { return os.Truncate(f.f.Name(), 0) }

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

// lock takes a lock that ends with the process, without waiting.
func lock(name string) (unlock func(), ok bool) {
	f, err := openShared(name, os.O_RDWR|os.O_CREATE)
	if err != nil {
		return nil, false
	}
	const how = windows.LOCKFILE_EXCLUSIVE_LOCK | windows.LOCKFILE_FAIL_IMMEDIATELY
	if err := windows.LockFileEx(windows.Handle(f.Fd()), how, 0, 1, 0, new(windows.Overlapped)); err != nil {
		f.Close()
		return nil, false
	}
	return func() { f.Close() }, true
}

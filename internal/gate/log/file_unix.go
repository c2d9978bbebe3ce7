//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package log

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// A file is the open log. Its bare system calls save package os's poller, finalizer and five calls.
type file struct{ fd int }

// openLog opens or makes the log. A symlink in its place is an error, and a pipe does not block.
func openLog(name string) (file, error) {
	const flags = syscall.O_RDWR | syscall.O_APPEND | syscall.O_CREAT |
		syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	for {
		fd, err := syscall.Open(name, flags, 0o600)
		switch err {
		case nil:
			return file{fd}, nil
		case syscall.EINTR:
			continue
		case syscall.ELOOP:
			return file{-1}, &fs.PathError{Op: "open", Path: name, Err: errors.New("is a symlink")}
		}
		return file{-1}, &fs.PathError{Op: "open", Path: name, Err: err}
	}
}

// check returns the size of a file to write to: a regular one of the user's own with one name.
func (f file) check() (size int64, err error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(f.fd, &st); err != nil {
		return 0, err
	}
	if st.Mode&syscall.S_IFMT != syscall.S_IFREG {
		return 0, errors.New("is not a regular file")
	}
	if st.Nlink > 1 {
		return 0, errors.New("has more than one hard link")
	}
	if st.Mode&0o077 != 0 { // not as we make it: another user may have, to read along
		if int(st.Uid) != os.Geteuid() {
			return 0, errors.New("belongs to another user")
		}
		if err := syscall.Fchmod(f.fd, 0o600); err != nil {
			return 0, err
		}
	}
	return st.Size, nil
}

// endsLine reports whether the byte before size is a newline.
func (f file) endsLine(size int64) bool {
	var b [1]byte
	n, err := syscall.Pread(f.fd, b[:], size-1)
	return err == nil && n == 1 && b[0] == '\n'
}

// openCounts opens the file of counts, for writing in place.
func openCounts(name string, create bool) (file, error) {
	flags := syscall.O_RDWR | syscall.O_NOFOLLOW | syscall.O_NONBLOCK | syscall.O_CLOEXEC
	if create {
		flags |= syscall.O_CREAT
	}
	fd, err := syscall.Open(name, flags, 0o600)
	return file{fd}, err
}

// readAt reports whether it could fill b.
func (f file) readAt(b []byte, at int64) bool {
	n, err := syscall.Pread(f.fd, b, at)
	return err == nil && n == len(b)
}

func (f file) writeAt(b []byte, at int64) { syscall.Pwrite(f.fd, b, at) }

func (f file) write(line []byte) (int, error) {
	for {
		n, err := syscall.Write(f.fd, line)
		if err != syscall.EINTR {
			return max(n, 0), err
		}
	}
}

// empty cuts a file to nothing.
func (f file) empty() error { return syscall.Ftruncate(f.fd, 0) }

func (f file) close() { syscall.Close(f.fd) }

// is reports whether f is the file that bears a name.
func (f file) is(name string) bool {
	var a, b syscall.Stat_t
	return syscall.Fstat(f.fd, &a) == nil && syscall.Lstat(name, &b) == nil && a.Dev == b.Dev && a.Ino == b.Ino
}

// lock takes a lock that ends with the process, without waiting.
func lock(name string) (unlock func(), ok bool) {
	fd, err := syscall.Open(name, syscall.O_RDWR|syscall.O_CREAT|syscall.O_NOFOLLOW|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, false
	}
	if err := syscall.Flock(fd, syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		syscall.Close(fd)
		return nil, false
	}
	return func() { syscall.Close(fd) }, true
}

// openRead opens a file for reading.
func openRead(name string) (*os.File, error) { return os.Open(name) }

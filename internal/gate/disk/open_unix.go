//go:build unix

package disk

import (
	"io"
	"syscall"

	"github.com/permgate--owner/permgate/rules/load"
)

// Open opens a regular file of at most max bytes, through symlinks, to be read in parts; a pipe does not block it.
func (Disk) Open(name string, max int64) (_ load.Opened, size int64, err error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	for err == syscall.EINTR {
		fd, err = syscall.Open(name, syscall.O_RDONLY|syscall.O_NONBLOCK|syscall.O_CLOEXEC, 0)
	}
	if err != nil {
		return nil, 0, err
	}
	var st syscall.Stat_t
	switch err = syscall.Fstat(fd, &st); {
	case err == nil && st.Mode&syscall.S_IFMT != syscall.S_IFREG:
		err = ErrNotRegular
	case err == nil && st.Size > max:
		err = tooLarge(max)
	}
	if err != nil {
		syscall.Close(fd)
		return nil, 0, err
	}
	return opened(fd), st.Size, nil
}

// opened is the number of a file that is read in parts: one may be missing where the file became shorter.
type opened int

// ReadAt reads from one place on.
func (f opened) ReadAt(to []byte, from int64) (n int, err error) {
	for n < len(to) {
		got, err := syscall.Pread(int(f), to[n:], from+int64(n))
		switch {
		case err == syscall.EINTR:
			continue
		case err != nil:
			return n, err
		case got == 0:
			return n, io.EOF
		}
		n += got
	}
	return n, nil
}

// Close closes the file.
func (f opened) Close() error { return syscall.Close(int(f)) }

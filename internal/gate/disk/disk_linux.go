package disk

import (
	"io/fs"
	"path"
	"slices"
	"syscall"
	"time"
)

// A hook call asks for some forty files, most of which are not there. What package os does besides these system calls
// (poller, finalizers, errors with paths) would take a third of the whole run.

// ReadFile returns a regular file of at most max bytes, through symlinks; a pipe does not block it.
func (Disk) ReadFile(name string, max int64) ([]byte, error) {
	fd, size, err := openRegular(name)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	return bounded(func(b []byte) (int, error) {
		return again(func() (int, error) { return syscall.Read(fd, b) })
	}, size, max)
}

// openRegular is open for regular files alone.
func openRegular(name string) (fd int, size int64, err error) {
	if fd, err = open(name); err != nil {
		return fd, 0, err
	}
	var st syscall.Stat_t
	if err = syscall.Fstat(fd, &st); err == nil && !mode(st.Mode).IsRegular() {
		err = notRegular(mode(st.Mode))
	}
	if err != nil {
		syscall.Close(fd)
	}
	return fd, st.Size, err
}

// ReadDir returns the names in a directory in name order.
func (Disk) ReadDir(name string) (names []string, err error) {
	fd, err := open(name)
	if err != nil {
		return nil, err
	}
	defer syscall.Close(fd)
	for buf := make([]byte, 8<<10); ; {
		n, err := again(func() (int, error) { return syscall.ReadDirent(fd, buf) })
		if err != nil {
			return names, err
		}
		if n <= 0 {
			slices.Sort(names)
			return names, nil
		}
		if _, _, names = syscall.ParseDirent(buf[:n], -1, names); len(names) > maxNames {
			return nil, tooMany()
		}
	}
}

// open opens a file to be read; one that is a pipe does not block it.
func open(name string) (fd int, err error) {
	return again(func() (int, error) {
		return syscall.Open(name, syscall.O_RDONLY|nonBlock|syscall.O_CLOEXEC, 0)
	})
}

// again repeats a system call that a signal interrupted.
func again(f func() (int, error)) (int, error) {
	for {
		if n, err := f(); err != syscall.EINTR {
			return n, err
		}
	}
}

// Lstat describes a file without following a symlink.
func (Disk) Lstat(name string) (fs.FileInfo, error) {
	var st syscall.Stat_t
	if err := syscall.Lstat(name, &st); err != nil {
		return nil, err
	}
	return &stat{name, st}, nil
}

// Stat describes a file.
func (Disk) Stat(name string) (fs.FileInfo, error) {
	var st syscall.Stat_t
	if err := syscall.Stat(name, &st); err != nil {
		return nil, err
	}
	return &stat{name, st}, nil
}

// Inode returns the number of a file and when its content or attributes last changed.
func (Disk) Inode(info fs.FileInfo) (uint64, time.Time, bool) {
	st, ok := statOf(info)
	return st.Ino, time.Unix(st.Ctim.Unix()), ok
}

// stat is what the kernel says of a file.
type stat struct {
	name string
	st   syscall.Stat_t
}

func (s *stat) Name() string       { return path.Base(s.name) }
func (s *stat) Size() int64        { return s.st.Size }
func (s *stat) Mode() fs.FileMode  { return mode(s.st.Mode) }
func (s *stat) ModTime() time.Time { return time.Unix(s.st.Mtim.Unix()) }
func (s *stat) IsDir() bool        { return s.Mode().IsDir() }
func (s *stat) Sys() any           { return &s.st }

// mode turns the kernel's mode word into Go's.
func mode(m uint32) fs.FileMode {
	out := fs.FileMode(m & 0o777)
	switch m & syscall.S_IFMT {
	case syscall.S_IFDIR:
		out |= fs.ModeDir
	case syscall.S_IFLNK:
		out |= fs.ModeSymlink
	case syscall.S_IFIFO:
		out |= fs.ModeNamedPipe
	case syscall.S_IFSOCK:
		out |= fs.ModeSocket
	case syscall.S_IFCHR:
		out |= fs.ModeDevice | fs.ModeCharDevice
	case syscall.S_IFBLK:
		out |= fs.ModeDevice
	}
	if m&syscall.S_ISUID != 0 {
		out |= fs.ModeSetuid
	}
	if m&syscall.S_ISGID != 0 {
		out |= fs.ModeSetgid
	}
	if m&syscall.S_ISVTX != 0 {
		out |= fs.ModeSticky
	}
	return out
}

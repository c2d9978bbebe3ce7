//go:build unix

package term

import (
	"os"

	"golang.org/x/sys/unix"
)

// Closed reports whether out was closed when the process started: by now the Go runtime has put /dev/null there,
// open for reading and writing. Who opens it so wants nothing but the exit code.
func Closed(out any) bool {
	file := fileOf(out)
	if file == nil {
		return false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return true
	}
	null := false
	err = conn.Control(func(fd uintptr) {
		var own, dev unix.Stat_t
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
			return
		}
		if unix.Fstat(int(fd), &own) != nil || unix.Stat(os.DevNull, &dev) != nil {
			return
		}
		null = own.Mode&unix.S_IFMT == unix.S_IFCHR && own.Rdev == dev.Rdev
	})
	return err != nil || null
}

// Gone reports whether the pipe f has no reader left.
func Gone(f any) bool {
	file := fileOf(f)
	if file == nil {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(file.Fd())}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}

//go:build unix

package term

import (
	"golang.org/x/sys/unix"
)

// Gone reports whether nobody reads the pipe f any more, so that a program that
// waits for something to write can end before it writes.
func Gone(f any) bool {
	file := fileOf(f)
	if file == nil {
		return false
	}
	fds := []unix.PollFd{{Fd: int32(file.Fd())}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n > 0 && fds[0].Revents&(unix.POLLERR|unix.POLLHUP|unix.POLLNVAL) != 0
}

//go:build unix && !solaris && !aix

package edit

import (
	"os"
	"syscall"
	"time"
)

// lockDir keeps other processes of this program from replacing files in a
// folder until unlock is called. Where a folder cannot be locked, or is for more
// than two seconds, the caller goes on: it compares what it replaces anyway.
func lockDir(dir string) (unlock func()) {
	d, err := os.Open(dir)
	if err != nil {
		return func() {}
	}
	for range 200 {
		if err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != syscall.EWOULDBLOCK && err != syscall.EINTR {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return func() { d.Close() }
}

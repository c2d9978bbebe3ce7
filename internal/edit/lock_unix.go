//go:build unix && !solaris && !aix

package edit

import (
	"os"
	"syscall"
)

// flock waits for the lock of an open folder, which ends with the process; false where there are no locks.
func flock(d *os.File) bool {
	for {
		err := syscall.Flock(int(d.Fd()), syscall.LOCK_EX)
		if err != syscall.EINTR {
			return err == nil
		}
	}
}

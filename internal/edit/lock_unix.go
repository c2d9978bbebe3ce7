//go:build unix && !solaris && !aix

package edit

import (
	"os"
	"syscall"
)

// flock waits for the lock of an open folder, which ends with the process; nil where there are no locks.
func flock(d *os.File) (unlock func()) {
	for {
		switch syscall.Flock(int(d.Fd()), syscall.LOCK_EX) {
		case nil:
			return func() { d.Close() }
		case syscall.EINTR:
			continue
		}
		d.Close()
		return nil
	}
}

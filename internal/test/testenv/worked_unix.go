//go:build unix

package testenv

import (
	"syscall"
	"time"
)

// Worked is the time that this process has had a processor for. A test that bounds work takes this and not the clock,
// which goes on while others work.
func Worked() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

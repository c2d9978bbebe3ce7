//go:build unix

package hook

import (
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processor.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return cpuLimit
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

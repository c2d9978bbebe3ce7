//go:build unix

package hook

import (
	"os"
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

// Ignored are the signals of a write that cannot be: it returns an error instead.
var Ignored = []os.Signal{syscall.SIGPIPE, syscall.SIGXFSZ}

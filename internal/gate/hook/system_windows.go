package hook

import (
	"os"
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processor.
func cpuTime() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &made, &ended, &kernel, &user) != nil {
		return cpuLimit
	}
	return spent(kernel) + spent(user)
}

// spent is a span of time, which is no point in time: Filetime.Nanoseconds is for those.
func spent(f syscall.Filetime) time.Duration {
	return 100 * time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime))
}

// Ignored are the signals of a write that cannot be: it returns an error instead.
var Ignored = []os.Signal{syscall.SIGPIPE}

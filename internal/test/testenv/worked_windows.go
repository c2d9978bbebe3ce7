package testenv

import (
	"syscall"
	"time"
)

// Worked is the time that this process has had a processor for, as elsewhere.
func Worked() time.Duration {
	var made, ended, kernel, user syscall.Filetime
	self, err := syscall.GetCurrentProcess()
	if err != nil || syscall.GetProcessTimes(self, &made, &ended, &kernel, &user) != nil {
		return 0
	}
	span := func(f syscall.Filetime) time.Duration { // in steps of 100 ns, and no point in time
		return 100 * time.Duration(int64(f.HighDateTime)<<32|int64(f.LowDateTime))
	}
	return span(kernel) + span(user)
}

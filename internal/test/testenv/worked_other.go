//go:build !unix && !windows

package testenv

import "time"

// Worked is the time of the clock, where the time that a process has had a processor for is not asked.
func Worked() time.Duration { return time.Duration(time.Now().UnixNano()) }

//go:build !unix

package hook

import "time"

// cpuTime is what this process has used of the processor: all it may, where that is not known.
func cpuTime() time.Duration { return cpuLimit }

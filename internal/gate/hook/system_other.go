//go:build !unix && !windows

package hook

import (
	"os"
	"syscall"
	"time"
)

// cpuTime is what this process has used of the processor: all it may, where that is not known.
func cpuTime() time.Duration { return cpuLimit }

// Ignored are the signals of a write that cannot be: it returns an error instead.
var Ignored = []os.Signal{syscall.SIGPIPE}

//go:build !unix

package hook

import (
	"os"
	"syscall"
)

// Ignored are the signals of a write that cannot be: it returns an error instead.
var Ignored = []os.Signal{syscall.SIGPIPE}

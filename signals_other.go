//go:build !unix

package main

import (
	"os"
	"syscall"
)

// ignored are the signals of a write that cannot be: it returns an error instead.
var ignored = []os.Signal{syscall.SIGPIPE}

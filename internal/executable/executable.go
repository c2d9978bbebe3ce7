// Package executable writes programs that tests run.
//
// A program cannot be started while a process has it open for writing. A process that another goroutine starts
// has every descriptor of ours from fork to exec, so a test that runs in parallel keeps a file open that was
// closed here, and running it fails with "text file busy" (https://go.dev/issue/22315).
package executable

import (
	"io/fs"
	"os"
)

// WriteFile is os.WriteFile for a program: it can be started as soon as it is written.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	return os.WriteFile(name, data, perm)
}

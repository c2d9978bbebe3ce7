//go:build !unix || solaris || aix

package edit

import "os"

// flock does nothing here: folders cannot be locked.
func flock(*os.File) bool { return false }

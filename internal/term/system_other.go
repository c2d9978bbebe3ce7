//go:build !unix

package term

// Closed is not known here; the write tells.
func Closed(any) bool { return false }

// Gone is not known here; the next write tells.
func Gone(any) bool { return false }

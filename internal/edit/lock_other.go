//go:build !unix || solaris || aix

package edit

// lockDir does nothing here: folders cannot be locked.
func lockDir(string) (unlock func()) { return func() {} }

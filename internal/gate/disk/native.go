//go:build !windows

package disk

// native returns the system's spelling of a path; here there is no other.
func native(name string) string { return name }

// substituted is for the drives of Windows.
func substituted(string) string { return "" }

// canonical returns permgate's spelling of what a symlink leads to.
func canonical(_, target string) string { return target }

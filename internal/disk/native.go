//go:build !windows

package disk

// native returns the system's spelling of a path; here there is no other.
func native(name string) string { return name }

// canonical returns permgate's spelling of a path the system gave.
func canonical(name string) string { return name }

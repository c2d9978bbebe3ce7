//go:build unix

package disk

import (
	"io/fs"
	"os"
	"syscall"
)

// UID is the number of permgate's own user.
func UID() int { return os.Getuid() }

// nonBlock keeps opening a pipe from waiting for its writer.
const nonBlock = syscall.O_NONBLOCK

// statOf is what the kernel said of a file; its zero value where ok is false.
func statOf(info fs.FileInfo) (st syscall.Stat_t, ok bool) {
	p, ok := info.Sys().(*syscall.Stat_t)
	if ok {
		st = *p
	}
	return st, ok
}

// Owner returns the numeric owner of a file.
func (Disk) Owner(info fs.FileInfo) (int, bool) {
	st, ok := statOf(info)
	return int(st.Uid), ok
}

// Device returns the number of the file system a file is on.
func (Disk) Device(info fs.FileInfo) (uint64, bool) {
	st, ok := statOf(info)
	return uint64(st.Dev), ok
}

// Links returns how many names a file has.
func (Disk) Links(info fs.FileInfo) (uint64, bool) {
	st, ok := statOf(info)
	return uint64(st.Nlink), ok
}

// OthersWrite reports whether the mode bits let anybody but the owner write. A group with the user's number has no
// other member (umask 002). Access control lists are not looked at.
func (Disk) OthersWrite(info fs.FileInfo) bool {
	perm := info.Mode().Perm()
	if st, ok := statOf(info); ok && st.Gid == st.Uid {
		perm &^= 0o020
	}
	return perm&0o022 != 0
}

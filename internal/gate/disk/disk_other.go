//go:build !unix

package disk

import "io/fs"

const nonBlock = 0

// Owner is unknown here: access is not in the mode bits.
func (Disk) Owner(fs.FileInfo) (int, bool) { return 0, false }

// Device is the same for all: what is mounted in a folder is no directory to Lstat here.
func (Disk) Device(fs.FileInfo) (uint64, bool) { return 0, true }

// Links is unknown here.
func (Disk) Links(fs.FileInfo) (uint64, bool) { return 0, false }

// OthersWrite is unknown here, which counts as no.
func (Disk) OthersWrite(fs.FileInfo) bool { return false }

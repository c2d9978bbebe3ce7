package disk

import "io/fs"

// UID is no user's: a page of a browser has none.
func UID() int { return -1 }

// nonBlock is nothing: there are no pipes.
const nonBlock = 0

// Owner is unknown: there is no disk here, and the caller brings files of its own.
func (Disk) Owner(fs.FileInfo) (int, bool) { return 0, false }

// Device is unknown.
func (Disk) Device(fs.FileInfo) (uint64, bool) { return 0, false }

// Links is unknown.
func (Disk) Links(fs.FileInfo) (uint64, bool) { return 0, false }

// OthersWrite is true, as for everything that is not known to be the user's own.
func (Disk) OthersWrite(fs.FileInfo) bool { return true }

//go:build !linux && !darwin

package disk

import (
	"io/fs"
	"time"
)

// Inode is unknown here.
func (Disk) Inode(fs.FileInfo) (uint64, time.Time, bool) { return 0, time.Time{}, false }

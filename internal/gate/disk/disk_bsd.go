//go:build !linux && !windows

package disk

import (
	"io/fs"
	"os"
)

// busy is never true: see Windows.
func busy(error) bool { return false }

// Lstat describes a file without following a symlink.
func (Disk) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// Stat describes a file.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

//go:build !linux && !windows

package disk

import (
	"io/fs"
	"os"
)

// Lstat describes a file without following a symlink.
func (Disk) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// Stat describes a file.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

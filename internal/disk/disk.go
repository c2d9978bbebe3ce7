// Package disk is the operating system's file system as the settings loader
// and symlink resolution see it: bounded reads of regular files that never block.
package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"sort"
)

// Disk implements rules.Files and decide.FS.
type Disk struct{}

// ErrNotRegular is wrapped by ReadFile for pipes, devices, sockets and directories.
var ErrNotRegular = errors.New("not a regular file")

// ReadFile returns a regular file of at most max bytes. Symlinks are followed
// (dotfiles are often linked); the check is made on the open descriptor, and a
// pipe without a writer does not block.
func (Disk) ReadFile(path string, max int64) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%w but %s", ErrNotRegular, typeName(info.Mode()))
	}
	if info.Size() > max {
		return nil, tooLarge(max)
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		n, err := f.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		if int64(len(data)) > max { // it grew, or its size is not what it says (/proc)
			return nil, tooLarge(max)
		}
		if err == io.EOF {
			return data, nil
		}
		if err != nil {
			return nil, err
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

func tooLarge(max int64) error { return fmt.Errorf("larger than %d bytes", max) }

func typeName(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a directory"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "a special file"
}

// ReadDir returns the names in a directory in name order.
func (Disk) ReadDir(path string) ([]string, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	sort.Strings(names)
	return names, err
}

// Lstat describes a file without following a symlink.
func (Disk) Lstat(path string) (fs.FileInfo, error) { return os.Lstat(path) }

// Stat describes a file.
func (Disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }

// Readlink returns the target of a symlink.
func (Disk) Readlink(path string) (string, error) { return os.Readlink(path) }

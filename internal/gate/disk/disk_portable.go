//go:build !linux

package disk

import (
	"io"
	"os"
	"slices"
	"time"
)

// ReadFile returns a regular file of at most max bytes, through symlinks; a pipe does not block it.
func (Disk) ReadFile(path string, max int64) ([]byte, error) {
	f, err := os.OpenFile(native(path), os.O_RDONLY|nonBlock, 0)
	for tries := 0; busy(err) && tries < 10; tries++ {
		time.Sleep(5 * time.Millisecond)
		f, err = os.OpenFile(native(path), os.O_RDONLY|nonBlock, 0)
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, notRegular(info.Mode())
	}
	return bounded(func(b []byte) (int, error) {
		n, err := f.Read(b)
		if err == io.EOF {
			err = nil
		}
		return n, err
	}, info.Size(), max)
}

// ReadDir returns the names in a directory in name order.
func (Disk) ReadDir(path string) ([]string, error) {
	f, err := os.OpenFile(native(path), os.O_RDONLY|nonBlock, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var names []string
	for {
		more, err := f.Readdirnames(1024)
		if names = append(names, more...); err == io.EOF {
			break
		} else if err != nil {
			return names, err
		}
		if len(names) > maxNames {
			return nil, tooMany()
		}
	}
	slices.Sort(names)
	return names, nil
}

package disk

import (
	"io"
	"syscall"
)

// Parts reads parts of a regular file as ReadFile reads all of it.
func (Disk) Parts(name string, max int64, use func(file io.ReaderAt, size int64)) error {
	fd, size, err := openRegular(name)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	if size > max {
		return tooLarge(max)
	}
	use(opened(fd), size)
	return nil
}

// opened is the number of an open file.
type opened int

// ReadAt reads from one place on, less where the file became shorter.
func (f opened) ReadAt(to []byte, from int64) (n int, err error) {
	for n < len(to) {
		got, err := again(func() (int, error) { return syscall.Pread(int(f), to[n:], from+int64(n)) })
		if err == nil && got == 0 {
			err = io.EOF
		}
		if err != nil {
			return n, err
		}
		n += got
	}
	return n, nil
}

//go:build unix

package hook

import (
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// closed reports whether out was closed when the process started. The Go
// runtime has put /dev/null there by then, open for reading and writing; an
// answer that goes there is not read either way.
func closed(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	conn, err := file.SyscallConn()
	if err != nil {
		return true
	}
	null := false
	err = conn.Control(func(fd uintptr) {
		var own, dev unix.Stat_t
		flags, err := unix.FcntlInt(fd, unix.F_GETFL, 0)
		if err != nil || flags&unix.O_ACCMODE != unix.O_RDWR {
			return
		}
		if unix.Fstat(int(fd), &own) != nil || unix.Stat(os.DevNull, &dev) != nil {
			return
		}
		null = own.Mode&unix.S_IFMT == unix.S_IFCHR && own.Rdev == dev.Rdev
	})
	return err != nil || null
}

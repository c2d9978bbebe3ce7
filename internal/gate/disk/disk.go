// Package disk is the operating system's file system as the settings loader
// and symlink resolution see it: bounded reads of regular files that never block.
package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

// Disk implements load.Files, which decide/world asks.
type Disk struct{}

// ErrNotRegular is wrapped by ReadFile for pipes, devices, sockets and directories.
var ErrNotRegular = errors.New("not a regular file")

func tooLarge(max int64) error { return fmt.Errorf("larger than %d bytes", max) }

func tooMany() error { return fmt.Errorf("more than %d names", maxNames) }

func notRegular(m fs.FileMode) error { return fmt.Errorf("%w but %s", ErrNotRegular, typeName(m)) }

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

// maxNames bounds how much is read of a directory: none may make permgate slow.
const maxNames = 1 << 16

// Readlink returns the target of a symlink.
func (Disk) Readlink(path string) (string, error) {
	if target := substituted(native(path)); target != "" {
		return canonical(path, target), nil
	}
	target, err := os.Readlink(native(path))
	return canonical(path, target), err
}

// bounded reads to the end, or fails beyond max. size is what the file says, which is often wrong in /proc.
func bounded(read func([]byte) (int, error), size, max int64) ([]byte, error) {
	if size > max {
		return nil, tooLarge(max)
	}
	data := make([]byte, 0, size+1)
	for {
		n, err := read(data[len(data):cap(data)])
		if err != nil {
			return nil, err
		}
		data = data[:len(data)+n]
		if int64(len(data)) > max {
			return nil, tooLarge(max)
		}
		if n == 0 || int64(len(data)) == size {
			return data, nil
		}
		if len(data) == cap(data) {
			data = append(data, 0)[:len(data)]
		}
	}
}

// passwdFile holds the homes: os/user would link the C library. Tests name another by the linker.
var passwdFile = "/etc/passwd"

// maxPasswd bounds the passwd file, in bytes.
const maxPasswd = 16 << 20

// passwdHome returns a user's home directory from a passwd file, "" for none or a relative one.
func passwdHome(file string, uid int) string {
	data, err := Disk{}.ReadFile(file, maxPasswd)
	if err != nil {
		return ""
	}
	want := strconv.Itoa(uid)
	for line := range strings.Lines(string(data)) {
		if !strings.Contains(line, ":"+want+":") {
			continue // most are not taken apart
		}
		// name:password:uid:gid:gecos:home:shell
		fields := strings.Split(strings.TrimSuffix(line, "\n"), ":")
		if len(fields) >= 6 && fields[2] == want && strings.HasPrefix(fields[5], "/") {
			return fields[5]
		}
	}
	return ""
}

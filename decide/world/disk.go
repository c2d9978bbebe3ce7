package world

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// Exists reports whether something is at a path, a symlink that leads nowhere included.
func (w *World) Exists(name string) bool {
	_, err := w.FS.Lstat(name)
	return err == nil
}

// Absent reports whether an error of the file system says that there is no such file.
func Absent(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || strings.HasSuffix(err.Error(), "not a directory")
}

// RealFolder reports whether a path is a folder itself, and no link to one.
func (w *World) RealFolder(p rules.Path) bool {
	if w.FS == nil || p.Given == "" {
		return false
	}
	info, err := w.FS.Lstat(p.Given)
	return err == nil && info.IsDir() && info.Mode()&fs.ModeSymlink == 0
}

// RegularSize is the size of a regular file, 0 for anything else.
func (w *World) RegularSize(name string) int64 {
	info, err := w.FS.Lstat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// OneLink reports whether a file has no other name, or is not there.
func (w *World) OneLink(name string) bool {
	info, err := w.FS.Lstat(name)
	if err != nil {
		return Absent(err)
	}
	links, ok := w.FS.Links(info)
	return ok && links == 1 && info.Mode().IsRegular()
}

// maxMounts bounds how much of the list of mounts is read.
const maxMounts = 1 << 20

// Mounted reports whether another file system begins at a path or, as far as the
// system lists them, below it.
func (w *World) Mounted(name string, info fs.FileInfo) bool {
	above, err := w.FS.Lstat(path.Dir(name))
	if err != nil {
		return true
	}
	own, ok := w.FS.Device(info)
	if dev, known := w.FS.Device(above); !ok || !known || own != dev {
		return true
	}
	if w.OS != rules.Linux {
		return false
	}
	data, err := w.FS.ReadFile("/proc/self/mountinfo", maxMounts)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	escapes := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 4 && rules.Within(escapes.Replace(f[4]), name) {
			return true
		}
	}
	return false
}

// Variable is a variable of the hook's environment, "" where there is none.
func (w *World) Variable(name string) string {
	if w.Environ == nil {
		return ""
	}
	for _, entry := range w.Environ() {
		key, value, _ := strings.Cut(entry, "=")
		if key == name || w.OS == rules.Windows && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

package world

import (
	"errors"
	"io/fs"
	"path"
	"slices"
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

// SameDevice reports whether two files are known to be on one file system.
func (w *World) SameDevice(a, b fs.FileInfo) bool {
	one, ok := w.FS.Device(a)
	other, known := w.FS.Device(b)
	return ok && known && one == other
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

// Enterable reports whether a path is a folder that this user can go to now, by its mode and those above.
func (w *World) Enterable(dir string) bool {
	info, err := w.FS.Stat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	uid, known := w.FS.Owner(info)
	need := fs.FileMode(0o011) // of its group or of the rest: which of them is not known
	if w.User.ID == 0 || !known || w.OS == rules.Windows {
		need = 0
	} else if uid == w.User.ID {
		need = 0o100
	}
	return info.Mode().Perm()&need == need
}

// Variable is a variable of the hook's environment, "" without one.
func (w *World) Variable(name string) string {
	if w.Environ == nil {
		return ""
	}
	for _, entry := range w.Environ() {
		if w.OS != rules.Windows && !strings.HasPrefix(entry, name) {
			continue
		}
		key, value, _ := strings.Cut(entry, "=")
		if key == name || w.OS == rules.Windows && strings.EqualFold(key, name) {
			return value
		}
	}
	return ""
}

// Folder is the folder that a variable of the hook's environment names by a whole path, "" where none does.
func Folder(w *World, name string) string {
	if dir := w.OS.Canon(w.Variable(name)); path.IsAbs(dir) {
		return path.Clean(dir)
	}
	return ""
}

// PathFolders are the folders that PATH names by whole paths.
func PathFolders(w *World) (all []string) {
	end := ":"
	if w.OS == rules.Windows {
		end = ";"
	}
	for dir := range strings.SplitSeq(w.Variable("PATH"), end) {
		if dir = w.OS.Canon(dir); path.IsAbs(dir) {
			all = append(all, path.Clean(dir))
		}
	}
	return all
}

// Temporary reports whether a path is a name below a temporary folder where only
// the user can have put anything: every component that exists is the
// user's own, not writable by others, and no symlink. The path is absolute and
// clean; both forms count.
func (w *World) Temporary(p rules.Path) bool {
	for _, root := range w.tempRoots(p.Given) {
		rest, ok := strings.CutPrefix(p.Given, root+"/")
		if !ok || rest == "" {
			continue
		}
		real := w.Path(root).Real
		if p.Real == real+"/"+rest && w.tempRoot(real) && w.ownBelow(real, rest) {
			return true
		}
	}
	return false
}

// tempRoots lists the temporary folders a path may lie in: the system's, by
// both names macOS has for them, and there the one of each user.
func (w *World) tempRoots(name string) []string {
	roots := []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"}
	plain := strings.TrimPrefix(name, "/private")
	if part := strings.Split(plain, "/"); strings.HasPrefix(plain, "/var/folders/") && len(part) > 6 && part[5] == "T" {
		roots = append(roots, name[:len(name)-len(plain)]+strings.Join(part[:6], "/"))
	}
	return roots
}

// ownTempRoot is a temporary folder of this system: where there is no /private or
// /var/folders, names below them belong to another system and lead nowhere, and
// /tmp says as much.
func (w *World) ownTempRoot(dir string) string {
	for _, other := range [...]string{"/private", "/var/folders"} {
		if !strings.HasPrefix(dir, other+"/") {
			continue
		}
		if _, err := w.FS.Lstat(other); errors.Is(err, fs.ErrNotExist) {
			return "/tmp"
		}
	}
	return dir
}

// tempRoot reports whether a temporary folder is what it should be: a folder of
// root or the user in which no one can replace the files of others.
func (w *World) tempRoot(dir string) bool {
	if w.FS == nil {
		return false
	}
	dir = w.ownTempRoot(dir)
	info, err := w.FS.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	uid, ok := w.FS.Owner(info)
	if !ok || uid != 0 && uid != w.User.ID {
		return false
	}
	open := w.FS.OthersWrite(info)
	if strings.Contains(dir, "/folders/") {
		return uid == w.User.ID && !open
	}
	return !open || info.Mode()&fs.ModeSticky != 0
}

// ownBelow looks at the components of rest below a temporary folder.
func (w *World) ownBelow(root, rest string) bool {
	at := root
	for part := range strings.SplitSeq(rest, "/") {
		at = path.Join(at, part)
		info, err := w.FS.Lstat(at)
		if err != nil {
			return errors.Is(err, fs.ErrNotExist) // nothing below it exists either
		}
		uid, ok := w.FS.Owner(info)
		if !ok || uid != w.User.ID || w.FS.OthersWrite(info) || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
	}
	return true
}

// OwnFile reports whether a path names a plain file that only the user or root can have put
// there: no component is a symlink or writable by others, except a sticky folder.
func (w *World) OwnFile(name string) bool {
	if w.FS == nil || !strings.HasPrefix(name, "/") {
		return false
	}
	for at := name; ; at = path.Dir(at) {
		info, err := w.FS.Lstat(at)
		if err != nil || !w.onlyOurs(info) {
			return false
		}
		if at == name && !info.Mode().IsRegular() || at != name && !info.IsDir() {
			return false
		}
		if at == "/" {
			return true
		}
	}
}

// onlyOurs reports whether only the user or root can change a file, or replace what is theirs in a folder.
func (w *World) onlyOurs(info fs.FileInfo) bool {
	uid, ok := w.FS.Owner(info)
	if !ok || uid != 0 && uid != w.User.ID {
		return false
	}
	return !w.FS.OthersWrite(info) || info.IsDir() && info.Mode()&fs.ModeSticky != 0
}

// OurFolder is a folder where only the user or root writes, "" for any other, the home, what is above it and a temporary
// root.
func (w *World) OurFolder(dir string) string {
	switch info, err := w.FS.Lstat(dir); {
	case err != nil, !info.IsDir(), !w.onlyOurs(info), w.FS.OthersWrite(info), w.TempRoot(dir), dir == w.User.Temp,
		w.AboveOurs(rules.Path{Given: dir, Real: dir}):
		return ""
	}
	return dir
}

// TempEnv reports whether mktemp makes its files in a temporary folder: $TMPDIR
// names one, or none.
func (w *World) TempEnv() bool { return w.isTemp(w.User.Temp) }

// isTemp reports whether the value of a variable is a temporary folder, "" being the system's own.
func (w *World) isTemp(dir string) bool {
	if strings.ContainsAny(dir, " \t\n*?[\\") {
		return false // what mktemp prints may be several words
	}
	if dir == "" {
		return w.TempRoot("/tmp")
	}
	clean := path.Clean(dir)
	return path.IsAbs(dir) && (w.TempRoot(clean) || w.Temporary(w.Path(clean)))
}

// TempDir is $TMPDIR where it is a temporary folder and a word of its own
// without quoting, else "".
func (w *World) TempDir() string {
	if w.User.Temp == "" || !w.TempEnv() {
		return ""
	}
	return w.User.Temp
}

// Named is TempDir for another variable of the hook's environment; on Windows any of them.
func (w *World) Named(variable string) string {
	if dir := w.Variable(variable); dir != "" && (w.OS == rules.Windows || w.isTemp(dir)) {
		return dir
	}
	return ""
}

// TempRoot reports whether a path is that of a temporary folder.
func (w *World) TempRoot(dir string) bool {
	for _, root := range w.tempRoots(dir + "/x") {
		if dir == root {
			return w.tempRoot(w.Path(root).Real)
		}
	}
	return false
}

// EmptyTree reports whether there is a folder that holds nothing but empty folders.
func (w *World) EmptyTree(dir string) bool {
	names, err := w.Names(dir)
	return err == nil && len(names) < maxLooked && !slices.ContainsFunc(names, func(name string) bool {
		info, err := w.Lstat(path.Join(dir, name))
		return err != nil || !info.IsDir() || !w.EmptyTree(path.Join(dir, name))
	})
}

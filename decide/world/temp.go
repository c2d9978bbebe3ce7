package world

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

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

// TempEnv reports whether mktemp makes its files in a temporary folder: $TMPDIR
// names one, or none.
func (w *World) TempEnv() bool {
	dir := w.User.Temp
	if strings.ContainsAny(dir, " \t\n*?[\\") {
		return false // what mktemp prints may be several words
	}
	if dir == "" {
		return w.isTempRoot("/tmp")
	}
	clean := path.Clean(dir)
	return path.IsAbs(dir) && (w.isTempRoot(clean) || w.Temporary(w.Path(clean)))
}

// TempDir is $TMPDIR where it is a temporary folder and a word of its own
// without quoting, else "".
func (w *World) TempDir() string {
	if w.User.Temp == "" || !w.TempEnv() || strings.ContainsAny(w.User.Temp, " \t\n*?[\\") {
		return ""
	}
	return w.User.Temp
}

func (w *World) isTempRoot(dir string) bool {
	for _, root := range w.tempRoots(dir + "/x") {
		if dir == root {
			return w.tempRoot(w.Path(root).Real)
		}
	}
	return false
}

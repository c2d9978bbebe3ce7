package load

import (
	"errors"
	"io/fs"
	slash "path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// ManagedDirs are the folders of managed settings, in the order of Roots.
func ManagedDirs(os rules.OS) [len(Roots)]string {
	switch os {
	case rules.MacOS:
		const dir = "/Library/Application Support/"
		return [...]string{dir + "Gen", dir + "San", dir + "ClaudeCode"}
	case rules.Windows:
		const dir = "/c/Program Files/"
		return [...]string{dir + "Gen", dir + "San", dir + "ClaudeCode"}
	}
	return [...]string{"/etc/gen", "/etc/san", "/etc/claude-code"}
}

// readManaged reads the managed settings of every root: what the operating
// system keeps takes precedence over files.
func (l *loader) readManaged() {
	l.readPresets()
	dirs := l.w.ManagedDir
	if dirs == nil {
		system := ManagedDirs(l.w.OS)
		dirs = system[:]
	}
	for i, dir := range dirs {
		root := managedRoot(dir, i)
		why, ok := l.managedFolder(dir, root)
		if !ok {
			continue
		}
		drop := slash.Join(dir, "managed-settings.d")
		names, err := l.f.ReadDir(drop)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			l.unusable(place{path: drop, scope: rules.Managed}, reason(err))
		}
		for i := len(names) - 1; i >= 0; i-- { // the last one takes precedence
			if strings.HasSuffix(names[i], ".json") && names[i][0] != '.' {
				l.managedFile(slash.Join(drop, names[i]), root, why, false)
			}
		}
		l.managedFile(slash.Join(dir, "managed-settings.json"), root, why, false)
		l.managedFile(slash.Join(dir, "permgate.json"), root, why, true)
	}
}

func managedRoot(dir string, i int) string {
	switch strings.ToLower(slash.Base(dir)) {
	case "gen":
		return ".gen"
	case "san":
		return ".san"
	case "claude-code", "claudecode":
		return ".claude"
	}
	return Roots[min(i, len(Roots)-1)]
}

// managedFolder reports whether there is such a folder, and why its grants do
// not count.
func (l *loader) managedFolder(dir, root string) (why string, ok bool) {
	info, err := l.f.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false
	case err == nil && !info.IsDir():
		err = errors.New("not a folder")
	case err == nil:
		if why = l.foreign(info); why != "" {
			l.unusable(place{path: dir, scope: rules.Managed, root: root}, why)
		}
		return why, true
	}
	l.unusable(place{path: dir, scope: rules.Managed, root: root}, reason(err))
	return "", false
}

// managedFile reads one managed file. One that someone else could have
// written, or that is a symlink, is rejected: its restrictions bind, its grants do not.
func (l *loader) managedFile(path, root, why string, gate bool) {
	info, err := l.f.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	at := place{path: path, scope: rules.Managed, root: root, why: why, gate: gate}
	if err == nil {
		if why := l.foreign(info); why != "" {
			at.why, at.closed = why, true
			l.unusable(at, why)
		}
	}
	l.read(at)
}

// foreign says why a managed file or folder cannot be the administrator's, "" if it can.
func (l *loader) foreign(info fs.FileInfo) string {
	second := 0
	if l.w.ManagedDir != nil {
		second = l.w.UID
	}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		return "managed settings must not be a symlink"
	case !l.ownedBy(info, 0, second):
		return "managed settings must belong to root"
	case l.f.OthersWrite(info):
		return "managed settings must not be writable by others"
	}
	return ""
}

package rules

import (
	"errors"
	"io/fs"
	slash "path"
	"strings"
	"syscall"
)

// Roots are the settings folders, in order of precedence.
var Roots = [...]string{".gen", ".san", ".claude"}

// ManagedDirs are the folders of managed settings, in the order of Roots.
func (os OS) ManagedDirs() [len(Roots)]string {
	switch os {
	case MacOS:
		const dir = "/Library/Application Support/"
		return [...]string{dir + "Gen", dir + "San", dir + "ClaudeCode"}
	case Windows:
		const dir = "/c/Program Files/"
		return [...]string{dir + "Gen", dir + "San", dir + "ClaudeCode"}
	}
	return [...]string{"/etc/gen", "/etc/san", "/etc/claude-code"}
}

// readPresets reads managed settings that stand in no managed folder.
func (l *loader) readPresets() {
	for i := range l.w.Presets {
		p := &l.w.Presets[i]
		at := place{path: p.Place, scope: Managed, root: p.Root, gate: p.Root == "", whole: !p.Text}
		if p.Err != nil {
			l.unusable(at, reason(p.Err))
			continue
		}
		l.take(&source{place: at, data: p.Data})
	}
}

// readManaged reads the managed settings of every root: what the operating
// system keeps takes precedence over files.
func (l *loader) readManaged() {
	l.readPresets()
	dirs := l.w.ManagedDir
	if dirs == nil {
		system := l.w.OS.ManagedDirs()
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
			l.unusable(place{path: drop, scope: Managed}, reason(err))
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
			l.unusable(place{path: dir, scope: Managed, root: root}, why)
		}
		return why, true
	}
	l.unusable(place{path: dir, scope: Managed, root: root}, reason(err))
	return "", false
}

// managedFile reads one managed file. One that somebody else could have
// written, or that is a symlink, is rejected: its restrictions bind, its grants do not.
func (l *loader) managedFile(path, root, why string, gate bool) {
	info, err := l.f.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	at := place{path: path, scope: Managed, root: root, why: why, gate: gate}
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

// readUser reads the user's files. Whether their grants count is settled later.
func (l *loader) readUser() {
	for i := range l.userRoots {
		u := &l.userRoots[i]
		if l.folder(u.dir, User) {
			l.read(place{path: under(u.dir, "settings.json"), scope: User, root: u.root, user: u})
			l.read(place{path: under(u.dir, "permgate.json"), scope: User, root: u.root, user: u, gate: true})
		}
	}
}

// readProject reads the project's files, then those of every other settings
// folder between cwd and /, which can only restrict.
func (l *loader) readProject() {
	l.chain = append(l.chain, l.p.Project.Given)
	for _, start := range [...]string{l.p.Cwd.Given, l.p.Cwd.Real} {
		above(start, func(dir string) bool {
			if !l.inChain(dir) {
				l.chain = append(l.chain, dir)
			}
			return true
		})
	}
	for i, dir := range l.chain {
		why := ""
		if i > 0 {
			why = "only the project's own settings grant, and the project is " + l.p.Project.Given
		}
		has := l.look(dir)
		for i, root := range Roots {
			if has.absent[i] {
				continue
			}
			l.readShared(under(dir, root), root, why)
		}
	}
}

func (l *loader) inChain(dir string) bool {
	for _, d := range l.chain {
		if d == dir {
			return true
		}
	}
	return false
}

func (l *loader) readShared(dir, root, why string) {
	if !l.folder(dir, Shared) {
		return
	}
	if !l.isUsers(dir) { // home may be on the way
		l.read(place{path: under(dir, "settings.json"), scope: Shared, root: root, why: why})
		l.read(place{path: under(dir, "permgate.json"), scope: Shared, root: root, why: why, gate: true})
	}
	l.read(place{path: under(dir, "settings.local.json"), scope: Local, root: root, why: why})
}

func (l *loader) isUsers(dir string) bool {
	for i := range l.userRoots {
		if l.userRoots[i].dir == dir {
			return true
		}
	}
	return false
}

// folder reports whether a settings folder is there. A thing of that name that
// is no folder is a fault: the files expected in it were lost somehow.
func (l *loader) folder(dir string, scope Scope) bool {
	info, err := l.f.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return false
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		info, err = l.f.Stat(dir)
	}
	switch {
	case err != nil:
		l.unusable(place{path: dir, scope: scope}, reason(err))
	case !info.IsDir():
		l.unusable(place{path: dir, scope: scope}, "is not a folder")
	default:
		return true
	}
	return false
}

// read reads one settings file; that there is none is no fault.
func (l *loader) read(at place) {
	data, err := l.f.ReadFile(at.path, MaxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		info, lerr := l.f.Lstat(at.path)
		if lerr != nil && errors.Is(lerr, fs.ErrNotExist) {
			return
		}
		if lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
			err = errors.New("it is a symlink to a file that does not exist")
		}
	}
	if err != nil {
		l.unusable(at, reason(err))
		return
	}
	l.take(&source{place: at, data: data})
}

func (l *loader) take(s *source) {
	l.parse(s)
	l.sources = append(l.sources, s)
}

// unusable notes that a file cannot be used at all.
func (l *loader) unusable(at place, msg string) {
	l.p.Faults = append(l.p.Faults, Fault{Pos: Pos{File: at.path}, Scope: at.scope, Msg: msg, Closed: true})
}

// reason strips the path from an error: the fault names it already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return "cannot be read: " + p.Err.Error()
	}
	return "cannot be read: " + err.Error()
}

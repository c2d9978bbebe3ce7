package load

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/permgate--owner/permgate/rules"
)

// Roots are the settings folders, in order of precedence.
var Roots = [...]string{".gen", ".san", ".claude"}

// readPresets reads managed settings that are in no managed folder.
func (l *loader) readPresets() {
	for i := range l.w.Presets {
		p := &l.w.Presets[i]
		at := place{path: p.Place, scope: rules.Managed, root: p.Root, gate: p.Root == "", whole: !p.Text}
		if p.Err != nil {
			l.unusable(at, reason(p.Err))
			continue
		}
		l.take(&source{place: at, data: p.Data})
	}
}

// readUser reads the user's files. Whether their grants count is settled later.
func (l *loader) readUser() {
	for i := range l.userRoots {
		u := &l.userRoots[i]
		there := l.folder(u.dir, rules.User)
		for _, at := range [...]place{
			{path: under(u.dir, "settings.json"), scope: rules.User, root: u.root, user: u},
			{path: under(u.dir, "permgate.json"), scope: rules.User, root: u.root, user: u, gate: true},
		} {
			if !l.standIn(at, u.root == ".claude") && there {
				l.read(at)
			}
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
		if i == 0 && l.w.StandIns != nil {
			l.readProjectOr(dir, has)
			continue
		}
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
	if !l.folder(dir, rules.Shared) {
		return
	}
	if !l.isUsers(dir) { // home may be on the way
		l.read(place{path: under(dir, "settings.json"), scope: rules.Shared, root: root, why: why})
		l.read(place{path: under(dir, "permgate.json"), scope: rules.Shared, root: root, why: why, gate: true})
	}
	l.read(place{path: under(dir, "settings.local.json"), scope: rules.Local, root: root, why: why})
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
func (l *loader) folder(dir string, scope rules.Scope) bool {
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
	if err == nil {
		err = l.spendBytes(at.scope, len(data))
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
	l.faulty(rules.Fault{Pos: rules.Pos{File: at.path}, Scope: at.scope, Msg: msg, Closed: true})
}

// reason strips the path from an error: the fault names it already.
func reason(err error) string {
	var p *fs.PathError
	if errors.As(err, &p) {
		return "cannot be read: " + p.Err.Error()
	}
	return "cannot be read: " + err.Error()
}

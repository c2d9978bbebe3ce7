package load

import (
	"errors"
	"io/fs"
	slash "path"
	"slices"
	"strings"
	"syscall"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
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

// readProject reads the project's files, then those of folders from cwd to /, which only restrict, and of the main
// checkout the local files, which count as the project's own.
func (l *loader) readProject() {
	git := Git(l.f, l.w.OS, l.w.UID)
	main := l.mainCheckout(&git)
	mine := func(dir string) string { return git.Foreign(dir, true) }
	l.chain = append(l.chain, l.p.Project.Given)
	for _, start := range [...]string{l.p.Cwd.Given, l.p.Cwd.Real} {
		above(start, func(dir string) bool {
			if !slices.Contains(l.chain, dir) {
				l.chain = append(l.chain, dir)
			}
			return true
		})
	}
	for i, dir := range l.chain {
		has, why, replaced := l.look(dir), "", i == 0 && l.w.StandIns != nil
		if i > 0 {
			why = "only the project's own settings grant, and the project is " + l.p.Project.Given
		}
		for n := range Roots {
			local := why
			if dir == main {
				local = mine(under(dir, Roots[n]))
			}
			if replaced || !has.absent[n] {
				l.readShared(&has, n, why, local, replaced)
			}
		}
	}
	for i := 0; main != "" && !slices.Contains(l.chain, main) && i < len(Roots); i++ {
		if dir := under(main, Roots[i]); l.folder(dir, rules.Local) {
			l.read(place{path: under(dir, "settings.local.json"), scope: rules.Local, root: Roots[i], why: mine(dir)})
		}
	}
}

// mainCheckout is the folder whose local files are read in a linked work tree, as Claude Code does; it does not on
// Windows.
func (l *loader) mainCheckout(git *gitindex.Git) string {
	if l.w.OS == rules.Windows || l.w.StandIns != nil && l.w.StandIns.Whole {
		return ""
	}
	p := git.Around(l.p.Project.Real)
	if main := git.Main(&p); main != "" && !l.noProject(main, l.homes) {
		return main
	}
	return ""
}

// readShared reads the files of a settings folder, or what stands in for those of the project's own. why and local say
// why what they grant does not count.
func (l *loader) readShared(has *look, n int, why, local string, replaced bool) {
	dir, root := under(has.dir, Roots[n]), Roots[n]
	there := !has.absent[n] && l.folder(dir, rules.Shared)
	for _, at := range [...]place{
		{path: under(dir, "settings.json"), scope: rules.Shared, root: root, why: why},
		{path: under(dir, "permgate.json"), scope: rules.Shared, root: root, why: why, gate: true},
		{path: under(dir, "settings.local.json"), scope: rules.Local, root: root, why: local},
	} {
		own := there && (at.scope == rules.Local || !l.isUsers(dir)) // home may be on the way
		if !(replaced && l.standIn(at, n == has.used())) && own {
			l.read(at)
		}
	}
}

func (l *loader) isUsers(dir string) bool {
	return slices.ContainsFunc(l.userRoots, func(u userRoot) bool { return u.dir == dir })
}

// folder reports whether a settings folder is there. A thing of that name that
// is no folder is a fault: the files expected in it were lost somehow.
func (l *loader) folder(dir string, scope rules.Scope) bool {
	info, err := l.f.Lstat(dir)
	if missing(err) {
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

// Absent reports whether an error says that there is nothing of a name. What the disk says is compared first:
// errors.Is would have the runtime look up a method, and touch two pages, for the first one of a process.
func Absent(err error) bool { return err == syscall.ENOENT || errors.Is(err, fs.ErrNotExist) }

// missing reports whether an error says that there is no such file.
func missing(err error) bool { return Absent(err) || errors.Is(err, syscall.ENOTDIR) }

// read reads one settings file; a missing one is not a fault.
func (l *loader) read(at place) {
	data, err := l.f.ReadFile(at.path, MaxSettings)
	if Absent(err) {
		info, lerr := l.f.Lstat(at.path)
		if Absent(lerr) {
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

// readManaged reads the managed settings of every root; the system's own come before files.
func (l *loader) readManaged() {
	l.readPresets()
	dirs := l.w.ManagedDir
	if dirs == nil {
		system := ManagedDirs(l.w.OS)
		dirs = system[:]
	}
	for i, dir := range dirs {
		root := ManagedRoot(dir, i)
		why, ok := l.managedFolder(dir, root)
		if !ok {
			continue
		}
		dir = l.path(dir).Real // once: a link that is renamed over now leads to another policy
		drop := slash.Join(dir, DropIns)
		names, err := l.f.ReadDir(drop)
		if err != nil && !Absent(err) {
			l.unusable(place{path: drop, scope: rules.Managed}, reason(err))
		}
		for _, name := range ManagedFiles(names) {
			l.managedFile(slash.Join(dir, name), root, why, name == ManagedGate)
		}
	}
}

// Names in a folder of managed settings.
const (
	DropIns     = "managed-settings.d"
	ManagedGate = "permgate.json"
)

// ManagedFiles are the files of such a folder in the order they are read, where dropIns are the names in DropIns,
// sorted: the last of them comes first.
func ManagedFiles(dropIns []string) (names []string) {
	for _, name := range slices.Backward(dropIns) {
		if strings.HasSuffix(name, ".json") && name[0] != '.' {
			names = append(names, slash.Join(DropIns, name))
		}
	}
	return append(names, "managed-settings.json", ManagedGate)
}

// ClaudeFolder reports whether a settings folder of this name is one of Claude Code's, whose rules are read a
// little differently.
func ClaudeFolder(name string) bool { return name == ".claude" || ManagedRoot(name, 0) == ".claude" }

// ManagedRoot is the one of Roots that a folder of managed settings, the i-th, counts as.
func ManagedRoot(dir string, i int) string {
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

// managedFolder reports whether there is such a folder, and why its grants do not count.
func (l *loader) managedFolder(dir, root string) (why string, ok bool) {
	info, err := l.f.Stat(dir)
	switch {
	case Absent(err):
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

// managedFile reads a managed file. One that others may write, or a symlink, only restricts.
func (l *loader) managedFile(path, root, why string, gate bool) {
	info, err := l.f.Lstat(path)
	if Absent(err) {
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

// A StandIn is settings that are read in place of the file of their scope, root and
// name: settings to try out on calls of any project.
type StandIn struct {
	Scope rules.Scope // Shared, Local, User
	Root  string      // its settings folder; "" for the one in use
	Gate  bool        // it replaces a permgate.json
	Place string      // how faults and rules name it
	Data  []byte
	Err   error // why it cannot be used, though it is there
}

// StandIns are the files a policy is loaded with instead of those on disk. The user
// named them: what they grant counts as trusted.
type StandIns struct {
	Files []StandIn
	Whole bool // no other file of the project itself is read

	Revision bool // they are the project's own at a git revision
}

// standsIn reports whether a file is one of them, by its place.
func (l *loader) standsIn(place string) bool {
	return l.w.StandIns != nil && slices.ContainsFunc(l.w.StandIns.Files, func(s StandIn) bool { return s.Place == place })
}

// standIn takes what is read in place of a file; inUse says that it is in the
// first folder of its kind. False is returned where the file itself is to be read.
func (l *loader) standIn(at place, inUse bool) bool {
	if l.w.StandIns == nil {
		return false
	}
	for i := range l.w.StandIns.Files {
		s := &l.w.StandIns.Files[i]
		root := s.Root == at.root || s.Root == "" && inUse
		if s.Scope != at.scope || s.Gate != at.gate || !root {
			continue
		}
		at.path = s.Place
		err := s.Err
		if err == nil {
			err = l.spendBytes(at.scope, len(s.Data))
		}
		if err != nil {
			l.unusable(at, reason(err))
		} else {
			l.take(&source{place: at, data: s.Data})
		}
		return true
	}
	return l.w.StandIns.Whole && at.scope != rules.User
}

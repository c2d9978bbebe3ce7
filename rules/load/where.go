package load

import (
	"bytes"
	"io"
	"io/fs"
	slash "path"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/rules"
)

// anchors settles cwd, home and project root.
func (l *loader) anchors() {
	l.findHomes()
	cwd := slash.Clean(l.w.Cwd)
	l.p.Cwd = l.path(cwd)
	project := cwd
	if named := slash.Clean(l.w.Project); slash.IsAbs(named) &&
		(named == cwd || named == l.p.Cwd.Real || !l.noProject(named, l.homes)) {
		project = named
	} else if root := l.findProject(cwd, l.homes); root != "" {
		project = root
	} else if root := l.findProject(l.p.Cwd.Real, l.homes); root != "" && l.p.Cwd.Real != cwd {
		project = root // cwd is a symlink into it
	}
	if l.p.Project = l.p.Cwd; project != cwd {
		l.p.Project = l.path(project)
	}
}

// path returns both forms of an absolute path.
func (l *loader) path(given string) rules.Path {
	if !slash.IsAbs(given) {
		return rules.Path{Given: given, Real: given}
	}
	given = l.w.OS.Canon(slash.Clean(given))
	return rules.Path{Given: given, Real: l.w.OS.Canon(Resolve(l.f, given))}
}

// absolute makes a path as people write it absolute.
func (l *loader) absolute(path, base string) string {
	if l.w.OS != rules.Linux {
		clean, _ := l.w.OS.Clean(path, base, l.p.Home.Given)
		return clean
	}
	switch {
	case path == "~", strings.HasPrefix(path, "~/"):
		return slash.Join(l.p.Home.Given, path[1:])
	case slash.IsAbs(path):
		return slash.Clean(path)
	}
	return slash.Join(base, path)
}

// above calls f for dir and every folder above it, until f returns false.
func above(dir string, f func(dir string) bool) {
	for f(dir) {
		up := slash.Dir(dir)
		if up == dir {
			return
		}
		dir = up
	}
}

// under is slash.Join of a clean folder and one name in it, without the cleaning.
func under(dir, name string) string {
	if dir == "" || strings.HasSuffix(dir, "/") {
		return dir + name
	}
	return dir + "/" + name
}

// findProject returns the outermost folder that holds .git, else the outermost
// one that holds a settings folder, or "" if none. A folder above cwd
// counts only when only the user and root could have put that there, and
// home, / and what is above home are no project.
func (l *loader) findProject(cwd string, homes []home) string {
	git, root := "", ""
	above(cwd, func(dir string) bool {
		if dir != cwd && l.noProject(dir, homes) {
			return true
		}
		hasGit := l.exists(under(dir, ".git"))
		if !hasGit && !l.look(dir).any || dir != cwd && !l.own(dir) {
			return true
		}
		if hasGit {
			git = dir
		}
		root = dir
		return true
	})
	if git != "" {
		return git
	}
	return root
}

// A look says which settings folders one directory holds.
type look struct {
	dir    string
	any    bool
	absent [len(Roots)]bool
}

// used is the index of the settings folder in use: the first that is there, .claude where none is.
func (has *look) used() int {
	for i, root := range Roots {
		if !has.absent[i] || !has.any && root == ".claude" {
			return i
		}
	}
	return 0
}

// look looks for the settings folders in a directory, once: both the search
// for the project and the reading of its files ask.
func (l *loader) look(dir string) look {
	for i := range l.looks {
		if l.looks[i].dir == dir {
			return l.looks[i]
		}
	}
	has := look{dir: dir}
	for i, root := range Roots {
		_, err := l.f.Lstat(under(dir, root))
		has.any = has.any || err == nil
		has.absent[i] = Absent(err)
	}
	l.looks = append(l.looks, has)
	return has
}

// noProject reports whether dir is / or a home, or above the home that dir is searched from.
func (l *loader) noProject(dir string, homes []home) bool {
	if l.w.OS.IsRoot(dir) {
		return true
	}
	for _, h := range homes {
		if h.path.Given == "" {
			continue
		}
		isHome := dir == h.path.Given || dir == h.path.Real
		holdsHome := rules.Within(h.path.Given, dir) || rules.Within(h.path.Real, dir)
		fromHome := rules.Within(l.p.Cwd.Given, h.path.Given) || rules.Within(l.p.Cwd.Real, h.path.Real)
		if holdsHome && (isHome || fromHome) {
			return true
		}
	}
	return false
}

func (l *loader) exists(path string) bool {
	_, err := l.f.Lstat(path)
	return err == nil
}

// own reports whether a folder is the user's or root's own and no one else may write to it. The folders of a drive of
// Windows inherit that all users may; there git asks for the owners alone (safe.directory), and so is what makes the
// folder a project: who put it there owns it.
func (l *loader) own(dir string) bool {
	info, err := l.f.Stat(dir)
	if err != nil || !info.IsDir() || !l.ownedBy(info, 0, l.w.UID) {
		return false
	}
	if !l.f.OthersWrite(info) {
		return true
	}
	for _, name := range append([]string{".git"}, Roots[:]...) {
		mark, err := l.f.Lstat(under(dir, name))
		theirs := err == nil && !l.ownedBy(mark, 0, l.w.UID) || err != nil && !missing(err)
		if theirs || l.w.OS != rules.Windows {
			return false
		}
	}
	return true
}

func (l *loader) ownedBy(info fs.FileInfo, a, b int) bool {
	uid, ok := l.f.Owner(info)
	return !ok || uid == a || uid == b
}

// places are the project and every additional directory that is written
// anywhere, counting or not; also what would be the project if HOME did not
// say that it is the home directory.
func (l *loader) places() []rules.Path {
	if l.around == nil {
		l.around = []rules.Path{l.p.Project}
		var sure []home
		for _, h := range l.homes {
			if h.env == "" {
				sure = append(sure, h)
			}
		}
		dirs := []string{l.w.Project}
		if len(sure) < len(l.homes) {
			dirs = append(dirs, l.findProject(l.p.Cwd.Given, sure), l.findProject(l.p.Cwd.Real, sure))
		}
		for _, dir := range dirs {
			if slash.IsAbs(dir) && dir != l.p.Project.Given {
				l.around = append(l.around, l.path(dir))
			}
		}
		for _, s := range l.sources {
			for _, d := range s.dirs {
				l.around = append(l.around, l.path(l.absolute(folder(d.Value), l.p.Project.Given)))
			}
		}
		for _, d := range l.w.AddDirs {
			l.around = append(l.around, l.path(l.absolute(folder(d), l.p.Cwd.Given)))
		}
	}
	return l.around
}

// Files is the file system as the loader sees it. Errors follow io/fs.
type Files interface {
	// ReadFile returns a regular file of at most max bytes, opened without
	// blocking; anything else is an error that says what it is.
	ReadFile(path string, max int64) ([]byte, error)
	// ReadDir returns the names in a directory in name order.
	ReadDir(path string) ([]string, error)
	Lstat(path string) (fs.FileInfo, error)
	Stat(path string) (fs.FileInfo, error)
	// Readlink returns the target of a symlink.
	Readlink(path string) (string, error)
	// Owner returns the numeric owner of a file; ok is false where there is no such thing.
	Owner(fs.FileInfo) (uid int, ok bool)
	// OthersWrite reports whether the mode bits let anyone but the owner write.
	// A group with the number of the owner is the owner's private group and counts as the owner.
	OthersWrite(fs.FileInfo) bool
	// Device returns the file system a file is on; ok is false where there is no telling.
	Device(fs.FileInfo) (id uint64, ok bool)
	// Links returns how many names a file has; ok is false where there is no telling.
	Links(fs.FileInfo) (n uint64, ok bool)
	// Inode returns the number of a file in its file system and when its content or attributes last
	// changed; ok is false where there is no telling.
	Inode(fs.FileInfo) (id uint64, changed time.Time, ok bool)
	// Tracked reports whether the git index of the repository around path holds
	// it; outside git it is false, and an index that cannot be read counts as true.
	Tracked(path string) bool
	// Unindexed reports whether no git index says anything about path: there is no
	// repository around it, or one without an index of its own.
	Unindexed(path string) bool
}

// Parted are Files that can read parts of a regular file of at most max bytes, which is open until use returns.
type Parted interface {
	Parts(path string, max int64, use func(file io.ReaderAt, size int64)) error
}

// Parts asks Files for parts of a file, or for all of it where they read no parts.
func Parts(f Files, path string, max int64, use func(file io.ReaderAt, size int64)) error {
	if p, ok := f.(Parted); ok {
		return p.Parts(path, max, use)
	}
	data, err := f.ReadFile(path, max)
	if err == nil {
		use(bytes.NewReader(data), int64(len(data)))
	}
	return err
}

// A Where says for which call the settings are loaded.
type Where struct {
	OS      rules.OS // how paths are read
	Cwd     string   // absolute
	Project string   // the project directory the host named; "" to search for it
	// Home is the user's home directory. TrustHome is false when it came from
	// an environment variable; grants then count only as decisions 6 says.
	Home       string
	TrustHome  bool
	PasswdHome string // from the passwd entry; "" if none
	ConfigDir  string // CLAUDE_CONFIG_DIR, "" when unset
	UID        int
	Presets    []Preset  // managed settings outside of the managed folders
	StandIns   *StandIns // settings to try out; nil for none
	// overrides the managed folders, for tests: files of UID count there like root's; nil means the system's
	ManagedDir []string
	Roots      []string // settings folders of the calling host, for defaultMode (".claude")
	// name given with --host; "" when the payload's shape decided. Selects permgate.json's "hosts" section
	Host string

	// definition to load for a subagent; "" for the main loop; a name no file can have is an unknown agent
	Agent       string
	MainAgent   bool // Agent is the main session's: its lists apply, but the mode is the session's
	Skill       string
	SkillText   string   // the project's skill or slash command whose text holds the call, "" for none
	Settings    []string // --settings
	AddDirs     []string // --add-dir, relative to Cwd
	Allowed     []string // --allowedTools values
	Denied      []string // --disallowedTools values
	Tools       []string // --tools values; not empty where the flag was given
	Mode        string   // --permission-mode
	AllowBypass bool     // --allow-dangerously-skip-permissions
	PayloadMode string   // permission mode of the payload, already in permgate's vocabulary
	AutoOff     bool     // the kill switch of the environment, KillSwitch, is set

	// Trusted says what the user recorded of a project's file (projectTrust
	// "require"), whose text is content. It is asked only about files that grant
	// something; nil trusts nothing. The policy holds the anchors and Places.
	Trusted func(p *rules.Policy, path string, content []byte) Trust
	// Recorded reports whether the user recorded a folder that an environment
	// variable names; nil knows of none.
	Recorded func(dir string) bool
}

// canon gives the system's paths the form all others have.
func (w *Where) canon() {
	if w.OS == rules.Linux {
		return
	}
	for _, p := range [...]*string{&w.Cwd, &w.Project, &w.Home, &w.PasswdHome, &w.ConfigDir} {
		*p = w.OS.Canon(*p)
	}
	w.ManagedDir = slices.Clone(w.ManagedDir)
	for i, dir := range w.ManagedDir {
		w.ManagedDir[i] = w.OS.Canon(dir)
	}
}

// A Preset is managed settings that the operating system keeps: macOS managed
// preferences, the policies in the Windows registry.
type Preset struct {
	Place string // how faults and rules name it: the file, or the registry value
	Root  string // settings folder whose settings.json it acts as: ".claude"; "" for a permgate.json
	// Text is set when Data is what a person wrote, so that lines and columns of it mean something to them.
	Text bool
	Data []byte // JSON
	Err  error  // why it cannot be used, though it is there; Data is not looked at then
}

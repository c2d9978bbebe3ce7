package rules

import (
	"errors"
	"io/fs"
	slash "path"
	"strings"
)

// anchors settles cwd, home and project root.
func (l *loader) anchors() {
	l.findHomes()
	cwd := slash.Clean(l.w.Cwd)
	l.p.Cwd = l.path(cwd)
	project := cwd
	if named := slash.Clean(l.w.Project); slash.IsAbs(named) && (named == cwd || named == l.p.Cwd.Real || !l.noProject(named, l.homes)) {
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
func (l *loader) path(given string) Path {
	if !slash.IsAbs(given) {
		return Path{given, given}
	}
	given = l.w.OS.Canon(slash.Clean(given))
	return Path{given, l.w.OS.Canon(Resolve(l.f, given))}
}

// absolute makes a path as people write it absolute.
func (l *loader) absolute(path, base string) string {
	if l.w.OS != Linux {
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

// Within reports whether the clean path name is dir or below it.
func Within(name, dir string) bool {
	if dir == "" || !strings.HasPrefix(name, dir) {
		return false
	}
	return len(name) == len(dir) || strings.HasSuffix(dir, "/") || name[len(dir)] == '/'
}

// findProject returns the outermost folder that holds .git, else the outermost
// one that holds a settings folder, "" if there is none. A folder above cwd
// counts only when nobody but the user and root could have put that there, and
// home, / and what lies above home are nobody's project.
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
		has.absent[i] = errors.Is(err, fs.ErrNotExist)
	}
	l.looks = append(l.looks, has)
	return has
}

// noProject reports whether dir is / or a home, or above the home that dir is searched from.
func (l *loader) noProject(dir string, homes []home) bool {
	if l.w.OS.root(dir) {
		return true
	}
	for _, h := range homes {
		if h.path.Given != "" && (Within(h.path.Given, dir) || Within(h.path.Real, dir)) &&
			(dir == h.path.Given || dir == h.path.Real || Within(l.p.Cwd.Given, h.path.Given) || Within(l.p.Cwd.Real, h.path.Real)) {
			return true
		}
	}
	return false
}

func (l *loader) exists(path string) bool {
	_, err := l.f.Lstat(path)
	return err == nil
}

// own reports whether a folder is the user's or root's own and nobody else may write to it.
func (l *loader) own(dir string) bool {
	info, err := l.f.Stat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	return l.ownedBy(info, 0, l.w.UID) && !l.f.OthersWrite(info)
}

func (l *loader) ownedBy(info fs.FileInfo, a, b int) bool {
	uid, ok := l.f.Owner(info)
	return !ok || uid == a || uid == b
}

// A home is one place user settings may be in.
type home struct {
	path Path
	env  string // the environment variable it came from, "" when it counts without more ado
}

// A userRoot is one settings folder of the user.
type userRoot struct {
	dir, root string
	env       string // see home
	envDir    string // what env names: dir or a folder above it
	replaced  bool   // CLAUDE_CONFIG_DIR stands in for it, if that counts
}

// findHomes settles which homes are read. The passwd home always is when HOME
// came from the environment: a repository's settings may set a hook's
// environment, and must not get rid of the user's restrictions that way.
// CLAUDE_CONFIG_DIR stands in for ~/.claude, whose restrictions bind all the same.
func (l *loader) findHomes() {
	w := l.w
	add := func(dir, env string) {
		if slash.IsAbs(dir) {
			l.homes = append(l.homes, home{l.path(dir), env})
		}
	}
	switch same := slash.Clean(w.Home) == slash.Clean(w.PasswdHome); {
	case w.TrustHome || same:
		add(w.Home, "")
	default:
		add(w.PasswdHome, "")
		add(w.Home, "HOME")
	}
	config := ""
	if slash.IsAbs(w.ConfigDir) {
		config = slash.Clean(w.ConfigDir)
		l.userRoots = append(l.userRoots, userRoot{config, ".claude", "CLAUDE_CONFIG_DIR", config, false})
	}
	for _, h := range l.homes {
		for _, root := range Roots {
			dir := under(h.path.Given, root)
			if dir == config {
				l.userRoots[0] = userRoot{dir, root, h.env, h.path.Given, false}
				continue
			}
			l.userRoots = append(l.userRoots, userRoot{dir, root, h.env, h.path.Given, root == ".claude" && config != ""})
		}
	}
	if len(l.homes) > 0 {
		l.p.Home = l.homes[0].path
	}
}

// An envDir is a folder named by an environment variable, and why it does not
// count for grants.
type envDir struct{ dir, env, why string }

// envWhy says why a folder named by an environment variable does not count for
// grants, "" if it does.
func (l *loader) envWhy(dir, env string) string {
	if env == "" {
		return ""
	}
	for _, e := range l.envs {
		if e.dir == dir && e.env == env {
			return e.why
		}
	}
	why := l.envFault(dir, env)
	l.envs = append(l.envs, envDir{dir, env, why})
	return why
}

func (l *loader) envFault(dir, env string) string {
	says := env + " names " + dir + ", which "
	info, err := l.f.Stat(dir)
	switch {
	case err != nil:
		return says + reason(err)
	case !l.ownedBy(info, l.w.UID, l.w.UID):
		return says + "does not belong to the user"
	case l.f.OthersWrite(info):
		return says + "others may write to"
	}
	p := l.path(dir)
	for _, in := range l.places() {
		if Within(p.Given, in.Given) || Within(p.Real, in.Real) {
			return says + "lies in " + in.Given
		}
	}
	return ""
}

// places are the project and every additional directory that is written
// anywhere, counting or not; also what would be the project if HOME did not
// say that it is the home directory.
func (l *loader) places() []Path {
	if l.around == nil {
		l.around = []Path{l.p.Project}
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
				l.around = append(l.around, l.path(l.absolute(d.Value, l.p.Project.Given)))
			}
		}
		for _, d := range l.w.AddDirs {
			l.around = append(l.around, l.path(l.absolute(d, l.p.Cwd.Given)))
		}
	}
	return l.around
}

// settleHomes decides which home ~ stands for: HOME if it counts, else the passwd home.
func (l *loader) settleHomes() {
	for _, h := range l.homes {
		if l.envWhy(h.path.Given, h.env) == "" {
			l.p.Home = h.path
		}
	}
}

// userWhy says why what a settings folder of the user grants does not count.
func (l *loader) userWhy(u *userRoot) string {
	if why := l.envWhy(u.envDir, u.env); why != "" {
		return why
	}
	if c := l.userRoots[0]; u.replaced && l.envWhy(c.envDir, c.env) == "" {
		return c.env + " names another folder"
	}
	return ""
}

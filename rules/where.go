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
// counts only when only the user and root could have put that there, and
// home, / and what lies above home are no project.
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
		if h.path.Given == "" {
			continue
		}
		isHome := dir == h.path.Given || dir == h.path.Real
		holdsHome := Within(h.path.Given, dir) || Within(h.path.Real, dir)
		fromHome := Within(l.p.Cwd.Given, h.path.Given) || Within(l.p.Cwd.Real, h.path.Real)
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

// own reports whether a folder is the user's or root's own and no one else may write to it.
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
				l.around = append(l.around, l.path(l.absolute(folder(d.Value), l.p.Project.Given)))
			}
		}
		for _, d := range l.w.AddDirs {
			l.around = append(l.around, l.path(l.absolute(folder(d), l.p.Cwd.Given)))
		}
	}
	return l.around
}

package load

import (
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// maxLinks is how many symlinks one path may go through, as in Linux.
const maxLinks = 40

// Resolve returns the absolute path name with every symlink of its longest
// existing parent followed; what does not exist is appended as it is. A
// dangling link is followed to where it points, because a write through it
// would land there. Where links go in circles, or cannot be read, the rest is
// kept as written. A junction of Windows, which to Go is an irregular file, is
// a link as well.
func Resolve(l Files, name string) string {
	if known, ok := l.(Resolver); ok {
		return known.Resolve(name)
	}
	return Follow(l, path.Clean(name))
}

// A Resolver is Files that remember what they answered, and so what Resolve returned.
type Resolver interface{ Resolve(name string) string }

// Follow is Resolve for paths that are not clean: .. after a symlink is where it leads, and up.
func Follow(l Files, name string) string {
	root, rest := splitRoot(name)
	done := root
	links := 0
	for rest != "" {
		part, after, _ := strings.Cut(rest, "/")
		rest = after
		switch part {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := under(done, part)
		info, err := l.Lstat(next)
		if err != nil && rest == "" {
			return next
		}
		if err != nil {
			return path.Join(next, rest)
		}
		if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
			done = next
			continue
		}
		target, err := l.Readlink(next)
		if err != nil && info.Mode()&fs.ModeSymlink == 0 {
			done = next // irregular and no link
			continue
		}
		if links++; err != nil || target == "" || links > maxLinks {
			return path.Join(next, rest)
		}
		if path.IsAbs(target) {
			done, target = splitRoot(target)
		}
		rest = target + "/" + rest
	}
	return done
}

// Git finds the repositories of a user.
func Git(f Files, os rules.OS, uid int) gitindex.Git {
	return gitindex.Git{Files: f, OS: os, UID: uid, Follow: func(name string) string { return Follow(f, name) }}
}

// splitRoot cuts "/" from an absolute path.
func splitRoot(name string) (root, rest string) {
	rest = strings.TrimLeft(name, "/")
	if len(rest) == len(name) {
		return "", name
	}
	return "/", rest
}

// A home is one place user settings may be in.
type home struct {
	path rules.Path
	env  string // the environment variable it came from, "" when it counts without more ado
}

// A userRoot is one settings folder of the user.
type userRoot struct {
	dir, root string
	env       string // see home
	envDir    string // what env names: dir or a folder above it
	replaced  bool   // CLAUDE_CONFIG_DIR replaces it, if that counts
}

// findHomes settles which homes are read. The passwd home always is when HOME
// came from the environment: a repository's settings may set a hook's
// environment, and must not get rid of the user's restrictions that way.
// CLAUDE_CONFIG_DIR replaces ~/.claude, whose restrictions still bind.
func (l *loader) findHomes() {
	w := l.w
	l.userRoots = make([]userRoot, 0, 1+2*len(Roots))
	add := func(dir, env string) {
		if path.IsAbs(dir) {
			l.homes = append(l.homes, home{l.path(dir), env})
		}
	}
	switch same := path.Clean(w.Home) == path.Clean(w.PasswdHome); {
	case w.TrustHome || same:
		add(w.Home, "")
	default:
		add(w.PasswdHome, "")
		add(w.Home, "HOME")
	}
	config := ""
	if path.IsAbs(w.ConfigDir) {
		config = path.Clean(w.ConfigDir)
		l.userRoots = append(l.userRoots, userRoot{config, ".claude", "CLAUDE_CONFIG_DIR", config, false})
	}
	for _, h := range l.homes {
		for _, root := range Roots {
			dir := under(h.path.Given, root)
			if dir == config {
				l.userRoots[0] = userRoot{dir, root, h.env, h.path.Given, false}
				continue
			}
			l.userRoots = append(l.userRoots,
				userRoot{dir, root, h.env, h.path.Given, root == ".claude" && config != ""})
		}
	}
	if len(l.homes) > 0 {
		l.p.Home = l.homes[0].path
	}
}

// An envDir is a folder of an environment variable, and why it does not count for grants.
type envDir struct{ dir, env, why string }

// envWhy says why a variable's folder does not count for grants, or "".
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
	says := env + " names " + l.w.OS.Native(dir) + ", which "
	info, err := l.f.Stat(dir)
	switch {
	case err != nil:
		return says + reason(err)
	case !l.ownedBy(info, l.w.UID, l.w.UID):
		return says + "is not owned by the user"
	case l.f.OthersWrite(info):
		return says + "others can write to"
	}
	p := l.path(dir)
	for _, in := range l.places() {
		if rules.Within(p.Given, in.Given) || rules.Within(p.Real, in.Real) {
			return says + "is in " + l.w.OS.Native(in.Given)
		}
	}
	switch counts := l.passwdOwn(p, env) || l.w.Recorded != nil && l.w.Recorded(dir); {
	case !counts && env == "HOME" && l.w.PasswdHome == "":
		return env + " names " + dir + ", and permgate can record no home for a user without a passwd entry: name it with --home " + grammar.Quote(dir)
	case !counts:
		return says + "is not the home in the passwd entry and was not recorded: permgate trust --folder " +
			grammar.Quote(l.w.OS.Native(dir)) + " does that"
	}
	return ""
}

// passwdOwn reports whether a folder is what a variable names anyway, by another
// name: the passwd home, or .claude in it.
func (l *loader) passwdOwn(p rules.Path, env string) bool {
	own := l.w.PasswdHome
	if own == "" {
		return false
	}
	if env == "CLAUDE_CONFIG_DIR" {
		own = under(own, ".claude")
	}
	return p.Real == l.path(own).Real
}

// settleHomes decides which home ~ means: HOME if it counts, else the passwd home.
func (l *loader) settleHomes() {
	for _, h := range l.homes {
		if l.envWhy(h.path.Given, h.env) == "" {
			l.p.Home = h.path
		}
	}
	if path.IsAbs(l.w.ConfigDir) && l.envWhy(l.userRoots[0].envDir, l.userRoots[0].env) == "" {
		l.p.ConfigDir = l.userRoots[0].dir
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

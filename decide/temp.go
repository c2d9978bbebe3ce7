package decide

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// temporary reports whether a path is a name below a temporary folder where only
// the user can have put anything: every component that exists is the
// user's own, not writable by others, and no symlink. The path is absolute and
// clean; both forms count.
func (c *Case) temporary(p rules.Path) bool {
	for _, root := range c.tempRoots(p.Given) {
		rest, ok := strings.CutPrefix(p.Given, root+"/")
		if !ok || rest == "" {
			continue
		}
		real := c.path(root).Real
		if p.Real == real+"/"+rest && c.tempRoot(real) && c.ownBelow(real, rest) {
			return true
		}
	}
	return false
}

// tempRoots lists the temporary folders a path may lie in: the system's, by
// both names macOS has for them, and there the one of each user.
func (c *Case) tempRoots(name string) []string {
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
func (c *Case) ownTempRoot(dir string) string {
	for _, other := range [...]string{"/private", "/var/folders"} {
		if !strings.HasPrefix(dir, other+"/") {
			continue
		}
		if _, err := c.World.FS.Lstat(other); errors.Is(err, fs.ErrNotExist) {
			return "/tmp"
		}
	}
	return dir
}

// tempRoot reports whether a temporary folder is what it should be: a folder of
// root or the user in which no one can replace the files of others.
func (c *Case) tempRoot(dir string) bool {
	if c.World.FS == nil {
		return false
	}
	dir = c.ownTempRoot(dir)
	info, err := c.World.FS.Lstat(dir)
	if err != nil || !info.IsDir() {
		return false
	}
	uid, ok := c.World.FS.Owner(info)
	if !ok || uid != 0 && uid != c.World.User.ID {
		return false
	}
	open := c.World.FS.OthersWrite(info)
	if strings.Contains(dir, "/folders/") {
		return uid == c.World.User.ID && !open
	}
	return !open || info.Mode()&fs.ModeSticky != 0
}

// ownBelow looks at the components of rest below a temporary folder.
func (c *Case) ownBelow(root, rest string) bool {
	at := root
	for part := range strings.SplitSeq(rest, "/") {
		at = path.Join(at, part)
		info, err := c.World.FS.Lstat(at)
		if err != nil {
			return errors.Is(err, fs.ErrNotExist) // nothing below it exists either
		}
		uid, ok := c.World.FS.Owner(info)
		if !ok || uid != c.World.User.ID || c.World.FS.OthersWrite(info) || info.Mode()&fs.ModeSymlink != 0 {
			return false
		}
	}
	return true
}

// writesTemp reports whether a unit writes a temporary file for which step 3b
// does not ask: one below a temporary folder, or below what mktemp made, that
// no other command of the text links, moves or unpacks.
func (c *Case) writesTemp(u *unit) bool {
	switch {
	case !u.write:
		return false
	case u.hit.Given == "":
		return u.effect != nil && c.unknownTemp(u)
	case u.effect != nil && u.effect.Glob && !lastOnly(u):
		return false
	}
	return c.temporary(u.hit) && !c.planted(u)
}

// unknownTemp is writesTemp for a path that is not known.
func (c *Case) unknownTemp(u *unit) bool {
	if below := u.effect.Below; below != "" {
		return c.temporary(c.path(path.Join(below, "x"))) && !c.planted(u) && c.eachBelow(u.effect, false, c.temporary)
	}
	return u.effect.Temp && c.tempEnv() && !c.planted(u)
}

// writesTemporary reports whether the call writes such a file that no rule names.
func (c *Case) writesTemporary() bool {
	for i := range c.units {
		if u := &c.units[i]; u.write && !c.inside(u.hit) && c.writesTemp(u) && !c.reaches(u) {
			return true
		}
	}
	return false
}

// tempEnv reports whether mktemp makes its files in a temporary folder: $TMPDIR
// names one, or none.
func (c *Case) tempEnv() bool {
	dir := c.World.User.Temp
	if strings.ContainsAny(dir, " \t\n*?[\\") {
		return false // what mktemp prints may be several words
	}
	if dir == "" {
		return c.isTempRoot("/tmp")
	}
	clean := path.Clean(dir)
	return path.IsAbs(dir) && (c.isTempRoot(clean) || c.temporary(c.path(clean)))
}

// TempDir is $TMPDIR where it is a temporary folder and a word of its own
// without quoting, else "".
func (c *Case) TempDir() string {
	if c.World.User.Temp == "" || !c.tempEnv() || strings.ContainsAny(c.World.User.Temp, " \t\n*?[\\") {
		return ""
	}
	return c.World.User.Temp
}

func (c *Case) isTempRoot(dir string) bool {
	for _, root := range c.tempRoots(dir + "/x") {
		if dir == root {
			return c.tempRoot(c.path(root).Real)
		}
	}
	return false
}

// lastOnly reports whether a pattern has wildcards in its last component only,
// and what it finds is removed or made, not what it may lead to.
func lastOnly(u *unit) bool {
	dir, name := path.Split(u.hit.Given)
	made := u.effect.Kind == bashsafety.Delete || u.sub != nil && u.sub.Program == "mktemp"
	return made && !strings.ContainsAny(dir, `*?[\`) && name != "*"
}

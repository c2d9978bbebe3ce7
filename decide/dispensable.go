package decide

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"permgate/rules"
)

// dispensable reports whether nothing is lost with a folder: it is one that is
// made again, in the project and ignored there, or a temporary one; and nobody
// put anything else in its place.
func (c *Case) dispensable(p rules.Path) bool {
	rel, inProject := c.inProject(p)
	named := inProject && c.isRebuildable(rel)
	if !named && (inProject || c.holdsWorkspace(p) || !c.temporary(p)) {
		return false
	}
	info, err := c.FS.Lstat(p.Real)
	if err != nil { // as far as is known nothing is removed
		return errors.Is(err, fs.ErrNotExist) && c.untracked(p.Real, named)
	}
	if file := info.Mode().IsRegular(); !info.IsDir() && (!file || named && c.isRebuildable(path.Base(rel))) {
		return false // a symlink, or a file with the name of such a folder
	}
	return !c.mounted(p.Real, info) && !c.keeps(p.Real) && c.untracked(p.Real, named)
}

// inProject returns the path of p below the project root. No symlink leads
// there: both forms have the same.
func (c *Case) inProject(p rules.Path) (rel string, ok bool) {
	root := c.Policy.Project
	rel, ok = strings.CutPrefix(p.Real, strings.TrimSuffix(root.Real, "/")+"/")
	if !ok || rel == "" {
		return "", rules.Within(p.Real, root.Real) || rules.Within(p.Given, root.Given)
	}
	for _, form := range [...]string{root.Given, root.Real} {
		if p.Given == path.Join(form, rel) {
			return rel, true
		}
	}
	return "", true
}

// isRebuildable reports whether a path names a folder of the table, or something
// in one.
func (c *Case) isRebuildable(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if slices.Contains(rebuildable[:], part) || strings.HasSuffix(part, rebuildableEnd) ||
			slices.ContainsFunc(c.Policy.Gate.Rebuildable, func(s rules.Setting) bool { return s.Value == part }) {
			return true
		}
	}
	return false
}

// holdsWorkspace reports whether the project, or another folder that the session
// works in, lies at or below a path.
func (c *Case) holdsWorkspace(p rules.Path) bool {
	for _, r := range c.workspace() {
		if rules.Within(r.Given, p.Given) || rules.Within(r.Real, p.Real) {
			return true
		}
	}
	return false
}

// keeps reports whether a folder holds what is not made again: a repository or
// the settings of a deployment.
func (c *Case) keeps(dir string) bool {
	return c.exists(path.Join(dir, ".git")) || c.exists(path.Join(dir, ".env")) ||
		c.exists(path.Join(dir, "HEAD")) && c.exists(path.Join(dir, "objects"))
}

// untracked reports whether git tracks nothing at or below a path, and, where
// ignored is set, is certain to ignore it in the project's own repository.
func (c *Case) untracked(name string, ignored bool) bool {
	root := c.gitRoot(path.Dir(name))
	if root == "" {
		return !ignored
	}
	index := c.index(root)
	if index == nil {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(name, root), "/")
	if rel == "" || index.tracks(rel) {
		return false
	}
	return !ignored || root == c.gitRoot(c.Policy.Project.Real) && c.ignored(index, rel)
}

// maxMounts bounds how much of the list of mounts is read.
const maxMounts = 1 << 20

// mounted reports whether another file system begins at a path or, as far as the
// system lists them, below it.
func (c *Case) mounted(name string, info fs.FileInfo) bool {
	above, err := c.FS.Lstat(path.Dir(name))
	if err != nil {
		return true
	}
	own, ok := c.FS.Device(info)
	if dev, known := c.FS.Device(above); !ok || !known || own != dev {
		return true
	}
	if c.Policy.OS != rules.Linux {
		return false
	}
	data, err := c.FS.ReadFile("/proc/self/mountinfo", maxMounts)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	escapes := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 4 && rules.Within(escapes.Replace(f[4]), name) {
			return true
		}
	}
	return false
}

package decide

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// dispensable says why something may be lost with a folder, "" when it is one that is
// made again, in the project and ignored there, or a temporary one, and nothing
// else is in its place.
func (c *Case) dispensable(p rules.Path) (why string) {
	rel, inProject := c.inProject(p)
	named := inProject && c.isRebuildable(rel)
	if !named && (inProject || c.holdsWorkspace(p) || !c.temporary(p)) {
		return notDispensable
	}
	wantsFolder := named && c.isRebuildable(path.Base(rel))
	if why := c.irreplaceable(p, wantsFolder); why != "" {
		return why
	}
	return c.inGit(p.Real, quoted(p.Given), named)
}

// irreplaceable says what there is in the place of a folder that is made again;
// as far as is known nothing is lost where there is no such file.
func (c *Case) irreplaceable(p rules.Path, wantsFolder bool) (why string) {
	name := quoted(p.Given)
	info, err := c.World.Lstat(p.Real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return name + " cannot be read"
	case !info.IsDir() && (wantsFolder || !info.Mode().IsRegular()):
		return name + " is not a folder"
	case c.mounted(p.Real, info):
		return "another file system is mounted in " + name
	case c.keeps(p.Real):
		return name + " contains a repository or .env"
	}
	return ""
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
			slices.ContainsFunc(c.Policy.Posture.Rebuildable, func(s rules.Setting) bool { return s.Value == part }) {
			return true
		}
	}
	return false
}

// holdsWorkspace reports whether the project, or another folder that the session
// works in, lies at or below a path.
func (c *Case) holdsWorkspace(p rules.Path) bool {
	for _, r := range c.World.Roots {
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

// inGit says what git has to do with a path that must not be removed: it tracks
// something at or below it, or, where ignored is set, is not certain to ignore it
// in the project's own repository.
func (c *Case) inGit(at, name string, ignored bool) (why string) {
	root := c.gitRoot(path.Dir(at))
	if root == "" {
		if ignored {
			return name + " is in no git repository that ignores it"
		}
		return ""
	}
	index := c.index(root)
	rel := strings.TrimPrefix(strings.TrimPrefix(at, root), "/")
	switch {
	case index == nil || rel == "":
		return "the files git tracks in " + name + " are unknown"
	case index.tracks(rel):
		return "git tracks files in " + name
	case ignored && c.Policy.Home.Real != "" && rules.Within(c.Policy.Home.Real, root):
		return name + " is in the repository of the home directory, whose .gitignore says little about projects"
	case ignored && (root != c.gitRoot(c.Policy.Project.Real) || !c.ignored(index, rel)):
		return "no tracked and unchanged .gitignore is certain to ignore " + name
	}
	return ""
}

// maxMounts bounds how much of the list of mounts is read.
const maxMounts = 1 << 20

// mounted reports whether another file system begins at a path or, as far as the
// system lists them, below it.
func (c *Case) mounted(name string, info fs.FileInfo) bool {
	above, err := c.World.FS.Lstat(path.Dir(name))
	if err != nil {
		return true
	}
	own, ok := c.World.FS.Device(info)
	if dev, known := c.World.FS.Device(above); !ok || !known || own != dev {
		return true
	}
	if c.Policy.OS != rules.Linux {
		return false
	}
	data, err := c.World.FS.ReadFile("/proc/self/mountinfo", maxMounts)
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

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
	rel, inProject := c.World.InProject(p)
	named := inProject && c.isRebuildable(rel)
	if !named && (inProject || c.World.HoldsRoots(p) || !c.World.Temporary(p)) {
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
	case c.World.Mounted(p.Real, info):
		return "another file system is mounted in " + name
	case c.keeps(p.Real):
		return name + " contains a repository or .env"
	}
	return ""
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

// keeps reports whether a folder holds what is not made again: a repository or
// the settings of a deployment.
func (c *Case) keeps(dir string) bool {
	return c.World.Exists(path.Join(dir, ".git")) || c.World.Exists(path.Join(dir, ".env")) ||
		c.World.Exists(path.Join(dir, "HEAD")) && c.World.Exists(path.Join(dir, "objects"))
}

// inGit says what git has to do with a path that must not be removed: it tracks
// something at or below it, or, where ignored is set, is not certain to ignore it
// in the project's own repository.
func (c *Case) inGit(at, name string, ignored bool) (why string) {
	root := c.repos.RootOf(path.Dir(at))
	if root == "" {
		if ignored {
			return name + " is in no git repository that ignores it"
		}
		return ""
	}
	index := c.repos.Index(root)
	rel := strings.TrimPrefix(strings.TrimPrefix(at, root), "/")
	switch {
	case index == nil || rel == "":
		return "the files git tracks in " + name + " are unknown"
	case index.Tracks(rel):
		return "git tracks files in " + name
	case ignored && c.Policy.Home.Real != "" && rules.Within(c.Policy.Home.Real, root):
		return name + " is in the repository of the home directory, whose .gitignore says little about projects"
	case ignored && (root != c.repos.RootOf(c.Policy.Project.Real) || !c.repos.Ignored(index, rel)):
		return "no tracked and unchanged .gitignore is certain to ignore " + name
	}
	return ""
}

package decide

import (
	"path"

	"github.com/permgate--owner/permgate/rules"
)

// otherRepo reports whether dir belongs to another git repository than the
// session: its configuration and hooks were never vetted. The session's are that
// of the project and, where hosts go on in the folder that a call went to, that
// of the directory. But a repository without .git is one among the files of a
// project, where anything may have brought it along.
func (c *Case) otherRepo(dir rules.Path) bool {
	if c.World.FS == nil {
		return false
	}
	got := c.gitRoot(dir.Real)
	if got == "" || got == c.gitRoot(c.World.Project.Real) {
		return false
	}
	return got != c.gitRoot(c.World.Cwd.Real) || !c.World.Exists(path.Join(got, ".git"))
}

// gitRoot returns the nearest directory at or above dir that git would take as
// a repository: one that holds .git, or a bare one.
func (c *Case) gitRoot(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		if c.World.Exists(path.Join(d, ".git")) || c.bareAt(d) {
			return d
		}
		if d == "/" || d == "." || d == "" {
			return ""
		}
	}
}

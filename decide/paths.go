package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// path returns the two forms of an absolute, clean path. Resolution is
// memoised for one call only: a cache that outlives it would be a hole.
func (c *Case) path(given string) rules.Path {
	if c.World.FS == nil || given == "" || strings.ContainsRune(given, 0) {
		return rules.Path{Given: given, Real: given}
	}
	real, ok := c.real[given]
	if !ok {
		real = c.World.OS.Canon(load.Resolve(c.World.FS, given))
		if c.real == nil {
			c.real = make(map[string]string, 8)
		}
		c.real[given] = real
	}
	return rules.Path{Given: given, Real: real}
}

// toolPath returns both forms of a path as a tool sent it.
func (c *Case) toolPath(sent string) rules.Path { return c.pathIn(sent, c.World.Dir) }

// pathIn is toolPath with another base for relative paths.
func (c *Case) pathIn(sent, base string) rules.Path {
	clean, _ := c.World.OS.Clean(sent, base, c.World.Home.Given)
	return c.path(clean)
}

// effectPath returns both forms of the path of an effect. Real is where the
// kernel goes, which follows .. after a symlink from where that leads.
func (c *Case) effectPath(e *bashsafety.Effect) rules.Path {
	given := e.Path
	if e.Known { // root and cwd of a process are other names, .. after them too
		whole := given
		if e.Raw != "" {
			whole = e.Raw
		}
		if strings.Contains(whole, "/proc/") {
			given = rules.CleanPath(whole, c.World.Cwd.Given, c.World.Home.Given)
		}
	}
	if c.World.OS != rules.Linux {
		given, _ = c.World.OS.Effect(given, e.Raw, c.World.Cwd.Given, e.Glob)
	}
	p := c.path(given)
	if e.Raw != "" && c.World.FS != nil && (c.World.OS != rules.Windows || !strings.ContainsAny(e.Raw, `:\`)) {
		p.Real = c.World.OS.Canon(load.Follow(c.World.FS, e.Raw))
	}
	return p
}

// guarded returns permgate's own files.
func (c *Case) guarded() []string {
	if c.own == nil && c.World.Guarded != nil {
		c.own = c.World.Guarded()
	}
	return c.own
}

// guardedFolded returns both forms of permgate's own files, as foldPath spells them.
func (c *Case) guardedFolded() []rules.Path {
	if c.ownFolded == nil {
		for _, g := range c.guarded() {
			own := c.path(g)
			c.ownFolded = append(c.ownFolded, rules.Path{Given: foldPath(own.Given), Real: foldPath(own.Real)})
		}
	}
	return c.ownFolded
}

// inside reports whether both forms of p lie in the workspace. A symlink in the
// workspace that leads out of it is outside, and so is a way in from outside.
func (c *Case) inside(p rules.Path) bool {
	return c.under(p.Given) && c.under(p.Real)
}

func (c *Case) under(name string) bool {
	for _, r := range c.World.Roots {
		if rules.Within(name, r.Given) || rules.Within(name, r.Real) {
			return true
		}
	}
	return false
}

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
	return got != c.gitRoot(c.World.Cwd.Real) || !c.exists(path.Join(got, ".git"))
}

// gitRoot returns the nearest directory at or above dir that git would take as
// a repository: one that holds .git, or a bare one.
func (c *Case) gitRoot(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		if c.exists(path.Join(d, ".git")) || c.bareAt(d) {
			return d
		}
		if d == "/" || d == "." || d == "" {
			return ""
		}
	}
}

func (c *Case) exists(name string) bool {
	_, err := c.World.FS.Lstat(name)
	return err == nil
}

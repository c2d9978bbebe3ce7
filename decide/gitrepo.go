package decide

import (
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules/load"
)

// A gitRepo is a repository as git finds it from a directory.
type gitRepo struct {
	root   string // the work tree, or the bare repository itself; "" where there is none
	dir    string // what belongs to this work tree: HEAD, index, config.worktree
	common string // what all work trees of the repository share: config, hooks
	bare   bool
	linked bool   // the work tree was added to a repository that has another one
	why    string // why it is not known whether git would take it
}

// maxGitFile bounds every file of a foreign repository that is read as text.
const maxGitFile = 64 << 10

// repoAt finds the repository that git would use in a directory. It walks up as
// git does; symlinks in dir were followed before. A file system border or
// GIT_CEILING_DIRECTORIES may end git's own search sooner, which finds less.
func (c *Case) repoAt(dir string) *gitRepo {
	for i := range c.repos {
		if c.repos[i].from == dir {
			return c.repos[i].repo
		}
	}
	r := c.searchRepo(dir)
	c.repos = append(c.repos, foundRepo{dir, r})
	return r
}

// A foundRepo is an answer of repoAt.
type foundRepo struct {
	from string
	repo *gitRepo
}

func (c *Case) searchRepo(dir string) *gitRepo {
	for d := dir; path.IsAbs(d); d = path.Dir(d) {
		switch info, err := c.World.FS.Lstat(path.Join(d, ".git")); {
		case err == nil:
			return c.workTree(d, info)
		case !world.Absent(err):
			return &gitRepo{root: d, why: "its .git cannot be read"}
		case c.bareAt(d):
			r := &gitRepo{root: d, dir: d, common: d, bare: true}
			if c.World.Exists(path.Join(d, "commondir")) {
				r.why = "it is a bare repository that shares another one's configuration"
			}
			return r
		}
		if d == path.Dir(d) {
			break
		}
	}
	return &gitRepo{}
}

// bareAt reports whether git might take a directory for a repository without a
// work tree. A file commondir may say where its objects are.
func (c *Case) bareAt(d string) bool {
	return c.World.Exists(path.Join(d, "HEAD")) &&
		(c.World.Exists(path.Join(d, "objects")) || c.World.Exists(path.Join(d, "refs")) || c.World.Exists(path.Join(d, "commondir")))
}

// workTree reads what .git in a directory says.
func (c *Case) workTree(root string, info fs.FileInfo) *gitRepo {
	r := &gitRepo{root: root}
	switch at := path.Join(root, ".git"); {
	case info.IsDir():
		r.dir = at
	case info.Mode().IsRegular():
		line, ok := c.gitLine(at)
		target, found := strings.CutPrefix(line, "gitdir: ")
		if !ok || !found || target == "" {
			r.why = "its .git cannot be understood"
			return r
		}
		r.dir = c.gitPath(root, target)
	default:
		r.why = "its .git is neither a directory nor a file"
		return r
	}
	r.common = r.dir
	if common := path.Join(r.dir, "commondir"); c.World.Exists(common) {
		line, ok := c.gitLine(common)
		if !ok || line == "" {
			r.why = "its commondir cannot be understood"
			return r
		}
		r.common, r.linked = c.gitPath(r.dir, line), true
	}
	if !c.validGit(r) {
		r.why = "git may not take its .git for a repository, and look further up"
	}
	return r
}

// gitLine reads a file that holds one line.
func (c *Case) gitLine(name string) (string, bool) {
	data, err := c.World.FS.ReadFile(name, maxGitFile)
	line := strings.TrimSuffix(string(data), "\n")
	return line, err == nil && !strings.ContainsAny(line, "\n\r\x00")
}

// gitPath is where a path in a file of git leads.
func (c *Case) gitPath(base, name string) string {
	if !path.IsAbs(name) {
		name = base + "/" + name
	}
	return load.Follow(c.World.FS, name)
}

// validGit reports whether a git directory is one for git as well: it has a HEAD
// that names a branch or a commit, objects and refs.
func (c *Case) validGit(r *gitRepo) bool {
	head, ok := c.gitLine(path.Join(r.dir, "HEAD"))
	if !ok || !strings.HasPrefix(head, "ref: refs/") && !objectName(head) {
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := c.World.FS.Lstat(path.Join(r.common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

// objectName reports the name of a commit.
func objectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// Package repo answers what a decision asks about git repositories: which one a folder
// belongs to, what it tracks and ignores, and whether something in it makes git run a
// program. It reads what git wrote to the disk, and runs nothing.
package repo

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Repos are the repositories that one call looked at.
type Repos struct {
	World   *world.World
	git     gitindex.Git
	repos   map[string]*Repo   // what At said
	indexes map[string]*Index  // what Index said
	backups map[string]*backup // by work tree
	packs   map[string][]pack  // that were read, by repository
}

// New knows no repository yet.
func New(w *world.World) *Repos {
	return &Repos{World: w, git: w.Git(), repos: map[string]*Repo{}, indexes: map[string]*Index{}, backups: map[string]*backup{},
		packs: map[string][]pack{}}
}

// A Repo is a repository as git finds it from a directory.
type Repo = gitindex.Place

// MaxFile bounds every file of a foreign repository that is read as text.
const MaxFile = 64 << 10

// RootOf returns the nearest directory at or above dir that git would take as
// a repository: one that holds .git, or a bare one.
func (g *Repos) RootOf(dir string) string { return g.At(dir).Root }

// Other reports whether dir belongs to another git repository than the
// session: its configuration and hooks were never vetted. The session's are that
// of the project and, where hosts go on in the folder that a call went to, that
// of the directory. But a repository without .git is one among the files of a
// project, where anything may have brought it along.
func (g *Repos) Other(dir rules.Path) bool {
	if g.World.Blind() {
		return false
	}
	got := g.RootOf(dir.Real)
	if got == "" || got == g.RootOf(g.World.Project.Real) {
		return false
	}
	return got != g.RootOf(g.World.Cwd.Real) || !g.World.Exists(path.Join(got, ".git"))
}

// OwnWorktree reports whether a repository is the project's own in another work tree: each of the
// two is known by the repository they share.
func (g *Repos) OwnWorktree(r *Repo) bool {
	own := g.At(g.World.Project.Real)
	if !g.git.Mine(r) || !g.git.Mine(own) {
		return false
	}
	return r.Common == own.Common && r.Dir != own.Dir
}

// At finds the repository that git would use in a directory.
func (g *Repos) At(dir string) *Repo {
	r, ok := g.repos[dir]
	if !ok {
		r = g.checked(g.git.Around(dir))
		g.repos[dir] = r
	}
	return r
}

// checked says of a repository why git might not take it.
func (g *Repos) checked(r Repo) *Repo {
	switch {
	case r.Why != "":
		r.Dir, r.Common = "", ""
	case r.Bare && g.World.Exists(path.Join(r.Dir, "commondir")):
		r.Why = "it is a bare repository that shares another one's configuration"
	case r.Root != "" && !r.Bare && !g.validGit(&r):
		r.Why = "git may not take its .git for a repository, and look further up"
	}
	return &r
}

// validGit reports whether a git directory is one for git as well: it has a HEAD
// that names a branch or a commit, objects and refs.
func (g *Repos) validGit(r *Repo) bool {
	head, ok := g.git.Line(path.Join(r.Dir, "HEAD"))
	if !ok || !strings.HasPrefix(head, "ref: refs/") && !objectName(head) {
		return false
	}
	for _, name := range [...]string{"objects", "refs"} {
		if info, err := g.World.Lstat(path.Join(r.Common, name)); err != nil || !info.IsDir() {
			return false
		}
	}
	return true
}

func objectName(s string) bool {
	return (len(s) == 40 || len(s) == 64) && strings.Trim(s, "0123456789abcdef") == ""
}

// OpenPlace is for a directory in no repository. Where it is not there yet, only
// the user may be able to make it.
func (g *Repos) OpenPlace(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		info, err := g.World.Lstat(d)
		switch {
		case err == nil && d == dir:
			return "" // git finds nothing there
		case err == nil:
			if uid, ok := g.World.Owner(info); ok && uid == g.World.User.ID && !g.World.OthersWrite(info) {
				return ""
			}
			fallthrough
		case !world.Absent(err), d == path.Dir(d):
			return "there is no " + dir + " yet, and its contents are unknown"
		}
	}
}

// Owned reports whether the file system knows owners at all: where it does not,
// nothing is proven, and nothing is known against a repository either.
func (g *Repos) Owned(name string) bool {
	info, err := g.World.Lstat(name)
	if err != nil {
		return true
	}
	_, ok := g.World.Owner(info)
	return ok
}

// maxHooks bounds the files of a folder of hooks that a stamp is made of.
const maxHooks = 64

// Stamp is a text that changes with what says which programs git runs in a repository: its configuration, hooks and
// attributes. It is "" where that is not all, or cannot be read: settings that are not inert, files that they
// name, hooks in a place of their own. A text and further files count as well.
func (g *Repos) Stamp(r *Repo, text string, also ...string) string {
	if g.NotInert(r, nil) != "" {
		return ""
	}
	config := path.Join(r.Common, "config")
	files := []string{path.Join(r.Root, ".git"), config, path.Join(r.Dir, "config.worktree"), path.Join(r.Common, "config.worktree"),
		path.Join(r.Common, "info", "attributes"), path.Join(r.Root, ".gitattributes")}
	for _, name := range files[1:4] {
		text, _ := g.World.Read(name, MaxFile)
		all, ok := readConfig(string(text))
		if moved := func(s setting) bool { return s.key() == "core.hookspath" }; !ok || slices.ContainsFunc(all, moved) {
			return ""
		}
	}
	configs, ok := g.included()
	if !ok {
		return ""
	}
	for _, dir := range append(g.hookFolders(r.Root, configs), path.Join(r.Common, "hooks")) {
		hooks, err := g.World.Names(dir)
		if err != nil && !world.Absent(err) || len(hooks) > maxHooks {
			return ""
		}
		for _, name := range hooks {
			files = append(files, path.Join(dir, name))
		}
	}
	sum := bytes.NewBufferString(text)
	for _, name := range append(files, also...) {
		if !g.stamp(sum, name) {
			return ""
		}
	}
	return fmt.Sprintf("%x", gitindex.Blob(sum.Bytes()))
}

// stamp adds a file, or that it is missing, to a stamp. false: it cannot be read.
func (g *Repos) stamp(sum *bytes.Buffer, name string) bool {
	info, err := g.World.Lstat(name)
	switch {
	case err != nil && world.Absent(err):
		sum.WriteString(name + "\x00-\x00")
		return true
	case err != nil, !info.IsDir() && !info.Mode().IsRegular():
		return false
	}
	sum.WriteString(name + "\x00" + info.Mode().String() + "\x00")
	if info.IsDir() {
		return true
	}
	text, err := g.World.Read(name, MaxFile)
	sum.WriteString(strconv.Itoa(len(text)) + info.ModTime().UTC().Format(time.RFC3339Nano) + "\x00")
	sum.Write(text)
	return err == nil
}

// Plants reports whether a write may change what git finds from a directory.
func (g *Repos) Plants(e *bashsafety.Effect, r *Repo, dir rules.Path) bool {
	if !e.Known {
		return true
	}
	p := g.World.EffectPath(e)
	for _, name := range [...]string{p.Given, p.Real} {
		if hasGitDir(name) || rules.Within(name, r.Dir) || rules.Within(name, r.Common) {
			return true
		}
		for _, place := range [...]string{dir.Given, dir.Real, r.Root, r.Dir, r.Common} {
			if place != "" && changesFound(name, place, e.Recursive) {
				return true
			}
		}
	}
	return false
}

// hasGitDir reports whether a component of a path is .git in some spelling.
func hasGitDir(name string) bool {
	for part := range strings.SplitSeq(name, "/") {
		if grammar.FoldPath(part) == ".git" {
			return true
		}
	}
	return false
}

// changesFound reports whether writing a name, with all below it where it is
// recursive, may change what git finds from a place.
func changesFound(name, place string, recursive bool) bool {
	below := rules.Within(name, place)
	if rules.Within(place, name) || below && recursive {
		return true
	}
	return gitPart(path.Base(name)) && (below || rules.Within(place, path.Dir(name)))
}

// gitPart names what makes a directory a repository, or is one of its settings.
func gitPart(name string) bool {
	return slices.Contains([]string{
		"head", "objects", "refs", "commondir", "config", "config.worktree", "post-index-change",
	}, grammar.FoldPath(name))
}

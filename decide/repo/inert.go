package repo

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// An inertCheck is the proof that nothing in a repository makes a command that
// only reads run a program of the repository's choice. Every step can only take
// the proof away.
type inertCheck struct {
	c    *Repos
	own  string // the common directory of the session's own repository
	left int    // repositories that may still be looked at
	all  bool   // what changes the repository is to be proven, too: no hook, no program it commits with
}

// NotInert says why reading a repository that is not the session's may run
// something, "" when it is proven that it does not. indexes are those that the
// command uses besides the work tree's own.
func (g *Repos) NotInert(r *Repo, indexes []string) string {
	k := inertCheck{c: g, left: 1 + maxSubmodules}
	if own := g.At(g.World.Project.Real); own.Why == "" {
		k.own = own.Common
	}
	if why := k.repo(r); why != "" {
		return why
	}
	for _, index := range indexes {
		if why := k.links(r, index); why != "" {
			return why
		}
	}
	return ""
}

// NotInertWriting is NotInert for a command that changes the repository.
func (g *Repos) NotInertWriting(r *Repo) string {
	k := inertCheck{c: g, left: 1 + maxSubmodules, all: true}
	return k.repo(r)
}

func (k *inertCheck) repo(r *Repo) string {
	if k.left--; k.left < 0 {
		return "it has too many submodules to check"
	}
	if r.Why != "" {
		return r.Why
	}
	for _, f := range [...]func(*Repo) string{k.place, k.owners, k.configs, k.submodules} {
		if why := f(r); why != "" {
			return why
		}
	}
	return ""
}

// place is about where the repository is: a bare one in a work tree may have
// come with the files there, and a work tree must be one that its repository
// knows.
func (k *inertCheck) place(r *Repo) string {
	if r.Bare {
		if k.c.World.Under(r.Root) || k.c.At(path.Dir(r.Root)).Root != "" {
			return "it is a bare repository inside a work tree or the workspace"
		}
		if !k.c.validGit(r) {
			return "git may not take it for a repository"
		}
	}
	return k.c.git.Unknown(r)
}

// owners: all that git reads to learn what to run is the user's own.
func (k *inertCheck) owners(r *Repo) string {
	names := []string{r.Root, r.Dir, r.Common}
	if !r.Bare {
		names = append(names, path.Join(r.Root, ".git"))
	}
	for _, name := range names {
		if why := k.c.git.Foreign(name, true); why != "" {
			return why
		}
	}
	hooks := path.Join(r.Common, "hooks")
	if why := k.c.git.Foreign(hooks, false); why != "" {
		return why
	}
	return k.hook(hooks)
}

// gitHooks are the hooks that local commands run; post-index-change is run by those that read as well.
const gitHooks = "pre-commit prepare-commit-msg commit-msg post-commit pre-merge-commit post-merge post-checkout pre-rebase " +
	"post-rewrite reference-transaction pre-auto-gc applypatch-msg pre-applypatch post-applypatch fsmonitor-watchman pre-push"

// hook: git status writes the index, and runs this hook then.
func (k *inertCheck) hook(dir string) string {
	for name := range strings.FieldsSeq(gitHooks) {
		if _, err := k.c.World.Lstat(path.Join(dir, name)); k.all && (err == nil || !world.Absent(err)) {
			return "it has a " + name + " hook"
		}
	}
	if _, err := k.c.World.Lstat(path.Join(dir, "post-index-change")); err == nil || !world.Absent(err) {
		return "it has a post-index-change hook"
	}
	return ""
}

// configs looks at both config files. The one that the session's own repository
// shares is the session's own.
func (k *inertCheck) configs(r *Repo) string {
	names := []string{path.Join(r.Dir, "config.worktree"), path.Join(r.Common, "config.worktree"),
		path.Join(r.Common, "config")}
	if r.Common == k.own {
		names = names[:1]
	}
	for _, name := range names {
		if why := k.config(r, name); why != "" {
			return why
		}
	}
	return ""
}

func (k *inertCheck) config(r *Repo, name string) string {
	if _, err := k.c.World.Lstat(name); err != nil && world.Absent(err) {
		return ""
	}
	if why := k.c.git.Foreign(name, true); why != "" {
		return why
	}
	data, err := k.c.World.Read(name, MaxFile)
	if err != nil {
		return name + " cannot be read, or is too large"
	}
	all, ok := readConfig(string(data))
	if !ok {
		return name + " has syntax permgate does not read"
	}
	for i := range all {
		if s := &all[i]; !s.inert() && !k.inertHere(r, s) || k.all && s.signs() {
			return name + " sets " + grammar.Quote(s.key())
		}
	}
	return ""
}

// inertHere is for settings that name a place: they are inert where it is the
// one that git would have taken anyway, or a folder without the hook.
func (k *inertCheck) inertHere(r *Repo, s *setting) bool {
	if s.value == "" || s.value[0] == '~' || s.value[0] == '%' {
		return false
	}
	switch s.key() {
	case "core.worktree":
		return !r.Bare && !r.Linked && k.c.git.Path(r.Dir, s.value) == r.Root
	case "core.hookspath": // from where hooks run, the top of the work tree
		dir := k.c.git.Path(r.Root, s.value)
		return k.c.git.Foreign(dir, false) == "" && k.hook(dir) == ""
	}
	return false
}

// maxSubmodules bounds the repositories inside a repository that are checked.
const maxSubmodules = 16

// maxGitlinks bounds the submodules of one index, checked out or not.
const maxGitlinks = 512

// submodules: commands that read go into the work trees that the index names as
// repositories of their own.
func (k *inertCheck) submodules(r *Repo) string {
	if r.Bare {
		return ""
	}
	return k.links(r, path.Join(r.Dir, "index"))
}

func (k *inertCheck) links(r *Repo, index string) string {
	names, ok := k.gitlinks(index)
	if !ok {
		return "its index cannot be read"
	}
	for _, name := range names {
		at := path.Join(r.Root, name)
		if !rules.Within(at, r.Root) || k.c.World.Follow(at) != at {
			return "its submodule " + name + " is reached through a symlink"
		}
		sub, there := k.c.git.At(at)
		if !there {
			continue // not checked out
		}
		if why := k.repo(k.c.checked(sub)); why != "" {
			return "in its submodule " + name + " " + why
		}
	}
	return ""
}

// maxLinkIndex bounds an index in which submodules are looked for.
const maxLinkIndex = 16 << 20

// gitlinks returns what an index names as repositories of their own. ok is false
// for an index that cannot be read, is split or not understood, and for more of
// them than are looked at; without an index nothing was ever added.
func (k *inertCheck) gitlinks(index string) (names []string, ok bool) {
	data, err := k.c.World.Read(index, maxLinkIndex)
	if err != nil {
		return nil, world.Absent(err)
	}
	for _, hash := range [...]int{20, 32} {
		names = nil
		whole := gitindex.Scan(data, hash, func(e *gitindex.Entry) {
			if e.Mode&0o170000 == 0o160000 && len(names) < maxGitlinks {
				names = append(names, string(e.Name))
			}
		})
		if whole {
			return names, len(names) < maxGitlinks
		}
	}
	return nil, false
}

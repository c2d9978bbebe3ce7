package decide

import (
	"path"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/load"
)

// maxSubmodules bounds the repositories inside a repository that are checked.
const maxSubmodules = 16

// maxGitlinks bounds the submodules of one index, checked out or not.
const maxGitlinks = 512

// submodules: commands that read go into the work trees that the index names as
// repositories of their own.
func (k *inertCheck) submodules(r *gitRepo) string {
	if r.bare {
		return ""
	}
	return k.links(r, path.Join(r.dir, "index"))
}

func (k *inertCheck) links(r *gitRepo, index string) string {
	names, ok := k.gitlinks(index)
	if !ok {
		return "its index cannot be read"
	}
	for _, name := range names {
		at := path.Join(r.root, name)
		if !rules.Within(at, r.root) || load.Follow(k.c.World.FS, at) != at {
			return "its submodule " + name + " is reached through a symlink"
		}
		info, err := k.c.World.FS.Lstat(path.Join(at, ".git"))
		if err != nil && world.Absent(err) {
			continue // not checked out
		}
		if err != nil {
			return "its submodule " + name + " cannot be read"
		}
		if why := k.repo(k.c.workTree(at, info)); why != "" {
			return "in its submodule " + name + " " + why
		}
	}
	return ""
}

// maxLinkIndex bounds an index in which submodules are looked for.
const maxLinkIndex = 16 << 20

// gitlinks returns what an index names as repositories of their own. ok is false
// for an index that cannot be read, is split or not understood, and for more of
// them than are looked at; where there is none, nothing was ever added.
func (k *inertCheck) gitlinks(index string) (names []string, ok bool) {
	data, err := k.c.World.FS.ReadFile(index, maxLinkIndex)
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

package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// A gitRisk says why a git command that reads may do more in the repository it
// works in. The zero value is none: the repository is the session's own, or
// proven to be inert.
type gitRisk struct {
	why string
	// seen is set when what is there now says so, and not only that it could not
	// be proven.
	seen bool
}

// gitRead looks at a git command that only reads, in a directory that may belong
// to another repository than the session's.
func (c *Case) gitRead(sub *bashsafety.Subcommand, e *bashsafety.Effect) gitRisk {
	if !e.Known {
		return gitRisk{why: "the repository is unknown, and its configuration can run programs"}
	}
	p := c.World.EffectPath(e)
	if c.World.FS == nil {
		if c.World.Inside(p) {
			return gitRisk{}
		}
		return gitRisk{why: "the configuration of another repository can run programs: " + e.Path}
	}
	own := c.Policy.Project.Real
	if p.Real == own {
		return gitRisk{} // the session's own directory, whatever is there
	}
	if !path.IsAbs(p.Real) {
		return gitRisk{why: "the repository is unknown, and its configuration can run programs"}
	}
	if root := c.gitRoot(p.Real); root != "" && root == c.gitRoot(own) {
		return gitRisk{}
	}
	r := c.repoAt(p.Real)
	if why := c.replanted(r, p); why != "" {
		return gitRisk{why: why}
	}
	if r.root == "" {
		return gitRisk{why: c.openPlace(p.Real)}
	}
	indexes, why := c.gitVariables(sub, r)
	if why != "" {
		return gitRisk{why: why, seen: true}
	}
	if why := c.gitEnviron(); why != "" {
		return gitRisk{why: why, seen: c.World.Environ != nil}
	}
	if why := c.notInert(r, indexes); why != "" {
		if !strings.HasPrefix(why, "/") {
			why = r.root + ": " + why
		}
		return gitRisk{why: "the configuration of another repository can run programs: " + why, seen: c.owned(r.root)}
	}
	if why := sub.GitReach(); why != "" {
		return gitRisk{why: why}
	}
	return gitRisk{}
}

// openPlace is for a directory in no repository. Where it is not there yet, only
// the user may be able to make it.
func (c *Case) openPlace(dir string) string {
	for d := dir; ; d = path.Dir(d) {
		info, err := c.World.FS.Lstat(d)
		switch {
		case err == nil && d == dir:
			return "" // git finds nothing there
		case err == nil:
			if uid, ok := c.World.FS.Owner(info); ok && uid == c.World.User.ID && !c.World.FS.OthersWrite(info) {
				return ""
			}
			fallthrough
		case !world.Absent(err), d == path.Dir(d):
			return "there is no " + dir + " yet, and its contents are unknown"
		}
	}
}

// owned reports whether the file system knows owners at all: where it does not,
// nothing is proven, and nothing is known against a repository either.
func (c *Case) owned(name string) bool {
	info, err := c.World.FS.Lstat(name)
	if err != nil {
		return true
	}
	_, ok := c.World.FS.Owner(info)
	return ok
}

// replanted says whether the same text may first put something into the
// repository, or a repository where none is. What git itself makes of a clone
// holds no settings but git's own.
func (c *Case) replanted(r *gitRepo, dir rules.Path) string {
	for i := range c.Script.Subcommands {
		sub := &c.Script.Subcommands[i]
		if sub.MakesRepository() {
			continue
		}
		for j := range sub.Effects {
			e := &sub.Effects[j]
			if (e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete) && c.plants(e, r, dir) {
				return "the same command writes " + shown(e) + ", which may change which repository this is"
			}
		}
	}
	return ""
}

// plants reports whether a write may change what git finds from a directory.
func (c *Case) plants(e *bashsafety.Effect, r *gitRepo, dir rules.Path) bool {
	if !e.Known {
		return true
	}
	p := c.World.EffectPath(e)
	for _, name := range [...]string{p.Given, p.Real} {
		if hasGitDir(name) || rules.Within(name, r.dir) || rules.Within(name, r.common) {
			return true
		}
		for _, place := range [...]string{dir.Given, dir.Real, r.root, r.dir, r.common} {
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
		if rules.FoldPath(part) == ".git" {
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
	switch rules.FoldPath(name) {
	case "head", "objects", "refs", "commondir", "config", "config.worktree", "post-index-change":
		return true
	}
	return false
}

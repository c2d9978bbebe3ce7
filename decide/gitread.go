package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
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
	if c.World.Blind() {
		if c.World.Inside(p) {
			return gitRisk{}
		}
		return gitRisk{why: "the configuration of another repository can run programs: " + e.Path}
	}
	own := c.World.Project.Real
	if p.Real == own {
		return gitRisk{} // the session's own directory, whatever is there
	}
	if !path.IsAbs(p.Real) {
		return gitRisk{why: "the repository is unknown, and its configuration can run programs"}
	}
	if root := c.repos.RootOf(p.Real); root != "" && root == c.repos.RootOf(own) {
		return gitRisk{}
	}
	r := c.repos.At(p.Real)
	if why := c.replanted(r, p); why != "" {
		return gitRisk{why: why}
	}
	if r.Root == "" {
		return gitRisk{why: c.repos.OpenPlace(p.Real)}
	}
	indexes, why := c.repos.Variables(sub, r)
	if why != "" {
		return gitRisk{why: why, seen: true}
	}
	if why := c.repos.EnvironRisk(); why != "" {
		return gitRisk{why: why, seen: c.World.Environ != nil}
	}
	if why := c.repos.NotInert(r, indexes); why != "" {
		if !strings.HasPrefix(why, "/") {
			why = r.Root + ": " + why
		}
		return gitRisk{why: "the configuration of another repository can run programs: " + why, seen: c.repos.Owned(r.Root)}
	}
	if why := sub.GitReach(); why != "" {
		return gitRisk{why: why}
	}
	return gitRisk{}
}

// replanted says whether the same text may first put something into the
// repository, or a repository where none is. What git itself makes of a clone
// holds no settings but git's own.
func (c *Case) replanted(r *repo.Repo, dir rules.Path) string {
	for i := range c.Script.Subcommands {
		sub := &c.Script.Subcommands[i]
		if sub.MakesRepository() {
			continue
		}
		for j := range sub.Effects {
			e := &sub.Effects[j]
			if (e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete) && c.repos.Plants(e, r, dir) {
				return "the same command writes " + shown(e) + ", which may change which repository this is"
			}
		}
	}
	return ""
}

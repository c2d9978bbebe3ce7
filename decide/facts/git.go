package facts

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/rules"
)

// WithoutGitOptions is a git command as a rule sees it without its global options.
func WithoutGitOptions(sub *bashsafety.Subcommand) rules.Command {
	wide := rules.Command{}
	for _, alt := range sub.Alt {
		wide.Allow = append(wide.Allow, text(alt))
	}
	return wide
}

// ForeignRepo reports whether a command reads a repository outside the project that may run something.
func (c *scene) ForeignRepo(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		switch e.Kind {
		case bashsafety.GitRead:
			if c.GitReadRisk(sub, e).Why != "" {
				return true
			}
		case bashsafety.GitChange:
			if !c.OwnRepository(sub, e) && (!e.Known || !c.World().Inside(c.World().EffectPath(e))) {
				return true
			}
		}
	}
	return false
}

// GitActive says what a git command in a repository may run besides git, "" when
// that is proven to be nothing. What the user's own configuration names is theirs.
func (c *scene) GitActive(sub *bashsafety.Subcommand, p rules.Path) string {
	if c.World().Blind() || !path.IsAbs(p.Real) {
		return "the repository is unknown, and its hooks can run programs"
	}
	r := c.Repos().At(p.Real)
	if why := c.Replanted(r, p, nil); why != "" {
		return why
	}
	if r.Root == "" {
		return c.Repos().OpenPlace(p.Real)
	}
	if _, why := c.Repos().Variables(sub, r); why != "" {
		return why
	}
	if why := c.Repos().NotInertWriting(r); why != "" {
		return "the repository can run programs: " + why
	}
	return ""
}

// A GitRisk says why a git command that reads may do more in the repository it
// works in. The zero value is no risk: the repository is the session's own, or
// proven to be inert.
type GitRisk struct {
	Why string
	// seen is set when what is there now says so, and not only that it could not
	// be proven.
	Seen bool
}

// GitReadRisk looks at a git command that only reads, in a directory that may belong
// to another repository than the session's.
func (c *scene) GitReadRisk(sub *bashsafety.Subcommand, e *bashsafety.Effect) GitRisk {
	p, own := c.World().EffectPath(e), c.World().Project.Real
	switch blind := c.World().Blind(); {
	case !e.Known, !blind && p.Real != own && !path.IsAbs(p.Real):
		return GitRisk{Why: "the repository is unknown, and its configuration can run programs"}
	case blind && !c.World().Inside(p):
		return GitRisk{Why: "the configuration of another repository can run programs: " + e.Path}
	case blind, p.Real == own: // the session's own directory, whatever is there
		return GitRisk{}
	}
	if root := c.Repos().RootOf(p.Real); root != "" && root == c.Repos().RootOf(own) {
		return GitRisk{}
	}
	r := c.Repos().At(p.Real)
	if why := c.Replanted(r, p, nil); why != "" {
		return GitRisk{Why: why}
	}
	if r.Root == "" {
		return GitRisk{Why: c.Repos().OpenPlace(p.Real)}
	}
	indexes, why := c.Repos().Variables(sub, r)
	if why != "" {
		return GitRisk{Why: why, Seen: c.World().Environ != nil || why != c.Repos().EnvironRisk()}
	}
	if why := c.Repos().NotInert(r, indexes); why != "" {
		if !strings.HasPrefix(why, "/") {
			why = r.Root + ": " + why
		}
		why = c.Policy().OS.Native(why)
		return GitRisk{Why: "the configuration of another repository can run programs: " + why, Seen: c.Repos().Owned(r.Root)}
	}
	if why := sub.GitReach(); why != "" {
		return GitRisk{Why: why}
	}
	return GitRisk{}
}

// OtherRepository reports whether a directory belongs to another repository than the session's,
// or may by the time git runs there. A work tree of the project's own does not.
func (c *scene) OtherRepository(dir rules.Path) bool {
	if !c.Repos().Other(dir) {
		return false
	}
	r := c.Repos().At(dir.Real)
	return !c.Repos().OwnWorktree(r) || c.Replanted(r, dir, nil) != ""
}

// OwnRepository reports whether git works in a repository of the user's own, though it is not the session's: a work
// tree of the project's, an additional directory of the user's or the administrator's settings, or what permgate trust
// --repo recorded, while nothing there runs a program that it did not then.
func (c *scene) OwnRepository(sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	if !e.Known || c.World().Blind() {
		return false
	}
	p := c.World().EffectPath(e)
	r := c.Repos().At(p.Real)
	if !c.Repos().OwnWorktree(r) && !c.usersOwn(r) && !c.made(p) || c.Replanted(r, p, sub) != "" {
		return false
	}
	_, why := c.Repos().Variables(sub, r)
	return why == ""
}

// made reports whether the same text makes a work tree of the project's repository at a place where nothing is yet.
func (c *scene) made(at rules.Path) bool {
	project := c.Repos().RootOf(c.World().Project.Real)
	there := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Write && e.Known && c.World().EffectPath(&e) == at
	}
	from := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.GitChange && e.Known && c.Repos().RootOf(c.World().EffectPath(&e).Real) == project
	}
	return !c.World().Exists(at.Real) && slices.ContainsFunc(c.Script().Subcommands, func(s bashsafety.Subcommand) bool {
		makes := s.GitVerb() == "worktree add" && s.MakesRepository()
		return makes && slices.ContainsFunc(s.Effects, there) && slices.ContainsFunc(s.Effects, from)
	})
}

// usersOwn is OwnRepository for what the user named.
func (c *scene) usersOwn(r *repo.Repo) bool {
	if r.Root == "" || c.Strict() {
		return false
	}
	named := func(d rules.Dir) bool {
		return (d.Scope == rules.User || d.Scope == rules.Managed) && d.Path.Real == r.Root
	}
	if slices.ContainsFunc(c.Policy().Dirs, named) && c.Repos().NotInertWriting(r) == "" {
		return true
	}
	if c.in.Repositories == nil {
		return false
	}
	stamp := c.in.Repositories()[r.Root]
	return stamp != "" && stamp == c.Repos().Stamp(r, "")
}

// keepsTree are the git commands that write no file of the work tree, or whose effects say which.
const keepsTree = "add stage commit branch tag fetch push remote notes config worktree mv rm update-index update-ref gc maintenance"

// treeWritten is the work tree outside the workspace that git changes in a repository of the user's own, "" for none.
func (c *scene) treeWritten(sub *bashsafety.Subcommand, e *bashsafety.Effect) string {
	verb, _, _ := strings.Cut(sub.GitVerb(), " ")
	p := c.World().EffectPath(e)
	if slices.Contains(strings.Fields(keepsTree), verb) || c.World().Inside(p) || !c.OwnRepository(sub, e) || !c.World().Exists(p.Real) {
		return ""
	}
	return c.Repos().RootOf(p.Real)
}

// Replanted says whether the same text may first put something into the
// repository, or a repository where none is. What git itself makes of a clone
// holds no settings but git's own, and what self writes comes after it found its repository.
func (c *scene) Replanted(r *repo.Repo, dir rules.Path, self *bashsafety.Subcommand) string {
	for i := range c.Script().Subcommands {
		sub := &c.Script().Subcommands[i]
		if sub.MakesRepository() || sub == self {
			continue
		}
		for j := range sub.Effects {
			e := &sub.Effects[j]
			if (e.Kind == bashsafety.Write || e.Kind == bashsafety.Delete) && c.Repos().Plants(e, r, dir) {
				return "the same command writes " + Shown(c.Policy(), e) + ", which may change which repository this is"
			}
		}
	}
	return ""
}

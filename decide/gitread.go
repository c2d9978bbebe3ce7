package decide

import (
	"path"
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
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
		return gitRisk{why: "the repository is not known, and its configuration can run programs"}
	}
	p := c.effectPath(e)
	if c.FS == nil {
		if c.inside(p) {
			return gitRisk{}
		}
		return gitRisk{why: "the configuration of another repository can run programs: " + e.Path}
	}
	own := c.Policy.Project.Real
	if p.Real == own {
		return gitRisk{} // the session's own directory, whatever is there
	}
	if !path.IsAbs(p.Real) {
		return gitRisk{why: "the repository is not known, and its configuration can run programs"}
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
		return gitRisk{why: why, seen: c.Environ != nil}
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
		info, err := c.FS.Lstat(d)
		switch {
		case err == nil && d == dir:
			return "" // git finds nothing there
		case err == nil:
			if uid, ok := c.FS.Owner(info); ok && uid == c.User.ID && !c.FS.OthersWrite(info) {
				return ""
			}
			fallthrough
		case !absent(err), d == path.Dir(d):
			return "there is no " + dir + " yet, and what will be there is not known"
		}
	}
}

// owned reports whether the file system knows owners at all: where it does not,
// nothing is proven, and nothing is known against a repository either.
func (c *Case) owned(name string) bool {
	info, err := c.FS.Lstat(name)
	if err != nil {
		return true
	}
	_, ok := c.FS.Owner(info)
	return ok
}

// gitVariables finds variables in front of a command that point git elsewhere or
// give it programs. Another index of the same repository is only one more that
// has to pass.
func (c *Case) gitVariables(sub *bashsafety.Subcommand, r *gitRepo) (indexes []string, why string) {
	for i := range sub.Assigns {
		a := &sub.Assigns[i]
		switch {
		case (a.Value.Known || !strings.HasPrefix(a.Name, "GIT_")) && inertVariable(a.Name, a.Value.Text):
			continue
		case a.Name == "GIT_INDEX_FILE" && a.Value.Known && path.IsAbs(a.Value.Text):
			index := rules.Follow(c.FS, a.Value.Text)
			if rules.Within(index, r.dir) || rules.Within(index, r.common) {
				indexes = append(indexes, index)
				continue
			}
		}
		return nil, "the variable " + a.Name + " is set for a command in another repository"
	}
	for _, name := range sub.SetBefore() { // no pager runs without a terminal
		if name != "GIT_PAGER" && !inertVariable(name, "") {
			return nil, "the variable " + name + " is set before a command in another repository"
		}
	}
	return indexes, ""
}

// gitEnviron is gitVariables for the environment of the hook.
func (c *Case) gitEnviron() string {
	if c.Environ == nil {
		return "the environment is not known"
	}
	for _, entry := range c.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		if strings.HasPrefix(name, "GIT_") && !inertVariable(name, value) {
			return "the variable " + name + " of the environment changes what git does in another repository"
		}
	}
	return ""
}

// inertVariable reports whether a variable of git leaves alone what a command
// that reads runs. Editors, passwords and connections are for other commands.
func inertVariable(name, value string) bool {
	switch name {
	case "GIT_PAGER":
		return value == "" || value == "cat" || value == "less"
	case "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_MERGE_AUTOEDIT", "GIT_ASKPASS", "GIT_TERMINAL_PROMPT", "GIT_SSH", "GIT_SSH_COMMAND",
		"GIT_SSH_VARIANT", "GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_DATE", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL",
		"GIT_COMMITTER_DATE", "GIT_OPTIONAL_LOCKS", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS",
		"GIT_ICASE_PATHSPECS", "GIT_CEILING_DIRECTORIES", "GIT_DISCOVERY_ACROSS_FILESYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_NO_LAZY_FETCH",
		"GIT_FLUSH", "GIT_LFS_SKIP_SMUDGE", "GIT_ADVICE", "GIT_SSL_CAINFO", "GIT_SSL_CAPATH":
		return true
	case "HOME", "XDG_CONFIG_HOME": // the settings of git are there
		return false
	}
	return !strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GIT_PS1_")
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
				return "the same text writes " + shown(e) + ", by which the repository may become another one"
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
	p := c.effectPath(e)
	for _, name := range [...]string{p.Given, p.Real} {
		for part := range strings.SplitSeq(name, "/") {
			if rules.FoldPath(part) == ".git" {
				return true
			}
		}
		for _, place := range [...]string{dir.Given, dir.Real, r.root, r.dir, r.common} {
			if place == "" {
				continue
			}
			below := rules.Within(name, place)
			if rules.Within(place, name) || below && e.Recursive || gitPart(path.Base(name)) && (below || rules.Within(place, path.Dir(name))) {
				return true
			}
		}
		if rules.Within(name, r.dir) || rules.Within(name, r.common) {
			return true
		}
	}
	return false
}

// gitPart names what makes a directory a repository, or is one of its settings.
func gitPart(name string) bool {
	switch rules.FoldPath(name) {
	case "head", "objects", "refs", "commondir", "config", "config.worktree", "post-index-change":
		return true
	}
	return false
}

package facts

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// Practical reports whether the posture lets go of what can be made again.
func (c *scene) Practical() bool { return c.Policy().Posture.Destructive.Value == "practical" }

// rebuildable are the folders that a build, an install or a test run makes
// again. The name alone proves nothing: see dispensable. permgate.json's
// rebuildable adds to it.
var rebuildable = [...]string{
	"node_modules", "bower_components", "jspm_packages", ".pnpm-store", ".yarn-cache",
	"dist", "build", "out", "target", "_build", "cmake-build-debug", "cmake-build-release", "DerivedData", ".build",
	".next", ".nuxt", ".output", ".svelte-kit", ".astro", ".angular", ".docusaurus",
	".turbo", ".nx", ".parcel-cache", ".cache", ".vite", ".rollup.cache", ".sass-cache", ".webpack", "storybook-static",
	"coverage", "htmlcov", ".nyc_output", "playwright-report", "test-results", "lcov-report",
	"__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".tox", ".nox", ".eggs",
	".venv", "venv", ".gradle", ".kotlin", ".dart_tool", "_site", ".jekyll-cache", "zig-out", ".zig-cache", "zig-cache",
	".stack-work", "dist-newstyle", "elm-stuff", ".bloop", ".metals", ".scala-build", "bazel-bin", "bazel-out", "bazel-testlogs",
}

// rebuildableEnd is the end of names that are different for every package.
const rebuildableEnd = ".egg-info"

// maxTargets bounds how many folders of one removal are looked at.
const maxTargets = 64

// Waived reports whether practical takes a finding back: nothing is found but
// plain removals, of which each target can be dispensed with, or ways back of git's that lose nothing.
func (c *matcher) Waived(f *bashsafety.Finding) bool {
	back := f.Check.About == bashsafety.AboutGit
	removal := (f.Check.Removes || back) && f.Check.Severity == bashsafety.Destructive && f.Sub >= 0
	if !removal || !c.Practical() || c.World().Blind() {
		return false
	}
	for i := range c.waivers {
		if c.waivers[i].finding == f {
			return c.waivers[i].why == ""
		}
	}
	why := ""
	if !back {
		why = c.indispensable(f.Sub)
	} else if !c.keepsAll(f.Sub) {
		why = notDispensable
	}
	c.waivers = append(c.waivers, waiver{f, why})
	return why == ""
}

// A waiver is an answer of Waived.
type waiver struct {
	finding *bashsafety.Finding
	why     string // why it is not taken back, "" when it is
}

// WhyNotWaived says why a removal of what looks like made again is asked about.
func (c *matcher) WhyNotWaived(f *bashsafety.Finding) string {
	c.Waived(f)
	for i := range c.waivers {
		if w := &c.waivers[i]; w.finding == f && w.why != "" && w.why != notDispensable {
			return w.why
		}
	}
	return ""
}

// notDispensable is why where a removal does not look like one of what is made
// again or temporary: then there is nothing to explain.
const notDispensable = "something else is deleted"

// indispensable says why a removal takes more than what is made again or
// temporary, "" when it does not.
func (c *scene) indispensable(sub int) string {
	targets, ok := c.Script().Removes(sub)
	if !ok || len(targets) > maxTargets {
		return notDispensable
	}
	puts, sourced := c.Script().Puts(sub), c.Script().Sourced(&c.Script().Subcommands[sub])
	for i := range targets {
		if targets[i].Temp {
			if !c.World().TempEnv() || !c.Script().OnlyMakes(sub) {
				return notDispensable
			}
			continue
		}
		if sourced {
			return notDispensable
		}
		if targets[i].List != nil {
			if !c.losesNoneOf(sub, &targets[i]) {
				return notDispensable
			}
			continue
		}
		for _, p := range c.removed(sub, &targets[i]) {
			if p.Given == "" {
				return notDispensable
			}
			if c.losesNothing(sub, &targets[i], p) {
				continue
			}
			if why := c.Dispensable(p); why != "" {
				return why
			}
			if c.Guard().PutAt(p, puts) {
				into := Quoted(c.Policy(), p.Given)
				return "another part of the command may put something into " + into + " before"
			}
		}
	}
	return ""
}

// losesNothing reports whether the disk is as it was when the text began, and rm -r takes no more of it than rm
// does, nothing or one plain file that has no other name, or a folder of the project that git can bring back
// whole.
func (c *scene) losesNothing(sub int, e *bashsafety.Effect, p rules.Path) bool {
	if strings.Contains(e.Path+e.Raw, "/proc/") { // where the command runs by then, whatever cd did
		return false
	}
	up := slices.Contains(strings.Split(e.Raw, "/"), "..") // after a symlink that leads elsewhere than the words
	if !e.Known || strings.ContainsRune(p.Given, 0) || up {
		return false
	}
	if !c.settled(sub) {
		return false
	}
	if !e.Glob && c.World().OneLink(p.Given) && c.World().OneLink(p.Real) {
		return true
	}
	rel, inProject := c.World().InProject(p)
	return inProject && rel != "" && !c.World().HoldsRoots(p) && c.Repos().BringsBack(p.Real, c.Guard().Precious)
}

// finds lists what a command of the text finds, by which another one goes. skips says of a folder that what is below it
// does not matter.
func (c *scene) finds(l *bashsafety.Listing, skips func(dir string) bool) (names []string, ok bool) {
	var tracked []string
	if l.Tracked {
		dir := c.World().Path(l.Dir).Real
		if tracked, ok = c.Repos().Tracked(dir); !ok || l.Top && c.Repos().RootOf(dir) != dir {
			return nil, false
		}
	}
	if c.World().Variable("RIPGREP_CONFIG_PATH")+c.World().Variable("QUOTING_STYLE") != "" { // options of rg and ls
		return nil, false
	}
	return c.World().Finds(l, tracked, skips)
}

// losesNoneOf reports whether nothing is lost with any of the names that a command of the text finds, as the disk is.
func (c *scene) losesNoneOf(sub int, e *bashsafety.Effect) bool {
	if !c.settled(sub) {
		return false
	}
	spare := func(name string) bool { return c.Dispensable(rules.Path{Given: name, Real: name}) == "" }
	literal := e.List.Name != "" && !strings.ContainsAny(e.List.Name, `*?[\\`) && !c.Guard().Precious("/"+e.List.Name)
	names, ok := c.finds(e.List, func(dir string) bool { return literal && spare(dir) })
	for _, name := range names {
		p := c.World().Path(name)
		rel, inProject := c.World().InProject(p)
		info, err := c.World().Lstat(name)
		switch {
		case err != nil || p.Real != name || inGitDir(name) || c.Repos().At(path.Dir(name)).Bare:
			return false
		case c.Guard().Precious(name):
			return false
		case spare(name), len(names) == 1 && c.World().OneLink(name):
		case info.IsDir() && (!e.Recursive || c.World().EmptyTree(name)): // else only an empty one goes
		case !inProject || rel == "" || c.World().HoldsRoots(p) || !c.Repos().BringsBack(name, c.Guard().Precious):
			return false
		}
	}
	return ok
}

// removed lists what a target of a removal names; one without a path is not
// known. A pattern in the last component takes away some of what is in the folder
// before it, which may be dispensable as a whole; else what it finds on the disk
// counts, as long as that has not changed. A wildcard before the last component
// may lead through a symlink.
func (c *scene) removed(sub int, e *bashsafety.Effect) []rules.Path {
	unknown := []rules.Path{{}}
	if !e.Glob {
		if !e.Known {
			return unknown
		}
		return []rules.Path{c.World().EffectPath(e)}
	}
	dir, pattern := path.Split(e.Path)
	if strings.ContainsAny(dir, `*?[\`) {
		return c.expanded(sub, e)
	}
	if e.Raw != "" {
		return unknown
	}
	if whole := c.World().Path(path.Clean(dir)); c.Dispensable(whole) == "" {
		return []rules.Path{whole}
	}
	found, ok := c.matched(dir, pattern)
	if !ok || !c.Script().OnlyReads(sub) {
		return unknown
	}
	return found
}

// expanded lists what a pattern may find that has wildcards before its last component, in any shell and with any
// options for dots and case, where no symlink leads to it.
func (c *scene) expanded(sub int, e *bashsafety.Effect) (all []rules.Path) {
	unknown := []rules.Path{{}}
	if e.Raw != "" || strings.ContainsAny(e.Path, `[]()\^~#`) || !c.settled(sub) || !c.Script().Expands(sub) {
		return unknown
	}
	at := []string{"/"}
	for seg := range strings.SplitSeq(strings.TrimPrefix(e.Path, "/"), "/") {
		var next []string
		for _, dir := range at {
			names := []string{seg}
			if strings.ContainsAny(seg, "*?") {
				var err error
				names, err = c.like(dir, seg)
				if err != nil && !world.Absent(err) || c.World().Path(dir).Real != dir {
					return unknown
				}
			}
			for _, name := range names {
				next = append(next, path.Join(dir, name))
			}
		}
		if at = next; len(at) > maxNames {
			return unknown
		}
	}
	for _, name := range slices.DeleteFunc(at, func(name string) bool { return !c.World().Exists(name) }) {
		all = append(all, c.World().Path(name))
		if c.World().Path(path.Dir(name)).Real != path.Dir(name) || len(all) > maxTargets {
			return unknown
		}
	}
	return all
}

// maxNames bounds the folder in which a pattern is looked for.
const maxNames = 4096

// matched lists what a pattern finds in a folder: at least what any shell would
// take, whatever options it has for case and for dots.
func (c *scene) matched(dir, pattern string) (all []rules.Path, ok bool) {
	if strings.ContainsAny(pattern, `[]()\`) || strings.Trim(pattern, "*?") == "" {
		return nil, false
	}
	names, err := c.like(path.Clean(dir), pattern)
	for _, name := range names {
		all = append(all, c.World().Path(dir+name))
	}
	return all, len(all) <= maxTargets && (err == nil || errors.Is(err, fs.ErrNotExist))
}

// like lists the names in a folder that a component of a pattern may find in any shell.
func (c *scene) like(dir, pattern string) (found []string, err error) {
	names, err := c.World().Names(dir)
	if err == nil && len(names) > maxNames {
		return nil, errors.New("too many names")
	}
	wide := repo.Widened(pattern)
	for _, name := range names {
		if repo.NameMatches(wide, grammar.FoldPath(name)) {
			found = append(found, name)
		}
	}
	return found, err
}

// Dispensable says why something may be lost with a folder, "" when it is one that is
// made again, in the project and ignored there, or a temporary one, and nothing
// else is in its place.
func (c *scene) Dispensable(p rules.Path) (why string) {
	rel, inProject := c.World().InProject(p)
	named := inProject && isRebuildable(c.Policy(), rel)
	if !named && (inProject || c.World().HoldsRoots(p) || !c.World().Temporary(p)) {
		return notDispensable
	}
	wantsFolder := named && isRebuildable(c.Policy(), path.Base(rel))
	if why := c.irreplaceable(p, wantsFolder); why != "" {
		return why
	}
	return c.inGit(p.Real, Quoted(c.Policy(), p.Given), named)
}

// irreplaceable says what there is in the place of a folder that is made again;
// as far as is known nothing is lost where there is no such file.
func (c *scene) irreplaceable(p rules.Path, wantsFolder bool) (why string) {
	name := Quoted(c.Policy(), p.Given)
	info, err := c.World().Lstat(p.Real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return name + " cannot be read"
	case !info.IsDir() && (wantsFolder || !info.Mode().IsRegular()):
		return name + " is not a folder"
	case c.World().Mounted(p.Real, info):
		return "another file system is mounted in " + name
	case c.holdsRepository(p.Real):
		return name + " contains a repository or .env"
	}
	return ""
}

// isRebuildable reports whether a path names a folder of the table, or something
// in one.
func isRebuildable(p *rules.Policy, rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if slices.Contains(rebuildable[:], part) || strings.HasSuffix(part, rebuildableEnd) ||
			slices.ContainsFunc(p.Posture.Rebuildable, func(s rules.Setting) bool { return s.Value == part }) {
			return true
		}
	}
	return false
}

// holdsRepository reports whether a folder holds what is not made again: a repository or
// the settings of a deployment.
func (c *scene) holdsRepository(dir string) bool {
	return c.World().Exists(path.Join(dir, ".git")) || c.World().Exists(path.Join(dir, ".env")) ||
		c.World().Exists(path.Join(dir, "HEAD")) && c.World().Exists(path.Join(dir, "objects"))
}

// inGit says what git has to do with a path that must not be removed: it tracks
// something at or below it, or, where ignored is set, is not certain to ignore it
// in the project's own repository.
func (c *scene) inGit(at, name string, ignored bool) (why string) {
	root := c.Repos().RootOf(path.Dir(at))
	if root == "" {
		if ignored {
			return name + " is in no git repository that ignores it"
		}
		return ""
	}
	index := c.Repos().Index(root)
	rel := strings.TrimPrefix(strings.TrimPrefix(at, root), "/")
	switch {
	case index == nil || rel == "":
		return "the files git tracks in " + name + " are unknown"
	case index.Tracks(rel):
		return "git tracks files in " + name
	case ignored && c.Policy().Home.Real != "" && rules.Within(c.Policy().Home.Real, root):
		return name + " is in the repository of the home directory, whose .gitignore says little about projects"
	case ignored && (root != c.Repos().RootOf(c.Policy().Project.Real) || !c.Repos().Ignored(index, rel)):
		return "no tracked and unchanged .gitignore is certain to ignore " + name
	}
	return ""
}

// settled reports whether the disk is as it was when the text began, and what a subcommand names can be looked at.
func (c *scene) settled(sub int) bool {
	s := c.Script()
	elsewhere := c.World().Variable("CDPATH") != "" // where cd goes is not known then
	return !c.World().AnyDisk && !elsewhere && len(s.Doubts) == 0 && s.OnlyReads(sub)
}

// keepsAll reports whether a way back of git's loses nothing.
func (c *scene) keepsAll(sub int) bool {
	w, ok := c.Script().Way(sub)
	dirs := c.gitDirs(&c.Script().Subcommands[sub])
	if alone := c.moves(&w, sub); !ok || !alone || len(dirs) != 1 || !c.settled(sub) {
		return false
	}
	dir := dirs[0]
	switch {
	case w.Tree:
		dir = c.Repos().LinkedAt(dir, &w.Paths[0])
		whole := bashsafety.Way{All: true, From: "HEAD", Gone: true, Leaves: true}
		return !c.strays(dir) && c.Repos().Keeps(dir, &whole)
	case !w.Cleans:
		return c.Repos().Keeps(dir, &w)
	}
	found, index, ok := c.Repos().Untracked(dir, &w)
	return ok && !slices.ContainsFunc(found, func(at string) bool {
		if !w.Ignored { // git clean leaves what is ignored
			return !c.Repos().Ignored(index, strings.TrimPrefix(at, index.Root()+"/"))
		}
		return c.Guard().Precious(at) || c.Dispensable(rules.Path{Given: at, Real: at}) != ""
	})
}

// strays reports whether a linked work tree holds what git does not track, and nothing makes again.
func (c *scene) strays(root string) bool {
	found, index, _ := c.Repos().Untracked(root, &bashsafety.Way{Folders: true, Ignored: true})
	return slices.ContainsFunc(found, func(at string) bool {
		rel := strings.TrimPrefix(at, root+"/")
		built := isRebuildable(c.Policy(), rel) && c.Repos().Ignored(index, rel)
		return !built || c.Guard().Precious(at) || c.irreplaceable(rules.Path{Given: at, Real: at}, true) != ""
	})
}

// moves adds to a way back that moves branches or tags those that other commands of the text move. It is false where
// one of these may move or delete what else holds commits.
func (c *scene) moves(w *bashsafety.Way, sub int) bool {
	alone, own := true, len(w.Refs) > 0
	for i := range c.Script().Subcommands {
		s := &c.Script().Subcommands[i]
		if i == sub || !s.Call.IsGit() {
			continue
		}
		w.Made = w.Made || i < sub && s.Call.Commits()
		if !own {
			continue
		}
		o, _, _ := s.Call.Way()
		w.Refs = append(slices.Clip(w.Refs), o.Refs...)
		alone = alone && (s.ReadOnly || !s.Call.MovesRefs())
	}
	return alone
}

// Overwrites are findings about what only the disk tells from what is harmless.
func (c *matcher) Overwrites() []bashsafety.Finding {
	if c.overwrites != nil || c.Script() == nil || c.World().Blind() || c.World().AnyDisk {
		return c.overwrites
	}
	c.overwrites = []bashsafety.Finding{}
	for i := range c.Script().Subcommands {
		s := &c.Script().Subcommands[i]
		w, _, reads := s.Call.Way()
		found := func(f bashsafety.Finding) bool { return f.Sub == i && f.Check.About == bashsafety.AboutGit }
		if !reads || !s.Here() || slices.ContainsFunc(c.Script().Findings, found) {
			continue
		}
		if c.moves(&w, i); w.To == "HEAD" && !c.Script().OnlyReads(i) { // which may be another one by then
			w.To = ""
		}
		for _, dir := range c.gitDirs(s) {
			if id := c.takes(i, dir, &w); id != "" {
				c.overwrites = append(c.overwrites, bashsafety.Finding{Check: bashsafety.CheckOfGit(id), Sub: i, Span: s.Span})
				break
			}
		}
	}
	return c.overwrites
}

// takes is the check of what a git command loses in a folder, as the disk is: git checkout of a word that is no branch
// but a file, a linked work tree, branches, tags and a HEAD that are moved away from commits that no other has, and
// files that git does not track where others come to. "" is nothing that is known.
func (c *scene) takes(sub int, dir string, w *bashsafety.Way) (id string) {
	call := c.Script().Subcommands[sub].Call
	refused := call.Subs[0] == "branch" && w.To == "" && !call.Has("r", "remotes") // git branch -d looks itself
	switch {
	case w.Lone && len(w.Paths) == 1 && c.Repos().Overwrites(dir, w):
		if !c.keepsAll(sub) {
			return "git-checkout-discard"
		}
	case w.Tree:
		if at := c.Repos().LinkedAt(dir, &w.Paths[0]); c.strays(at) || c.Repos().Leaves(at, &bashsafety.Way{Leaves: true}) {
			return "git-worktree-remove"
		}
	case !refused && c.Repos().Leaves(dir, w):
		return "git-branch-delete"
	case c.Repos().Covers(dir, w.Brings):
		return "git-untracked-overwrite"
	}
	return ""
}

// listedInside reports whether each name that a command of the text finds lies in the workspace, and is of no file that
// is asked about, where nothing before may have put another there.
func (c *scene) listedInside(e *bashsafety.Effect) bool {
	i := slices.IndexFunc(c.insides, func(w within) bool { return w.list == e.List && w.kind == e.Kind })
	if i < 0 {
		same := func(o bashsafety.Effect) bool { return o.List == e.List && o.Span == e.Span }
		writes := func(s bashsafety.Subcommand) bool { return slices.ContainsFunc(s.Effects, same) }
		sub := slices.IndexFunc(c.Script().Subcommands, writes)
		names, ok := []string(nil), sub >= 0 && !c.World().Blind() && c.settled(sub)
		if ok {
			names, ok = c.finds(e.List, func(string) bool { return false })
		}
		odd := func(name string) bool { // what is written to a folder is put under a name that is not seen here
			below := e.Kind == bashsafety.Write && c.World().Directory(name)
			return below || !c.World().Inside(c.World().Path(name)) || inGitDir(name) || c.Guard().Precious(name)
		}
		i, c.insides = len(c.insides), append(c.insides, within{e.List, e.Kind, ok && !slices.ContainsFunc(names, odd)})
	}
	return c.insides[i].holds
}

// within is an answer of listedInside.
type within struct {
	list  *bashsafety.Listing
	kind  bashsafety.EffectKind
	holds bool
}

// Unsure returns the first part of the call that a rule of the list matches only for some value of an unknown word.
func (c *matcher) Unsure(list []rules.Rule) (*Unit, rules.Hit) {
	for u := range c.Units() {
		for _, hit := range c.Matches(list, u) {
			if !hit.Sure && !c.findsNone(hit.Rule, u) {
				return u, hit
			}
		}
	}
	return nil, rules.Hit{}
}

// findsNone reports whether find deletes below a folder, and a rule is about none of what it finds there now.
func (c *matcher) findsNone(r *rules.Rule, u *Unit) bool {
	if u.sub == nil || !u.subject.Tree {
		return false
	}
	l, sub := u.sub.Call.Deletes(), SubIndex(c.Script(), u.sub)
	if l == nil || sub < 0 || c.World().Blind() || !c.settled(sub) {
		return false
	}
	names, ok := c.finds(l, func(string) bool { return false })
	return ok && !slices.ContainsFunc(names, func(name string) bool {
		p := c.World().Path(name)
		return len(c.Policy().Match([]rules.Rule{*r}, &rules.Subject{Tool: u.subject.Tool, Path: &p, Tree: true})) > 0
	})
}

// inGitDir reports whether a path is in a folder of git's own.
func inGitDir(name string) bool { return strings.Contains(strings.ToLower(name)+"/", "/.git/") }

// gitDirs are the folders that a git command may work in.
func (c *scene) gitDirs(s *bashsafety.Subcommand) (dirs []string) {
	for i := range s.Effects {
		if e := &s.Effects[i]; e.Kind == bashsafety.GitChange && e.Known {
			dirs = append(dirs, c.World().EffectPath(e).Real)
		}
	}
	return dirs
}

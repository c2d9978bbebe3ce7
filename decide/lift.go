package decide

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/internal/verdict"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// An exact allow rule of the user's own lifts, where "destructive" is
// "practical", what step 2 finds destructive and what step 3b asks about, for
// that very subcommand and where the rule was recorded for. It lifts nothing
// else: neither what is catastrophic, sensitive or hides what it does, nor a
// doubt or a managed ask.

// lifted reports whether such a rule takes a finding back.
func (c *matcher) lifted(f *bashsafety.Finding) bool {
	if f.Check.Severity != bashsafety.Destructive || f.Sub < 0 || c.Script == nil {
		return false
	}
	return c.liftedBy(&c.Script.Subcommands[f.Sub], f.Check.About) != nil
}

// liftedWrite reports whether such a rule takes step 3b's question about a write
// back.
func (c *matcher) liftedWrite(u *unit) bool {
	return u.isOperand() && c.liftedBy(u.sub, bashsafety.AboutFiles) != nil
}

// liftedBy returns the rule that lifts for a subcommand what is about files, git
// or anything else.
func (c *matcher) liftedBy(sub *bashsafety.Subcommand, about bashsafety.About) *rules.Rule {
	if !c.practical() || c.strict() || !bareCommand(sub) {
		return nil
	}
	lists := [...][]rules.Rule{c.Policy.Allow, c.Grants.Rules}
	if c.Policy.ManagedOnly.On() {
		lists[1] = nil
	}
	for u := range c.Units() {
		if !u.isCommand(sub) {
			continue
		}
		for _, list := range lists {
			for _, hit := range c.matches(list, u) {
				if c.matchesByWords(hit, u) && c.liftsHere(hit.Rule, sub, about) {
					return hit.Rule
				}
			}
		}
	}
	return nil
}

// practical reports whether the posture lets go of what can be made again.
func (in *Input) practical() bool { return in.Policy.Posture.Destructive.Value == "practical" }

// isCommand reports whether a unit is a subcommand itself, and no operand of it.
func (u *unit) isCommand(sub *bashsafety.Subcommand) bool { return u.sub == sub && u.effect == nil }

// isOperand reports whether a unit is a file or address that a command names by
// itself, and not by a redirect of the shell.
func (u *unit) isOperand() bool { return u.sub != nil && u.effect != nil && !u.effect.Redirect }

// matchesByWords reports whether an exact rule is certain to match a part, and does so
// by its own words, not as a rule for the whole text alone.
func (c *reading) matchesByWords(hit rules.Hit, u *unit) bool {
	if !hit.Sure || !hit.Rule.Exact() {
		return false
	}
	if !hit.Whole {
		return true
	}
	s := u.subject
	s.Whole = ""
	return len(c.Policy.Match([]rules.Rule{*hit.Rule}, &s)) > 0
}

// bareCommand reports whether the words of a subcommand are all there is to it:
// nothing else runs it, feeds it or redirects what it says.
func bareCommand(sub *bashsafety.Subcommand) bool {
	for i := range sub.Effects {
		if e := &sub.Effects[i]; e.Redirect && e.Kind != bashsafety.Read {
			return false
		}
	}
	return !launched(sub) && sub.Here() && !sub.Fed && len(sub.From) == 0
}

// liftsHere reports whether a rule lifts where the subcommand runs. One in the
// local file, or granted to the session, was recorded for the project; one of
// the user for no folder.
func (in *Input) liftsHere(r *rules.Rule, sub *bashsafety.Subcommand, about bashsafety.About) bool {
	switch {
	case about == bashsafety.AboutElse:
		return r.Scope == rules.User
	case r.Scope != rules.User && r.Scope != rules.Local && r.Scope != rules.Session:
		return false
	case about == bashsafety.AboutFiles && absoluteOnly(sub):
		return true
	}
	return r.Scope != rules.User && in.inRoot(sub)
}

// inRoot reports whether a subcommand is certain to run in the project root.
func (in *Input) inRoot(sub *bashsafety.Subcommand) bool {
	root := in.Policy.Project
	if in.Script.Sourced(sub) {
		return false
	}
	return len(sub.Dirs) == 1 && root.Given != "" && (sub.Dirs[0] == root.Given || sub.Dirs[0] == root.Real)
}

// absoluteOnly reports whether a command does the same in every folder: the
// tables say so, and every word but plain options is an absolute path.
func absoluteOnly(sub *bashsafety.Subcommand) bool {
	for i := range sub.Argv[min(1, len(sub.Argv)):] {
		w := &sub.Argv[i+1]
		option := strings.HasPrefix(w.Text, "-") && !strings.ContainsAny(w.Text, "=/:")
		if !w.Known || !option && !strings.HasPrefix(w.Text, "/") {
			return false
		}
	}
	return sub.Absolute()
}

// Lifts lists the subcommands for which an exact rule of a scope would take back
// what is asked about now: destructive findings, and writes of step 3b. destructive
// is set where it is one of the former.
func Lifts(c *Case, scope rules.Scope) (parts []Part, destructive bool) {
	c.prepare()
	if !c.practical() || c.strict() || c.Script == nil {
		return nil, false
	}
	for _, q := range c.allStanding(findings) {
		f, ok := verdict.Evidence[finding](q)
		if !ok || f.Check.Severity != bashsafety.Destructive || f.Sub < 0 {
			continue
		}
		if u := c.liftable(scope, &c.Script.Subcommands[f.Sub], f.Check.About); u != nil {
			parts, destructive = append(parts, u.part()), true
		}
	}
	for _, q := range c.allStanding(placeQuestions) {
		w, ok := verdict.Evidence[outsideWrite](q)
		if !ok || !w.isOperand() {
			continue
		}
		if u := c.liftable(scope, w.sub, bashsafety.AboutFiles); u != nil {
			parts = append(parts, u.part())
		}
	}
	return parts, destructive
}

// liftable returns the part of the call that an exact rule of a scope has to name
// to take back what is asked about a subcommand, nil where none could.
func (c *reading) liftable(scope rules.Scope, sub *bashsafety.Subcommand, about bashsafety.About) *unit {
	if !bareCommand(sub) || !c.liftsHere(&rules.Rule{Scope: scope}, sub, about) {
		return nil
	}
	for u := range c.Units() {
		if u.isCommand(sub) {
			return u
		}
	}
	return nil
}

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

// waived reports whether practical takes a finding back: nothing is found but
// plain removals, and each of what they remove can be dispensed with.
func (c *Case) waived(f *bashsafety.Finding) bool {
	removal := f.Check.Trees && f.Check.Severity == bashsafety.Destructive && f.Sub >= 0
	if !removal || !c.practical() || c.World.Blind() {
		return false
	}
	for i := range c.waivers {
		if c.waivers[i].finding == f {
			return c.waivers[i].why == ""
		}
	}
	why := c.indispensable(f.Sub)
	c.waivers = append(c.waivers, waiver{f, why})
	return why == ""
}

// A waiver is an answer of Case.waived.
type waiver struct {
	finding *bashsafety.Finding
	why     string // why it is not taken back, "" when it is
}

// whyNotWaived says why a removal of what looks like made again is asked about.
func (c *Case) whyNotWaived(f *bashsafety.Finding) string {
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
	targets, ok := c.Script.Removes(sub)
	if !ok || len(targets) > maxTargets {
		return notDispensable
	}
	puts, sourced := c.Script.Puts(sub), c.Script.Sourced(&c.Script.Subcommands[sub])
	for i := range targets {
		if targets[i].Temp {
			if !c.World.TempEnv() || guard.PutUnseen(puts) {
				return notDispensable
			}
			continue
		}
		if sourced {
			return notDispensable
		}
		for _, p := range c.removed(sub, &targets[i]) {
			if p.Given == "" {
				return notDispensable
			}
			if c.losesNothing(sub, &targets[i], p) {
				continue
			}
			if why := c.dispensable(p); why != "" {
				return why
			}
			if c.guard.PutAt(p, puts) {
				into := quoted(c.Policy, p.Given)
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
	if !e.Known || e.Glob || strings.ContainsRune(p.Given, 0) || up {
		return false
	}
	elsewhere := c.World.Variable("CDPATH") != "" // where cd goes is not known then
	if c.World.AnyDisk || elsewhere || len(c.Script.Doubts) > 0 || !c.Script.OnlyReads(sub) {
		return false
	}
	if c.World.OneLink(p.Given) && c.World.OneLink(p.Real) {
		return true
	}
	rel, inProject := c.World.InProject(p)
	return inProject && rel != "" && !c.World.HoldsRoots(p) && c.repos.BringsBack(p.Real, c.guard.Precious)
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
		return []rules.Path{c.World.EffectPath(e)}
	}
	dir, pattern := path.Split(e.Path)
	if e.Raw != "" || strings.ContainsAny(dir, `*?[\`) {
		return unknown
	}
	if whole := c.World.Path(path.Clean(dir)); c.dispensable(whole) == "" {
		return []rules.Path{whole}
	}
	found, ok := c.matched(dir, pattern)
	if !ok || !c.Script.OnlyReads(sub) {
		return unknown
	}
	return found
}

// maxNames bounds the folder in which a pattern is looked for.
const maxNames = 4096

// matched lists what a pattern finds in a folder: at least what any shell would
// take, whatever options it has for case and for dots.
func (c *scene) matched(dir, pattern string) (all []rules.Path, ok bool) {
	if strings.ContainsAny(pattern, `[]()\`) || strings.Trim(pattern, "*?") == "" {
		return nil, false
	}
	names, err := c.World.Names(path.Clean(dir))
	if err != nil || len(names) > maxNames {
		return nil, errors.Is(err, fs.ErrNotExist)
	}
	wide := repo.Widened(pattern)
	for _, name := range names {
		if repo.NameMatches(wide, grammar.FoldPath(name)) {
			all = append(all, c.World.Path(dir+name))
		}
	}
	return all, len(all) <= maxTargets
}

// takenBack says why step 2 has no opinion on a call with a finding.
func (c *Case) takenBack() string {
	if c.Script == nil {
		return ""
	}
	for i := range c.Script.Findings {
		f := &c.Script.Findings[i]
		switch {
		case f.Sub < 0 || f.Check.Severity != bashsafety.Destructive:
		case c.waived(f):
			return say.Quoted(Spell(c.Script.Subcommands[f.Sub].Argv)) +
				` deletes only what is rebuildable, temporary, unchanged in git, one plain file or not there ("destructive" is "practical"` +
				at(c.Policy.Posture.Destructive.Pos) + ")"
		default:
			if r := c.liftedBy(&c.Script.Subcommands[f.Sub], f.Check.About); r != nil {
				return "check " + f.Check.ID + " is lifted by " + r.Text + " (" + r.Pos.String() + ")"
			}
		}
	}
	return ""
}

// at names a place in brackets that are open already.
func at(pos rules.Pos) string {
	if pos.File == "" {
		return ""
	}
	return ": " + pos.String()
}

// dispensable says why something may be lost with a folder, "" when it is one that is
// made again, in the project and ignored there, or a temporary one, and nothing
// else is in its place.
func (c *scene) dispensable(p rules.Path) (why string) {
	rel, inProject := c.World.InProject(p)
	named := inProject && isRebuildable(c.Policy, rel)
	if !named && (inProject || c.World.HoldsRoots(p) || !c.World.Temporary(p)) {
		return notDispensable
	}
	wantsFolder := named && isRebuildable(c.Policy, path.Base(rel))
	if why := c.irreplaceable(p, wantsFolder); why != "" {
		return why
	}
	return c.inGit(p.Real, quoted(c.Policy, p.Given), named)
}

// irreplaceable says what there is in the place of a folder that is made again;
// as far as is known nothing is lost where there is no such file.
func (c *scene) irreplaceable(p rules.Path, wantsFolder bool) (why string) {
	name := quoted(c.Policy, p.Given)
	info, err := c.World.Lstat(p.Real)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ""
	case err != nil:
		return name + " cannot be read"
	case !info.IsDir() && (wantsFolder || !info.Mode().IsRegular()):
		return name + " is not a folder"
	case c.World.Mounted(p.Real, info):
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
	return c.World.Exists(path.Join(dir, ".git")) || c.World.Exists(path.Join(dir, ".env")) ||
		c.World.Exists(path.Join(dir, "HEAD")) && c.World.Exists(path.Join(dir, "objects"))
}

// inGit says what git has to do with a path that must not be removed: it tracks
// something at or below it, or, where ignored is set, is not certain to ignore it
// in the project's own repository.
func (c *scene) inGit(at, name string, ignored bool) (why string) {
	root := c.repos.RootOf(path.Dir(at))
	if root == "" {
		if ignored {
			return name + " is in no git repository that ignores it"
		}
		return ""
	}
	index := c.repos.Index(root)
	rel := strings.TrimPrefix(strings.TrimPrefix(at, root), "/")
	switch {
	case index == nil || rel == "":
		return "the files git tracks in " + name + " are unknown"
	case index.Tracks(rel):
		return "git tracks files in " + name
	case ignored && c.Policy.Home.Real != "" && rules.Within(c.Policy.Home.Real, root):
		return name + " is in the repository of the home directory, whose .gitignore says little about projects"
	case ignored && (root != c.repos.RootOf(c.Policy.Project.Real) || !c.repos.Ignored(index, rel)):
		return "no tracked and unchanged .gitignore is certain to ignore " + name
	}
	return ""
}

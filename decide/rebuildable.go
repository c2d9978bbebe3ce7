package decide

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"permgate/bashsafety"
	"permgate/rules"
)

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

// maxTargets bounds how many folders of one removal are looked at.
const maxTargets = 64

// waived reports whether practical takes a finding back: nothing is found but
// plain removals, and each of what they remove can be dispensed with.
func (c *Case) waived(f *bashsafety.Finding) bool {
	if c.Policy.Gate.Destructive.Value != "practical" || !f.Check.Trees || f.Check.Severity != bashsafety.Destructive || f.Sub < 0 || c.FS == nil {
		return false
	}
	for i := range c.waivers {
		if c.waivers[i].finding == f {
			return c.waivers[i].waived
		}
	}
	w := c.removesDispensable(f.Sub)
	c.waivers = append(c.waivers, waiver{f, w})
	return w
}

// A waiver is an answer of Case.waived.
type waiver struct {
	finding *bashsafety.Finding
	waived  bool
}

func (c *Case) removesDispensable(sub int) bool {
	targets, ok := c.Script.Removes(sub)
	if !ok || len(targets) > maxTargets {
		return false
	}
	puts := c.Script.Puts(sub)
	for i := range targets {
		if targets[i].Temp {
			if !c.tempEnv() || putUnseen(puts) {
				return false
			}
			continue
		}
		p, ok := c.removed(&targets[i])
		if !ok || c.putAt(p, puts) || !c.dispensable(p) {
			return false
		}
	}
	return true
}

// putUnseen reports whether one of the effects may put something where only the
// run of the text will tell, as in what mktemp makes.
func putUnseen(puts []bashsafety.Effect) bool {
	return slices.ContainsFunc(puts, func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Unknown || !e.Known && !e.Glob })
}

// removed is the folder a target of a removal names. A pattern in the last
// component takes away some of what is in the folder before it; a wildcard
// before that may lead through a symlink.
func (c *Case) removed(e *bashsafety.Effect) (rules.Path, bool) {
	if !e.Glob {
		return c.effectPath(e), e.Known
	}
	dir := path.Dir(e.Path)
	if e.Raw != "" || strings.ContainsAny(dir, `*?[\`) {
		return rules.Path{}, false
	}
	return c.path(dir), true
}

// dispensable reports whether nothing is lost with a folder: it is one that is
// made again, in the project and ignored there, or a temporary one; and nobody
// put anything else in its place.
func (c *Case) dispensable(p rules.Path) bool {
	rel, inProject := c.inProject(p)
	named := inProject && c.isRebuildable(rel)
	if !named && (inProject || c.holdsWorkspace(p) || !c.temporary(p)) {
		return false
	}
	info, err := c.FS.Lstat(p.Real)
	if err != nil { // as far as is known nothing is removed
		return errors.Is(err, fs.ErrNotExist) && c.untracked(p.Real, named)
	}
	if file := info.Mode().IsRegular(); !info.IsDir() && (!file || named && c.isRebuildable(path.Base(rel))) {
		return false // a symlink, or a file with the name of such a folder
	}
	return !c.mounted(p.Real, info) && !c.keeps(p.Real) && c.untracked(p.Real, named)
}

// inProject returns the path of p below the project root. No symlink leads
// there: both forms have the same.
func (c *Case) inProject(p rules.Path) (rel string, ok bool) {
	root := c.Policy.Project
	rel, ok = strings.CutPrefix(p.Real, strings.TrimSuffix(root.Real, "/")+"/")
	if !ok || rel == "" {
		return "", rules.Within(p.Real, root.Real) || rules.Within(p.Given, root.Given)
	}
	for _, form := range [...]string{root.Given, root.Real} {
		if p.Given == path.Join(form, rel) {
			return rel, true
		}
	}
	return "", true
}

// isRebuildable reports whether a path names a folder of the table, or something
// in one.
func (c *Case) isRebuildable(rel string) bool {
	for part := range strings.SplitSeq(rel, "/") {
		if slices.Contains(rebuildable[:], part) ||
			slices.ContainsFunc(c.Policy.Gate.Rebuildable, func(s rules.Setting) bool { return s.Value == part }) {
			return true
		}
	}
	return false
}

// holdsWorkspace reports whether the project, or another folder that the session
// works in, lies at or below a path.
func (c *Case) holdsWorkspace(p rules.Path) bool {
	for _, r := range c.workspace() {
		if rules.Within(r.Given, p.Given) || rules.Within(r.Real, p.Real) {
			return true
		}
	}
	return false
}

// keeps reports whether a folder holds what is not made again: a repository or
// the settings of a deployment.
func (c *Case) keeps(dir string) bool {
	return c.exists(path.Join(dir, ".git")) || c.exists(path.Join(dir, ".env")) ||
		c.exists(path.Join(dir, "HEAD")) && c.exists(path.Join(dir, "objects"))
}

// untracked reports whether git tracks nothing at or below a path, and, where
// ignored is set, is certain to ignore it in the project's own repository.
func (c *Case) untracked(name string, ignored bool) bool {
	root := c.gitRoot(path.Dir(name))
	if root == "" {
		return !ignored
	}
	index := c.index(root)
	if index == nil {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(name, root), "/")
	if rel == "" || index.tracks(rel) {
		return false
	}
	return !ignored || root == c.gitRoot(c.Policy.Project.Real) && c.ignored(index, rel)
}

// maxMounts bounds how much of the list of mounts is read.
const maxMounts = 1 << 20

// mounted reports whether another file system begins at a path or, as far as the
// system lists them, below it.
func (c *Case) mounted(name string, info fs.FileInfo) bool {
	above, err := c.FS.Lstat(path.Dir(name))
	if err != nil {
		return true
	}
	own, ok := c.FS.Device(info)
	if dev, known := c.FS.Device(above); !ok || !known || own != dev {
		return true
	}
	if c.Policy.OS != rules.Linux {
		return false
	}
	data, err := c.FS.ReadFile("/proc/self/mountinfo", maxMounts)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	escapes := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 4 && rules.Within(escapes.Replace(f[4]), name) {
			return true
		}
	}
	return false
}

// putAt reports whether one of the effects may put something at a path, below it
// or in its place.
func (c *Case) putAt(p rules.Path, puts []bashsafety.Effect) bool {
	if putUnseen(puts) {
		return true
	}
	for i := range puts {
		e := &puts[i]
		at := c.effectPath(e)
		if e.Glob {
			at = c.path(cmp.Or(strings.TrimSuffix(staticDir(e.Path), "/"), "/"))
		}
		for _, a := range [...]string{foldPath(at.Given), foldPath(at.Real)} {
			for _, b := range [...]string{foldPath(p.Given), foldPath(p.Real)} {
				if rules.Within(a, b) || rules.Within(b, a) {
					return true
				}
			}
		}
	}
	return false
}

// waivedWhy says why step 2 has no opinion on a removal, "" where there is none.
func (c *Case) waivedWhy() string {
	for i := range c.waivers {
		if c.waivers[i].waived {
			part := quoted(Spell(c.Script.Subcommands[c.waivers[i].finding.Sub].Argv))
			return part + ` removes only what is made again or temporary ("destructive" is "practical"` + at(c.Policy.Gate.Destructive.Pos) + ")"
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

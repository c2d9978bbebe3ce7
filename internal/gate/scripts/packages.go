package scripts

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/tidwall/gjson"
)

// maxPackages is how many packages of a project are looked at.
const maxPackages = 100

// others are the scripts that the packages of a project have under the names, its own among them. Which of them are
// meant is not told apart: each may be.
func (f *Finder) others(r *runner, ref *bashsafety.ScriptRef, dir string) (all []bashsafety.ScriptText) {
	if !ref.Others {
		return nil
	}
	for _, d := range append([]string{dir}, f.packages(dir)...) {
		out, _ := f.look(r, ref, d, "package.json")
		for _, t := range out {
			if t.Guess = true; t.Why == "" {
				all = append(all, t)
			}
		}
	}
	return all
}

// packages are the folders that a package.json or pnpm-workspace.yaml names.
func (f *Finder) packages(dir string) (found []string) {
	data, _ := f.read(path.Join(dir, "package.json"))
	list := gjson.GetBytes(data, "workspaces")
	if list.IsObject() {
		list = list.Get("packages")
	}
	for _, pattern := range list.Array() {
		found = f.folders(found, dir, pattern.Str)
	}
	data, _ = f.read(path.Join(dir, "pnpm-workspace.yaml"))
	for line := range strings.Lines(string(data)) {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			found = f.folders(found, dir, strings.Trim(item, `'" `))
		}
	}
	return found
}

// folders adds those that fit a pattern, of which each part may be a name or end in *.
func (f *Finder) folders(found []string, dir, pattern string) []string {
	part, rest, more := strings.Cut(strings.Trim(pattern, "./"), "/")
	names := []string{part}
	if strings.Contains(part, "*") {
		names, _ = f.Files.ReadDir(dir)
	}
	for _, name := range names {
		fits, err := path.Match(part, name)
		next := path.Join(dir, name)
		switch {
		case len(found) >= maxPackages || !f.inside(next):
			return found
		case name == "" || err != nil || !fits || name == "node_modules":
		case more:
			found = f.folders(found, next, rest)
		default:
			found = append(found, next)
		}
	}
	return found
}

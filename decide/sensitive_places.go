package decide

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// Folders of the table that are only known when a call is decided.
const (
	onPath    = "$PATH/"           // those of the variable, outside the project
	hooksPath = "$core.hooksPath/" // what git's configuration names
)

// A liveFolder is one of them, as foldPath spells it.
type liveFolder struct {
	rules.Path
	why   string
	hooks bool // lies in the project as well
}

// live says why a path is asked about that lies where the environment or git's own
// configuration says that things are run.
func (c *Case) live(u *unit) string {
	made := u.sub != nil && u.sub.Program == "mkdir" && !u.effect.Redirect // an empty folder runs nothing
	_, inProject := c.inProject(u.hit)
	folders := c.liveFolders()
	for _, p := range [...]string{u.hit.Given, u.hit.Real} {
		p = foldPath(p)
		for i := range folders {
			f := &folders[i]
			switch at, ok := p, rules.Within(p, f.Given) || rules.Within(p, f.Real); {
			case !ok, made && (at == f.Given || at == f.Real), !f.hooks && (inProject || c.temporary(u.hit)):
			default:
				return f.why
			}
		}
		if dir := foldPath(c.variable("XDG_CONFIG_HOME")); path.IsAbs(dir) && rules.Within(p, dir) {
			if why := sensitivePath("/.config" + strings.TrimPrefix(p, dir)); why != "" {
				return why
			}
		}
	}
	return ""
}

// liveFolders are the folders of the table that are only known now, but for those that
// hold everything.
func (c *Case) liveFolders() []liveFolder {
	if c.liveDirs != nil {
		return c.liveDirs
	}
	c.liveDirs = make([]liveFolder, 0, 16)
	for i := range Sensitives {
		s := &Sensitives[i]
		for _, p := range s.Paths {
			var dirs []string
			switch rest, home := strings.CutPrefix(p, "~"); {
			case home && c.Policy.Home.Given != "":
				dirs = []string{c.Policy.Home.Given + rest}
			case p == onPath && c.Policy.OS == rules.Windows:
				dirs = strings.Split(c.variable("PATH"), ";")
			case p == onPath:
				dirs = strings.Split(c.variable("PATH"), ":")
			case p == hooksPath:
				dirs = c.hookFolders()
			}
			for _, dir := range dirs {
				if dir = c.Policy.OS.Canon(dir); !path.IsAbs(dir) || path.Clean(dir) == "/" {
					continue
				}
				at := c.path(path.Clean(dir))
				c.liveDirs = append(c.liveDirs, liveFolder{rules.Path{Given: foldPath(at.Given), Real: foldPath(at.Real)}, s.Why, p == hooksPath})
			}
		}
	}
	return c.liveDirs
}

// variable is a variable of the hook's environment, "" where there is none.
func (c *Case) variable(name string) string {
	if c.Environ != nil {
		for _, entry := range c.Environ() {
			key, value, _ := strings.Cut(entry, "=")
			if key == name || c.Policy.OS == rules.Windows && strings.EqualFold(key, name) {
				return value
			}
		}
	}
	return ""
}

// hookFolders are the folders that git's configuration names as core.hooksPath. Any line
// that may say so counts: what is named too much is only asked about.
func (c *Case) hookFolders() (dirs []string) {
	if c.FS == nil || c.Policy.Project.Real == "" {
		return nil
	}
	home := c.Policy.Home.Given
	files := []string{home + "/.gitconfig", home + "/.config/git/config"}
	r := c.repoAt(c.Policy.Project.Real)
	if r.root != "" && r.common != "" {
		files = append(files, r.common+"/config", r.dir+"/config.worktree")
	}
	for _, file := range files {
		data, _ := c.FS.ReadFile(file, maxGitFile)
		for line := range strings.Lines(string(data)) {
			key, value, ok := strings.Cut(line, "=")
			if !ok || !strings.HasSuffix(strings.ToLower(strings.TrimSpace(key)), "hookspath") {
				continue
			}
			value = strings.Trim(strings.TrimSpace(value), `"`)
			if rest, ok := strings.CutPrefix(value, "~/"); ok {
				value = path.Join(home, rest)
			}
			if dir := c.gitPath(cmp.Or(r.root, c.Policy.Project.Real), value); value != "" && dir != r.root {
				dirs = append(dirs, dir)
			}
		}
	}
	return dirs
}

// plain reports whether a unit writes a note, log or picture that a host keeps beside its
// settings: as a file with one link, where this program was seen to keep apart what it
// loads, and no file of instructions names it.
func (c *Case) plain(u *unit) bool {
	if e := u.effect; e != nil && (!e.Known || e.Glob || e.Recursive || e.Replaces || e.Contents != nil) {
		return false
	}
	at := u.hit.Given
	if at == "" || at != u.hit.Real && path.Base(at) != path.Base(u.hit.Real) || c.FS == nil {
		return false
	}
	driven := func(h *hookio.Host) bool {
		return h.Driven.Version != "" && slices.ContainsFunc(h.Roots, func(root string) bool { return strings.Contains(at, "/"+root+"/") })
	}
	if !slices.ContainsFunc(hookio.Hosts(), driven) || strings.Contains(path.Base(at), ":") {
		return false
	}
	if info, err := c.FS.Lstat(at); err == nil {
		if links, ok := c.FS.Links(info); !ok || links != 1 || !info.Mode().IsRegular() {
			return false
		}
	} else if !absent(err) {
		return false
	}
	return !c.imported(path.Base(at))
}

// maxInstructions bounds the files of instructions that one call looks at.
const maxInstructions = 64

// imported reports whether a file of instructions may name a file: one of those a host
// loads, or one that these name with @.
func (c *Case) imported(base string) bool {
	var files []string
	for dir := c.Policy.Cwd.Real; ; dir = path.Dir(dir) {
		for _, name := range [...]string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md"} {
			files = append(files, path.Join(dir, name))
		}
		if dir == "/" || dir == path.Dir(dir) {
			break
		}
	}
	files = append(files, path.Join(c.Policy.Project.Real, "CLAUDE.md"), path.Join(c.Policy.Home.Real, ".claude/CLAUDE.md"))
	for i := 0; i < len(files); i++ {
		if i == maxInstructions {
			return true
		}
		data, err := c.FS.ReadFile(files[i], maxGitFile)
		if err != nil && !absent(err) {
			return true
		}
		for word := range strings.FieldsSeq(string(data)) {
			_, name, ok := strings.Cut(word, "@")
			if name = strings.Trim(name, "`'\".,;:)"); !ok || name == "" {
				continue
			}
			if strings.EqualFold(path.Base(name), base) {
				return true
			}
			if clean := rules.CleanPath(name, path.Dir(files[i]), c.Policy.Home.Given); !slices.Contains(files, clean) {
				files = append(files, clean)
			}
		}
	}
	return false
}

package decide

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// Folders of the table that are only known when a call is decided.
const (
	onPath    = "$PATH/"           // those of the variable, outside the project
	hooksPath = "$core.hooksPath/" // what git's configuration names
)

// A liveFolder is one of them, as world.FoldPath spells it.
type liveFolder struct {
	rules.Path
	why   string
	hooks bool // lies in the project as well
}

// live says why a path is asked about that lies where the environment or git's own
// configuration says that things are run.
func (c *Case) live(u *unit) string {
	given, real := world.FoldPath(u.hit.Given), world.FoldPath(u.hit.Real)
	for i := range c.liveFolders() {
		f := &c.liveDirs[i]
		within := rules.Within(given, f.Given) || rules.Within(real, f.Real)
		itself := real == f.Real && u.effect != nil && onlyFile(u.effect)
		modes := u.sub != nil && !u.effect.Redirect && u.sub.ChangesModes()
		if !within || itself || modes || u.makesFolder() {
			continue
		}
		if _, inside := c.World.InProject(u.hit); f.hooks || !inside && !c.World.Temporary(u.hit) {
			return f.why
		}
	}
	return ""
}

// makesFolder reports whether a unit makes a folder, which is not run.
func (u *unit) makesFolder() bool {
	return u.sub != nil && u.sub.Program == "mkdir" && !u.effect.Redirect
}

// underConfig spells a path below $XDG_CONFIG_HOME as the table does.
func (c *Case) underConfig(p string) string {
	dir := path.Clean(c.World.Variable("XDG_CONFIG_HOME"))
	if path.IsAbs(dir) && rules.Within(p, dir) && path.Base(dir) != ".config" {
		return path.Join(dir, ".config", strings.TrimPrefix(p, dir))
	}
	return p
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
			for _, dir := range c.foldersOf(p) {
				if dir = path.Clean(c.World.OS.Canon(dir)); path.IsAbs(dir) && dir != "/" {
					at := c.World.Path(dir)
					c.liveDirs = append(c.liveDirs, liveFolder{rules.Path{Given: world.FoldPath(at.Given), Real: world.FoldPath(at.Real)}, s.Why, p == hooksPath})
				}
			}
		}
	}
	return c.liveDirs
}

// foldersOf are the folders that a path of the table means here.
func (c *Case) foldersOf(p string) []string {
	switch rest, home := strings.CutPrefix(p, "~"); {
	case home && c.World.Home.Given != "":
		return []string{c.World.Home.Given + rest}
	case p == onPath:
		return strings.FieldsFunc(c.World.Variable("PATH"), func(r rune) bool { return r == ';' || r == ':' && c.World.OS != rules.Windows })
	case p == hooksPath:
		return c.repos.HookFolders()
	}
	return nil
}

// plain reports whether a unit writes a note, log or picture that a host keeps beside its
// settings: as a file with one link, where this program was seen to keep apart what it
// loads, and no file of instructions names it.
func (c *Case) plain(u *unit) bool {
	if c.World.Blind() || u.hit.Given == "" || u.effect != nil && !onlyFile(u.effect) {
		return false
	}
	base, sure := path.Base(u.hit.Given), ofDriven(u.hit.Given) && c.World.OneLink(u.hit.Given)
	return sure && base == path.Base(u.hit.Real) && !strings.Contains(base, ":") && !c.imported(base)
}

// onlyFile reports whether an effect is on the content of one known file.
func onlyFile(e *bashsafety.Effect) bool {
	more := e.Glob || e.Recursive || e.Replaces
	return e.Known && !more && e.Contents == nil
}

// ofDriven reports whether a path lies in the settings folder of a host that was driven.
func ofDriven(name string) bool {
	return slices.ContainsFunc(hookio.Hosts(), func(h *hookio.Host) bool {
		in := func(root string) bool { return strings.Contains(name, "/"+root+"/") }
		return h.Driven.Version != "" && slices.ContainsFunc(h.Roots, in)
	})
}

// What one call looks at of files of instructions.
const (
	maxInstructions = 64       // files
	maxInstruction  = 64 << 10 // bytes of each
)

// imported reports whether a file of instructions may name a file: one of those a host
// loads, or one that these name with @.
func (c *Case) imported(base string) bool {
	home := c.World.Home.Given
	files := []string{path.Join(c.World.Project.Real, "CLAUDE.md"), path.Join(home, ".claude/CLAUDE.md")}
	for dir := c.World.Cwd.Real; len(files) < maxInstructions; dir = path.Dir(dir) {
		for _, name := range [...]string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md"} {
			files = append(files, path.Join(dir, name))
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	for i := 0; i < len(files); i++ {
		data, err := c.World.Read(files[i], maxInstruction)
		if err != nil && !world.Absent(err) || len(files) > maxInstructions {
			return true
		}
		for word := range strings.FieldsSeq(string(data)) {
			_, name, ok := strings.Cut(word, "@")
			if !ok {
				continue
			}
			name = rules.CleanPath(strings.Trim(name, "`'\".,;:)"), path.Dir(files[i]), home)
			if strings.EqualFold(path.Base(name), base) {
				return true
			}
			if !slices.Contains(files, name) {
				files = append(files, name)
			}
		}
	}
	return false
}

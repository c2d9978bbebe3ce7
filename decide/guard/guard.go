// Package guard knows what step 2 looks for: places that are asked about where they are
// written, files with keys or tokens, files that are run without asking, files of permgate
// itself, and what ends up in a folder. It finds; the steps decide what is asked.
package guard

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// A Guard looks at one call.
type Guard struct {
	World  *world.World
	Repos  *repo.Repos
	Script *bashsafety.Analysis // the analysis of the call's shell text; nil without one

	liveDirs []liveFolder                            // see liveFolders
	places   map[rules.Path]string                   // what Holds said of a folder
	listings map[*bashsafety.Contents]*world.Listing // what Contents said
	patches  int                                     // that were read so far
	near     string                                  // the folder that Precious was last asked about
	plainDir bool                                    // what saysNothing said of it
}

// New is a guard that has not looked at anything yet.
func New(w *world.World, r *repo.Repos) *Guard { return &Guard{World: w, Repos: r} }

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
func (g *Guard) live(t *Target) string {
	given, real := world.FoldPath(t.Hit.Given), world.FoldPath(t.Hit.Real)
	for i := range g.liveFolders() {
		f := &g.liveDirs[i]
		within := rules.Within(given, f.Given) || rules.Within(real, f.Real)
		itself := real == f.Real && t.Effect != nil && onlyFile(t.Effect)
		modes := t.Sub != nil && !t.Effect.Redirect && t.Sub.ChangesModes()
		if !within || itself || modes || makesFolder(t) {
			continue
		}
		if _, inside := g.World.InProject(t.Hit); f.hooks || !inside && !g.World.Temporary(t.Hit) {
			return f.why
		}
	}
	return ""
}

// makesFolder reports whether a target is a folder that is made, which is not run.
func makesFolder(t *Target) bool {
	return t.Sub != nil && t.Sub.Program == "mkdir" && !t.Effect.Redirect
}

// underConfig spells a path below $XDG_CONFIG_HOME as the table does.
func (g *Guard) underConfig(p string) string {
	dir := world.Folder(g.World, "XDG_CONFIG_HOME")
	if dir != "" && rules.Within(p, dir) && path.Base(dir) != ".config" {
		return path.Join(dir, ".config", strings.TrimPrefix(p, dir))
	}
	return p
}

// liveFolders are the folders of the table that are only known now, except those that
// hold everything.
func (g *Guard) liveFolders() []liveFolder {
	if g.liveDirs != nil {
		return g.liveDirs
	}
	g.liveDirs = make([]liveFolder, 0, 16)
	for i := range Sensitives {
		s := &Sensitives[i]
		for _, p := range s.Paths {
			if p[0] != '~' && p[0] != '$' {
				continue
			}
			for _, dir := range g.foldersOf(p) {
				if dir = path.Clean(g.World.OS.Canon(dir)); path.IsAbs(dir) && dir != "/" {
					at := g.World.Path(dir)
					g.liveDirs = append(g.liveDirs, liveFolder{rules.Path{Given: world.FoldPath(at.Given), Real: world.FoldPath(at.Real)}, s.Why, p == hooksPath})
				}
			}
		}
	}
	return g.liveDirs
}

// macHome begins the folders of the table that only macOS knows.
const macHome = "~/Library/"

// foldersOf are the folders that a path of the table means here.
func (g *Guard) foldersOf(p string) []string {
	switch rest, home := strings.CutPrefix(p, "~"); {
	case strings.HasPrefix(p, macHome) && g.World.OS != rules.MacOS:
	case home && g.World.Home.Given != "":
		return []string{g.World.Home.Given + rest}
	case p == onPath:
		return world.PathFolders(g.World)
	case p == hooksPath:
		return g.Repos.HookFolders()
	}
	return nil
}

// plain reports whether a call writes a note, log or picture that a host keeps next to its
// settings, or a folder for them: as a file with one link, where this program was seen to keep apart what it
// loads, and no file of instructions names it.
func (g *Guard) plain(t *Target) bool {
	if known := t.Effect == nil || onlyFile(t.Effect) || g.movesFiles(t); !known || g.World.Blind() || t.Hit.Given == "" {
		return false
	}
	base, sure := path.Base(t.Hit.Given), ofDriven(t.Hit.Given) && (g.World.OneLink(t.Hit.Given) || g.folder(t))
	return sure && base == path.Base(t.Hit.Real) && !strings.Contains(base, ":") && !g.imported(base)
}

// onlyFile reports whether an effect is on the content of one known file.
func onlyFile(e *bashsafety.Effect) bool {
	more := e.Glob || e.Recursive || e.Replaces
	return e.Known && !more && e.Contents == nil
}

// movesFiles reports whether an effect is that mv puts plain files at a known path; one that is not there is a note,
// which nothing in the text can make a link of without a question.
func (g *Guard) movesFiles(t *Target) bool {
	e := *t.Effect
	e.Recursive, e.Replaces = false, false
	return t.Sub.As == "mv" && onlyFile(&e) && !slices.ContainsFunc(t.Sub.Effects, func(e bashsafety.Effect) bool {
		file := e.Known && g.World.OneLink(e.Path) && (g.World.Exists(e.Path) || g.plainIn(path.Dir(e.Path)))
		return e.Kind == bashsafety.Delete && !file
	})
}

// folder reports whether a command writes to a plain folder, or makes one in another: what comes into it is a path of
// its own.
func (g *Guard) folder(t *Target) bool {
	e := t.Effect
	if g.World.Blind() || e == nil || e.Kind != bashsafety.Write {
		return false
	}
	if e.Itself || !g.plainIn(t.Hit.Given) {
		return false
	}
	info, err := g.World.Lstat(t.Hit.Given)
	if err == nil {
		return info.IsDir()
	}
	makes := t.Sub.As == "mkdir"
	if t.Sub.As == "mv" { // which fails without the folder
		makes = strings.HasSuffix(t.Sub.Argv[len(t.Sub.Argv)-1].Text, "/")
	}
	return makes && world.Absent(err) && g.plainIn(path.Dir(t.Hit.Given))
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
func (g *Guard) imported(base string) bool {
	home := g.World.Home.Given
	files := []string{path.Join(g.World.Project.Real, "CLAUDE.md"), path.Join(home, ".claude/CLAUDE.md")}
	for dir := g.World.Cwd.Real; len(files) < maxInstructions; dir = path.Dir(dir) {
		for _, name := range [...]string{"CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "GEMINI.md", ".claude/CLAUDE.md"} {
			files = append(files, path.Join(dir, name))
		}
		if dir == path.Dir(dir) {
			break
		}
	}
	for i := 0; i < len(files); i++ {
		data, err := g.World.Read(files[i], maxInstruction)
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

// SensitiveAt says why a name is asked about that ends up somewhere; placed
// limits that to what is read from there.
func (g *Guard) SensitiveAt(to rules.Path, placed bool) string {
	for p := range to.Each() {
		if why := g.guardedAt(p); why != "" {
			return why
		}
		why := SensitivePath(p)
		switch {
		case why == "":
			continue
		case !placed:
			return why
		}
		dir := path.Dir(p)
		for SensitivePath(dir) != "" {
			dir = path.Dir(dir)
		}
		if g.Holds(rules.Path{Given: dir, Real: dir}) != "" {
			return why
		}
	}
	return ""
}

// guardedAt says that a path is a file of this gate, "" when it is not.
func (g *Guard) guardedAt(p string) string {
	folded := world.FoldPath(p)
	for _, own := range g.World.GateFilesFolded() {
		if rules.Within(folded, own.Given) || own.Real != own.Given && rules.Within(folded, own.Real) {
			return "is a permgate file"
		}
	}
	return ""
}

// MayHold says what names that are not known could replace in a folder, or below
// what alone is taken; "" for nothing that matters.
func (g *Guard) MayHold(dir rules.Path, in *bashsafety.Contents) string {
	if in.Free {
		return "they may be anywhere"
	}
	if len(in.Only) == 0 || in.Changed {
		return g.Holds(dir)
	}
	for _, name := range in.Only {
		name = strings.TrimPrefix(path.Clean("/"+name), "/")
		parts, wild := strings.Split(name, "/"), false
		for i, part := range parts {
			if strings.ContainsAny(part, "*?[") {
				parts, wild = parts[:i], true
				break
			}
		}
		if parts = parts[min(in.Strip, len(parts)):]; in.Flat && !wild && len(parts) > 0 {
			parts = parts[len(parts)-1:]
		} else if in.Flat {
			parts = nil
		}
		to := g.World.Landed(path.Join(dir.Given, path.Join(parts...)))
		if why := g.SensitiveAt(to, false); why != "" {
			return say.Quoted(g.World.OS.Native(to.Given)) + " would be " + why
		}
		if why := g.Holds(to); why != "" {
			return why
		}
	}
	return ""
}

// Holds says what is, or could come to be, directly in a folder that is asked
// about when it is written, "" where there is nothing: the folders that settings
// are read from, what lies above them, and folders that have such a file.
func (g *Guard) Holds(dir rules.Path) string {
	if dir.Given == "" || g.World.Temporary(dir) && !g.World.AboveOurs(dir) {
		return ""
	}
	if why, had := g.places[dir]; had {
		return why
	}
	why := g.holdsNow(dir)
	if g.places == nil {
		g.places = map[rules.Path]string{}
	}
	g.places[dir] = why
	return why
}

func (g *Guard) holdsNow(dir rules.Path) string {
	switch {
	case g.World.AboveOurs(dir):
		return "they could be settings of the agent, git or permgate"
	case partly(dir.Given), partly(dir.Real):
		return "they could be settings that run commands"
	case g.World.Blind():
		return ""
	}
	names, err := g.World.Names(dir.Real)
	if err != nil {
		return ""
	}
	for _, name := range names {
		if SensitivePath("/"+name) != "" {
			return "they could replace " + say.Quoted(g.World.OS.Native(path.Join(dir.Given, name)))
		}
	}
	return ""
}

// partly reports whether a folder is the beginning of a path of the table of
// sensitive ones: .github of .github/hooks.
func partly(dir string) bool {
	base := world.FoldPath(path.Base(dir))
	for i := range Sensitives {
		for _, p := range Sensitives[i].Paths {
			if head, rest, _ := strings.Cut(p, "/"); rest != "" && head[0] == '.' && head == base && Sensitives[i].Class == Control {
				return true
			}
		}
	}
	return false
}

// Planted reports whether another command of the text may put a symlink where a
// call writes: it links, moves, copies trees or unpacks there or above.
func (g *Guard) Planted(t *Target) bool {
	if g.Script == nil || t.Sub != nil && t.Sub.Program == "mktemp" { // which makes a new name
		return false
	}
	for i := range g.Script.Subcommands {
		if s := &g.Script.Subcommands[i]; s != t.Sub && s.Plants() && g.plantsFor(s, t) {
			return true
		}
	}
	return false
}

// plantsFor looks at what a command writes, and at where else it puts links.
func (g *Guard) plantsFor(s *bashsafety.Subcommand, t *Target) bool {
	for i := range s.Effects {
		e := &s.Effects[i]
		inTree := e.Patch != nil && e.Patch.Dir != "" && s.As == "git" && !s.Call.Has("unsafe-paths")
		switch {
		case e.Kind != bashsafety.Write, e.Redirect, g.IntoTemp(s, e):
		case inTree && !g.plantedAt(t, g.World.Path(cmp.Or(g.Repos.RootOf(g.World.Follow(e.Patch.Dir)), e.Patch.Dir))):
		case inTree, t.Hit.Given == "", !e.Known, g.plantedAt(t, g.place(e)):
			return true
		}
	}
	places, ok := s.Planted()
	if !ok || len(places) > 0 && t.Hit.Given == "" {
		return true
	}
	return slices.ContainsFunc(places, func(at string) bool { return g.plantedAt(t, g.World.Path(at)) })
}

// IntoTemp reports whether cp or mv puts things into a temporary root, which stays: each is an effect of its own.
func (g *Guard) IntoTemp(s *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	copies := s != nil && s.Call != nil && slices.Contains([]string{"cp", "mv"}, s.As) && !s.Call.Has("parents")
	return copies && e.Kind == bashsafety.Write && e.Contents == nil && g.World.TempRoot(e.Path)
}

// place is what an effect is on, of a pattern the folder that it is in.
func (g *Guard) place(e *bashsafety.Effect) rules.Path {
	if e.Glob {
		return g.World.Path(cmp.Or(strings.TrimSuffix(world.StaticDir(e.Path), "/"), "/"))
	}
	return g.World.EffectPath(e)
}

// plantedAt reports whether what is put at a path lies on the way to a target.
// Whether the file system folds case is not known.
func (g *Guard) plantedAt(t *Target, at rules.Path) bool {
	removes := t.Effect != nil && t.Effect.Kind == bashsafety.Delete
	glob := t.Effect != nil && t.Effect.Glob && !removes
	for _, name := range [...]string{t.Hit.Given, t.Hit.Real} {
		for _, planted := range [...]string{at.Given, at.Real} {
			name, planted := world.FoldPath(name), world.FoldPath(planted)
			alone := removes && name == planted // it may be a link, which goes alone; a pattern is any name of a folder
			if rules.Within(name, planted) && !alone || glob && rules.Within(planted, path.Dir(name)) {
				return true
			}
		}
	}
	return false
}

// PutAt reports whether one of the effects may put something at a path, below it
// or in its place.
func (g *Guard) PutAt(p rules.Path, puts []bashsafety.Effect) bool {
	for i := range puts {
		e := &puts[i]
		if e.Kind == bashsafety.Unknown || !e.Known && !e.Glob { // it is only seen when the text runs
			return true
		}
		at := g.place(e)
		for _, a := range [...]string{world.FoldPath(at.Given), world.FoldPath(at.Real)} {
			for _, b := range [...]string{world.FoldPath(p.Given), world.FoldPath(p.Real)} {
				if rules.Within(a, b) || rules.Within(b, a) {
					return true
				}
			}
		}
	}
	return false
}

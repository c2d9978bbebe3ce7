package guard

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/say"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// ImmuneFolders asks about taking away a folder that a file of this gate is in:
// moving, deleting or replacing it, mounting over it, changing who may use it.
func (g *Guard) ImmuneFolders(t *Target) string {
	if t.Effect == nil || t.Effect.Path == "" || !g.takesAway(t) {
		return ""
	}
	for _, file := range g.World.GateFiles() {
		if own := g.World.Path(file); g.liesIn(own, t, t.Effect) && !g.spares(t, own) {
			return "which contains a permgate file, " + g.World.OS.Native(file)
		}
	}
	return ""
}

// takesAway reports whether a call may remove a folder, replace it or change who may use it.
func (g *Guard) takesAway(t *Target) bool {
	e := t.Effect
	if e.Kind == bashsafety.Delete && !leavesFolders(t) {
		return true
	}
	return e.Itself || e.Replaces && !g.World.RealFolder(t.Hit)
}

// spares reports whether a call leaves a file of the gate alone that lies below it:
// a mode of the project's own folder is the user's business, and git deletes only
// what it tracks.
func (g *Guard) spares(t *Target, own rules.Path) bool {
	switch {
	case t.Effect.Itself && g.World.Inside(own):
		return true
	case t.Sub == nil:
		return false
	}
	return t.Sub.Program == "git" || t.Sub.Program == "find" && !finds(t, own)
}

// leavesFolders reports whether what a command deletes is no folder with something in it.
func leavesFolders(t *Target) bool {
	if t.Sub == nil || t.Effect.Recursive {
		return false
	}
	return slices.Contains([]string{"rm", "rmdir", "unlink"}, t.Sub.Program)
}

// liesIn reports whether a file of the gate lies below what an effect names.
func (g *Guard) liesIn(own rules.Path, t *Target, e *bashsafety.Effect) bool {
	for _, form := range [...]string{own.Given, own.Real} {
		if form == "" {
			continue
		}
		file := world.FoldPath(form)
		if e.Glob {
			if globAbove(world.FoldPath(e.Path), file) {
				return true
			}
			continue
		}
		for _, dir := range [...]string{t.Hit.Given, t.Hit.Real} {
			if dir = world.FoldPath(dir); dir != "" && dir != file && rules.Within(file, dir) {
				return true
			}
		}
	}
	return false
}

// globAbove reports whether a pattern could find a folder that a file lies in.
func globAbove(pattern, file string) bool {
	want, have := strings.Split(pattern, "/"), strings.Split(file, "/")
	if len(want) >= len(have) {
		return false
	}
	for i, part := range want {
		hidden := strings.HasPrefix(have[i], ".") && !strings.HasPrefix(part, ".")
		if part != have[i] && (hidden || !world.CouldBe(part, have[i])) {
			return false
		}
	}
	return true
}

// finds reports whether a find that deletes may delete a file of the gate, or a
// folder it is in: only a plain test for names says what it leaves alone.
func finds(t *Target, own rules.Path) bool {
	names, plain := t.Sub.SoughtNames()
	for i := range names {
		if !names[i].Known {
			return true
		}
		for part := range strings.SplitSeq(world.FoldPath(own.Given+own.Real), "/") {
			if part != "" && world.CouldBe(world.FoldPath(names[i].Text), part) {
				return true
			}
		}
	}
	return !plain || len(names) == 0
}

// maxProgram bounds what is read to compare two programs, in bytes.
const maxProgram = 64 << 20

// OtherName says why a command is this gate under another name that does more than
// look: its program is the same file, or one the text has just made of it.
func (g *Guard) OtherName(at int, s *bashsafety.Subcommand) string {
	if g.World.Program == nil || !mayBeCopy(s) {
		return ""
	}
	verb, changes := s.ChangesGate()
	if !changes {
		return ""
	}
	names := verb != "" && strings.Contains(strings.ToLower(g.Script.Text), "permgate")
	for _, file := range g.programFiles(s, s.Argv[0].Text) {
		if g.isGate(file) {
			return "is permgate under another name, and changes its rules"
		}
		if names && g.PutAt(g.World.Path(file), g.Script.Puts(at)) {
			return "may be a copy of permgate made by the same command, and would change its rules"
		}
	}
	return ""
}

// mayBeCopy reports whether a command is started by a word that may name a copy of
// permgate: a path, or a program that no table describes.
func mayBeCopy(s *bashsafety.Subcommand) bool {
	if len(s.Argv) == 0 || !s.Argv[0].Known || s.Program == "permgate" || !s.Here() {
		return false
	}
	return strings.Contains(s.Argv[0].Text, "/") || stranger(s)
}

// stranger reports whether no table describes a program, or one that does may speak of another.
func stranger(s *bashsafety.Subcommand) bool { return !s.Known() || s.Call.Folded }

// programFiles are the files a command word may start: a path, or what PATH finds.
func (g *Guard) programFiles(s *bashsafety.Subcommand, name string) (files []string) {
	dirs := s.Dirs
	if name = g.World.OS.Slashes(name); g.World.OS.IsAbs(name) {
		dirs = []string{"/"}
	} else if !strings.Contains(name, "/") {
		dirs = world.PathFolders(g.World)
	}
	for _, dir := range dirs[:min(len(dirs), 64)] {
		file := path.Clean(g.World.OS.Join(dir, name))
		if files = append(files, file); g.World.OS == rules.Windows {
			files = append(files, file+".exe")
		}
	}
	return files
}

// ownName reports whether a file is called as this program is.
func ownName(name string) bool {
	return strings.TrimSuffix(strings.ToLower(path.Base(name)), ".exe") == "permgate"
}

// maxAppended is how much a copy of the program may have after its end.
const maxAppended = 1 << 20

// isGate reports whether a file is this program or a copy of it, with or without
// something appended.
func (g *Guard) isGate(file string) bool {
	own := g.World.Program()
	if g.World.Blind() || own == "" {
		return false
	}
	file, own = g.World.Path(file).Real, g.World.Path(own).Real
	if file == own {
		return true
	}
	got, want := g.World.RegularSize(file), g.World.RegularSize(own)
	if added := got - want; got == 0 || want == 0 || added < 0 || added > maxAppended {
		return false
	}
	a, err := g.World.Read(own, maxProgram)
	if err != nil {
		return false
	}
	b, err := g.World.Read(file, maxProgram)
	return err == nil && bytes.HasPrefix(b, a)
}

// HandsOnGate says why a command makes another name for this program in a text
// that does more: a copy or a link of it is not called permgate any more.
func (g *Guard) HandsOnGate(s *bashsafety.Subcommand) string {
	if g.World.Program == nil || s.ReadOnly || !s.Here() {
		return ""
	}
	renames := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Write && !strings.HasPrefix(path.Base(e.Path), "permgate")
	}
	copies := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Read && !e.Recursive && g.isProgram(&e)
	}
	if slices.ContainsFunc(s.Effects, renames) && slices.ContainsFunc(s.Effects, copies) {
		return "gives the permgate program another name, which could be used to change its rules. " +
			"Try leaving it where it is"
	}
	return ""
}

// isProgram reports whether a file that is named is this program, or a pattern
// with some letter of its name could find it.
func (g *Guard) isProgram(e *bashsafety.Effect) bool {
	own, base := g.World.Path(g.World.Program()), path.Base(g.World.OS.Slashes(e.Path))
	if !e.Glob {
		return e.Known && ownName(base) && g.World.EffectPath(e).Real == own.Real
	}
	if strings.Trim(base, "*?") == "" {
		return false
	}
	want, have := strings.Split(world.FoldPath(e.Path), "/"), strings.Split(world.FoldPath(own.Given), "/")
	for i := range want {
		if len(want) != len(have) || want[i] != have[i] && !world.CouldBe(want[i], have[i]) {
			return false
		}
	}
	return true
}

// HandedGate says why a program that no table describes is given the file of this
// program, or something of its state: what it does with it is not known.
func (g *Guard) HandedGate(s *bashsafety.Subcommand) string {
	unknown := !s.ReadOnly && s.Here() && stranger(s)
	if g.World.Program == nil || !unknown || len(s.Argv) < 2 {
		return ""
	}
	own := g.World.Path(g.World.Program())
	for i := range s.Argv[1:] {
		w := &s.Argv[1+i]
		name := OperandOf(w)
		if !strings.Contains(name, "permgate") {
			continue
		}
		ours := func(file string) bool {
			p := g.World.Path(file)
			isProgram := ownName(g.World.OS.Slashes(name)) && own.Real != "" && p.Real == own.Real
			return isProgram || g.isState(p.Given)
		}
		if slices.ContainsFunc(PlacesOf(g.World.OS, s, name), ours) {
			return "passes a permgate file, " + say.Quoted(w.Text) +
				", to a program that may change it. Try leaving it out"
		}
	}
	return ""
}

// OperandOf is what a word may name as a file: the value of NAME=VALUE, else the
// word; "" where it is not known.
func OperandOf(w *bashsafety.Word) string {
	if !w.Known {
		return ""
	}
	if _, value, ok := strings.Cut(w.Text, "="); ok && !strings.HasPrefix(w.Text, "/") {
		return value
	}
	return w.Text
}

// PlacesOf are the paths that a word of a command may name.
func PlacesOf(os rules.OS, s *bashsafety.Subcommand, name string) (files []string) {
	if os.IsAbs(name) {
		return []string{os.Canon(name)}
	}
	if len(s.Dirs) >= 8 {
		return nil
	}
	for _, dir := range s.Dirs {
		files = append(files, path.Clean(os.Join(dir, name)))
	}
	return files
}

// isState reports whether a path is a file that permgate keeps for itself, and none
// of the settings that a program may be given.
func (g *Guard) isState(name string) bool {
	return strings.Contains(name, "/permgate") && g.guardedAt(name) != "" && SensitivePath(name) == ""
}

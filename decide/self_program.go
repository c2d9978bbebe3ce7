package decide

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
)

// maxProgram bounds what is read to compare two programs, in bytes.
const maxProgram = 64 << 20

// otherName says why a command is this gate under another name that does more than
// look: its program is the same file, or one the text has just made of it.
func (c *Case) otherName(at int, s *bashsafety.Subcommand) string {
	if c.World.Program == nil || !mayBeCopy(s) {
		return ""
	}
	verb, changes := s.ChangesGate()
	if !changes {
		return ""
	}
	names := verb != "" && strings.Contains(strings.ToLower(c.Script.Text), "permgate")
	for _, file := range c.programFiles(s, s.Argv[0].Text) {
		if c.isGate(file) {
			return "is permgate under another name, and changes its rules. Ask the user to change the rules"
		}
		if names && c.putAt(c.World.Path(file), c.Script.Puts(at)) {
			return "may be a copy of permgate made by the same command, and would change its rules. " +
				"Ask the user to change the rules"
		}
	}
	return ""
}

// mayBeCopy reports whether a command is started by a word that may name a copy of
// permgate: a path, or a program that no table describes.
func mayBeCopy(s *bashsafety.Subcommand) bool {
	if len(s.Argv) == 0 || !s.Argv[0].Known || s.Program == "permgate" || s.Remote {
		return false
	}
	return strings.Contains(s.Argv[0].Text, "/") || !s.Known()
}

// programFiles are the files a command word may start: a path, or what PATH finds.
func (c *Case) programFiles(s *bashsafety.Subcommand, name string) (files []string) {
	switch {
	case strings.HasPrefix(name, "/"):
		return []string{path.Clean(name)}
	case strings.Contains(name, "/"):
		for _, dir := range s.Dirs {
			files = append(files, path.Join(dir, name))
		}
		return files
	case c.World.Environ == nil:
		return nil
	}
	for _, kv := range c.World.Environ() {
		list, ok := strings.CutPrefix(kv, "PATH=")
		if !ok {
			continue
		}
		for dir := range strings.SplitSeq(list, ":") {
			if path.IsAbs(dir) && len(files) < 64 {
				files = append(files, path.Join(dir, name))
			}
		}
	}
	return files
}

// maxAppended is how much a copy of the program may have after its end.
const maxAppended = 1 << 20

// isGate reports whether a file is this program or a copy of it, with or without
// something appended.
func (c *Case) isGate(file string) bool {
	own := c.World.Program()
	if c.World.Blind() || own == "" {
		return false
	}
	file, own = c.World.Path(file).Real, c.World.Path(own).Real
	if file == own {
		return true
	}
	got, want := c.World.RegularSize(file), c.World.RegularSize(own)
	if added := got - want; got == 0 || want == 0 || added < 0 || added > maxAppended {
		return false
	}
	a, err := c.World.Read(own, maxProgram)
	if err != nil {
		return false
	}
	b, err := c.World.Read(file, maxProgram)
	return err == nil && bytes.HasPrefix(b, a)
}

// handsOnGate says why a command makes another name for this program in a text
// that does more: a copy or a link of it is not called permgate any more.
func (c *Case) handsOnGate(s *bashsafety.Subcommand) string {
	if c.World.Program == nil || s.ReadOnly || s.Remote {
		return ""
	}
	renames := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Write && !strings.HasPrefix(path.Base(e.Path), "permgate")
	}
	copies := func(e bashsafety.Effect) bool {
		return e.Kind == bashsafety.Read && !e.Recursive && c.isProgram(&e)
	}
	if slices.ContainsFunc(s.Effects, renames) && slices.ContainsFunc(s.Effects, copies) {
		return "gives the permgate program another name, which could be used to change its rules. " +
			"Try leaving it where it is"
	}
	return ""
}

// isProgram reports whether a file that is named is this program, or a pattern
// with some letter of its name could find it.
func (c *Case) isProgram(e *bashsafety.Effect) bool {
	own, base := c.World.Path(c.World.Program()), path.Base(e.Path)
	if !e.Glob {
		return e.Known && base == "permgate" && c.World.EffectPath(e).Real == own.Real
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

// handedGate says why a program that no table describes is given the file of this
// program, or something of its state: what it does with it is not known.
func (c *Case) handedGate(s *bashsafety.Subcommand) string {
	unknown := !s.ReadOnly && !s.Remote && !s.Known()
	if c.World.Program == nil || !unknown || len(s.Argv) < 2 {
		return ""
	}
	own := c.World.Path(c.World.Program())
	for i := range s.Argv[1:] {
		w := &s.Argv[1+i]
		name := operandOf(w)
		if !strings.Contains(name, "permgate") {
			continue
		}
		ours := func(file string) bool {
			p := c.World.Path(file)
			isProgram := path.Base(name) == "permgate" && own.Real != "" && p.Real == own.Real
			return isProgram || c.isState(p.Given)
		}
		if slices.ContainsFunc(placesOf(s, name), ours) {
			return "passes a permgate file, " + quoted(w.Text) +
				", to a program that may change it. Try leaving it out"
		}
	}
	return ""
}

// operandOf is what a word may name as a file: the value of NAME=VALUE, else the
// word; "" where it is not known.
func operandOf(w *bashsafety.Word) string {
	if !w.Known {
		return ""
	}
	if _, value, ok := strings.Cut(w.Text, "="); ok && !strings.HasPrefix(w.Text, "/") {
		return value
	}
	return w.Text
}

// placesOf are the paths that a word of a command may name.
func placesOf(s *bashsafety.Subcommand, name string) (files []string) {
	if strings.HasPrefix(name, "/") {
		return []string{name}
	}
	if len(s.Dirs) >= 8 {
		return nil
	}
	for _, dir := range s.Dirs {
		files = append(files, path.Join(dir, name))
	}
	return files
}

// isState reports whether a path is a file that permgate keeps for itself, and none
// of the settings that a program may be given.
func (c *Case) isState(name string) bool {
	return strings.Contains(name, "/permgate") && c.guardedAt(name) != "" && sensitivePath(name) == ""
}

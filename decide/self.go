package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/rules"
)

// immuneFolders asks about taking away a folder that a file of this gate is in:
// moving, deleting or replacing it, mounting over it, changing who may use it.
func (c *Case) immuneFolders(u *unit) string {
	if u.effect == nil || u.subject.Tool != "Edit" || u.effect.Path == "" || !c.takesAway(u) {
		return ""
	}
	for _, g := range c.World.GateFiles() {
		if own := c.World.Path(g); c.liesIn(own, u, u.effect) && !c.spares(u, own) {
			return "a folder that contains a permgate file, " + g
		}
	}
	return ""
}

// takesAway reports whether a unit may remove a folder, replace it or change who may use it.
func (c *Case) takesAway(u *unit) bool {
	e := u.effect
	if e.Kind == bashsafety.Delete && !leavesFolders(u) {
		return true
	}
	return e.Itself || e.Replaces && !c.World.RealFolder(u.hit)
}

// spares reports whether a unit leaves a file of the gate alone that lies below it:
// a mode of the project's own folder is the user's business, and git deletes only
// what it tracks.
func (c *Case) spares(u *unit, own rules.Path) bool {
	switch {
	case u.effect.Itself && c.World.Inside(own):
		return true
	case u.sub == nil:
		return false
	}
	return u.sub.Program == "git" || u.sub.Program == "find" && !u.finds(own)
}

// leavesFolders reports whether what a command deletes is no folder with something in it.
func leavesFolders(u *unit) bool {
	if u.sub == nil || u.effect.Recursive {
		return false
	}
	switch u.sub.Program {
	case "rm", "rmdir", "unlink":
		return true
	}
	return false
}

// liesIn reports whether a file of the gate lies below what an effect names.
func (c *Case) liesIn(own rules.Path, u *unit, e *bashsafety.Effect) bool {
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
		for _, dir := range [...]string{u.hit.Given, u.hit.Real} {
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
func (u *unit) finds(own rules.Path) bool {
	named := false
	for i := range u.sub.Argv {
		switch w := &u.sub.Argv[i]; w.Text {
		case "!", "-not", "-o", "-or", ",":
			return true
		case "-name", "-iname":
			if i+1 == len(u.sub.Argv) || !u.sub.Argv[i+1].Known {
				return true
			}
			named = true
			for part := range strings.SplitSeq(world.FoldPath(own.Given+own.Real), "/") {
				if part != "" && world.CouldBe(world.FoldPath(u.sub.Argv[i+1].Text), part) {
					return true
				}
			}
		}
	}
	return !named
}

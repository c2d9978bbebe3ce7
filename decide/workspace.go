package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// foldersRead asks about the commands that read a folder outside the workspace which no word of
// theirs names: a git command in another repository, ls after cd.
func (c *Case) foldersRead() Verdict {
	for i := range c.Script.Subcommands {
		sub := &c.Script.Subcommands[i]
		for _, dir := range foldersOf(sub) {
			p := c.World.EffectPath(&dir)
			u := unit{subject: rules.Subject{Tool: "Read", Path: &p}, text: shown(&dir), sub: sub, effect: &dir, hit: p}
			if known := dir.Known && dir.Path != ""; !known {
				u.subject.Path, u.hit = nil, rules.Path{}
			}
			if c.outside(&u) {
				return c.readAsk(&u)
			}
		}
	}
	return Verdict{}
}

// foldersOf are the folders that a subcommand reads without an operand, as reads.
func foldersOf(sub *bashsafety.Subcommand) (dirs []bashsafety.Effect) {
	for _, e := range sub.Effects {
		if e.Kind == bashsafety.GitRead {
			e.Kind = bashsafety.Read
			dirs = append(dirs, e)
		}
	}
	if lists := sub.Program == "ls" || sub.Program == "dir"; lists && len(sub.Effects) == 0 && !sub.Remote {
		if len(sub.Dirs) == 0 {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read})
		}
		for _, dir := range sub.Dirs {
			dirs = append(dirs, bashsafety.Effect{Kind: bashsafety.Read, Path: dir, Known: true})
		}
	}
	return dirs
}

// readAsk is the ask about a part that reads outside the workspace.
func (c *scene) readAsk(u *unit) Verdict {
	v := Verdict{Decision: hookio.Ask, Part: u.text, Reason: u.doer() + "reads " + u.text +
		". Try an allow rule with a // or ~/ path, or add the folder to additionalDirectories"}
	return v.marked(`outside working directory; "outsideReads" is "ask", ` + c.Policy.Posture.OutsideReads.Pos.String())
}

// droppedDir names the first additional directory a write would lie in if it counted.
func droppedDir(p *rules.Policy, u *unit) string {
	for i := range p.Dropped {
		d := &p.Dropped[i]
		if d.Dir.Given != "" && (rules.Within(u.hit.Given, d.Dir.Given) || rules.Within(u.hit.Real, d.Dir.Real)) {
			return "; " + d.Text + " (" + d.Pos.String() + ") does not count: " + d.Why
		}
	}
	return ""
}

// readsTemp reports whether a part reads a file below a temporary folder that only the user can have put there.
func (c *scene) readsTemp(u *unit) bool {
	glob := u.effect != nil && u.effect.Glob
	return u.hit.Given != "" && !glob && c.World.Temporary(u.hit) && !c.guard.Planted(u.target())
}

// reaches reports whether an allow rule with a // or ~/ path covers the write.
func (c *matcher) reaches(u *unit) bool {
	if c.Call.Alias {
		return false
	}
	for _, list := range c.GrantLists() {
		for i := range list {
			r := &list[i]
			if r.Bare || len(r.Pattern) < 2 || r.Pattern[:2] != "//" && r.Pattern[:2] != "~/" {
				continue
			}
			if len(c.matchRules(list[i:i+1], &u.subject)) > 0 {
				return true
			}
		}
	}
	return false
}

// writesTemp reports whether a unit writes a temporary file for which step 3b
// does not ask: one below a temporary folder, or below what mktemp made, that
// no other command of the text links, moves or unpacks.
func (c *scene) writesTemp(u *unit) bool {
	switch {
	case !u.write:
		return false
	case u.hit.Given == "":
		return u.effect != nil && c.unknownTemp(u)
	case u.effect != nil && u.effect.Glob && !lastOnly(u):
		return false
	}
	return c.World.Temporary(u.hit) && !c.guard.Planted(u.target())
}

// unknownTemp is writesTemp for a path that is not known.
func (c *scene) unknownTemp(u *unit) bool {
	if below := u.effect.Below; below != "" {
		return c.World.Temporary(c.World.Path(path.Join(below, "x"))) && !c.guard.Planted(u.target()) && c.World.EachBelow(u.effect, false, c.World.Temporary)
	}
	return u.effect.Temp && c.World.TempEnv() && !c.guard.Planted(u.target())
}

// writesTemporary reports whether the call writes such a file that no rule names.
func (c *matcher) writesTemporary() bool {
	for i := range c.units {
		if u := &c.units[i]; u.write && !c.World.Inside(u.hit) && c.writesTemp(u) && !c.reaches(u) {
			return true
		}
	}
	return false
}

// lastOnly reports whether a pattern has wildcards in its last component only,
// and what it finds is removed or made, not what it may lead to.
func lastOnly(u *unit) bool {
	dir, name := path.Split(u.hit.Given)
	made := u.effect.Kind == bashsafety.Delete || u.sub != nil && u.sub.Program == "mktemp"
	return made && !strings.ContainsAny(dir, `*?[\`) && name != "*"
}

package decide

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/rules"
)

// immunePaths asks about writes to files that run later or hold credentials,
// and about reads of a process environment.
func immunePaths(c *Case) Verdict {
	for _, a := range c.Call.Args {
		if c.World.Detour(a.Path) {
			return immune("symlink-detour", a.Path, quoted(a.Path)+
				" goes through a symlink and back with .., so it may name another file. Try the path without ..")
		}
	}
	if c.Policy.OS != rules.Linux {
		if v := immuneNames(c); v.Decision == hookio.Ask {
			return v
		}
	}
	for i := range c.units {
		u := &c.units[i]
		if u.write || u.access {
			if why := c.guard.Sensitive(u.target()); why != "" && !c.takesBack(askSensitive, question{unit: u}) {
				does := "writes "
				if u.access {
					does = "may write "
				}
				return immune("sensitive path", u.text,
					u.doer()+does+quoted(u.text)+": "+why+". Ask the user to make this change")
			}
		}
		if why := c.guard.ImmuneFolders(u.target()); u.subject.Tool == "Edit" && why != "" {
			return immune("sensitive path", u.text,
				u.doer()+"removes or changes "+quoted(u.text)+": "+why+". Ask the user to make this change")
		}
		if v, asks := c.immuneContents(u); asks {
			return v
		}
		named := u.sub == nil && u.effect == nil && u.subject.Path != nil && !u.access
		if named && bashsafety.Deceptive(u.text) {
			return immune("invisible character", u.text, "the path "+quoted(u.text)+
				" contains control or invisible characters, so it may not be the file it seems to be. "+
				"Try the path without them")
		}
		if environ(u) {
			return immune("process environment", u.text,
				u.doer()+"reads "+quoted(u.text)+", which may contain secrets of other programs")
		}
	}
	return Verdict{}
}

// immuneNames asks about paths that may be another file than they say, which
// only some systems have: such a path is matched by deny rules as far as it can
// be understood, and by no allow rule.
func immuneNames(c *Case) Verdict {
	ask := func(u, name, why string) Verdict {
		return immune("uncertain path", name, u+quoted(name)+" may not be the file it seems to be: "+why+
			". Try the full path, with its drive and long names")
	}
	names := make([]string, 0, len(c.Call.Args)+len(c.Call.Under))
	for i, a := range c.Call.Args {
		if name := a.Path; a.Pattern || i+1 < len(c.Call.Args) && c.Call.Args[i+1].Pattern {
			names = append(names, world.StaticDir(c.Policy.OS.Slashes(name)))
		} else {
			names = append(names, name)
		}
	}
	for _, pattern := range c.Call.Under {
		names = append(names, world.StaticDir(c.Policy.OS.Slashes(pattern)))
	}
	for _, name := range names {
		if why := inPart(c.World.Uncertain(name)); name != "" && why != "" {
			return ask("", name, why)
		}
	}
	for i := range c.units {
		u := &c.units[i]
		if u.effect == nil || u.subject.URL != nil {
			continue
		}
		if why := inPart(c.World.UncertainEffect(u.effect)); why != "" {
			return ask(u.of(), u.text, why)
		}
	}
	return Verdict{}
}

// environ reports whether a unit reads /proc/*/environ in any spelling.
func environ(u *unit) bool {
	if u.write {
		return false
	}
	for _, p := range [...]string{u.hit.Given, u.hit.Real} {
		if strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
			return true
		}
	}
	e := u.effect
	if e == nil || e.Kind != bashsafety.Read && e.Kind != bashsafety.Source {
		return false
	}
	return (!e.Known || e.Glob) && couldBeEnviron(e.Path)
}

// inPart says why a component of a path, or all of it, is not certain.
func inPart(part, why string) string {
	if part == "" {
		return why
	}
	return quoted(part) + " " + why
}

// couldBeEnviron reports whether a path with holes or wildcards could be
// /proc/*/environ.
func couldBeEnviron(name string) bool {
	parts := strings.Split(name, "/")
	if len(parts) < 4 || parts[0] != "" {
		return false
	}
	return world.CouldBe(parts[1], "proc") && world.CouldBe(parts[len(parts)-1], "environ")
}

// immuneShell asks about shell effects that depend on where the workspace is:
// sourcing anything but a literal file in it, changing a repository that is not
// the session's, and reading one that can run programs.
func immuneShell(c *Case) Verdict {
	if c.Script == nil {
		return Verdict{}
	}
	for i := range c.Script.Subcommands {
		s := &c.Script.Subcommands[i]
		why := unlists(c.Policy, s)
		if why == "" {
			why = c.guard.OtherName(i, s)
		}
		if why == "" {
			why = c.guard.HandsOnGate(s)
		}
		if why == "" {
			why = c.guard.HandedGate(s)
		}
		for j := 0; j < len(s.Effects) && why == ""; j++ {
			why = c.stray(s, &s.Effects[j])
		}
		if why != "" {
			part := Spell(s.Argv)
			return immune("suspicious command", part, quoted(part)+origin(s)+" "+why)
		}
	}
	if c.Policy.FenceRead.On() || c.Policy.FenceWrite.On() {
		return immuneFence(c)
	}
	return Verdict{}
}

// unlists says why a command may make untrusted grants count: git's
// index tells the user's own local settings from those that came with a project.
func unlists(p *rules.Policy, s *bashsafety.Subcommand) string {
	if len(p.InIndex) == 0 || !s.Unlists() {
		return ""
	}
	return "may remove files from the git index, and " + p.InIndex[0] +
		" grants nothing only because git tracks it. Ask the user to review it with permgate trust"
}

func (c *scene) stray(s *bashsafety.Subcommand, e *bashsafety.Effect) string {
	switch e.Kind {
	case bashsafety.Source:
		switch {
		case !e.Known:
			return "sources a file only known at run time. Try naming the file"
		case !c.World.Inside(c.World.EffectPath(e)):
			return "sources " + e.Path + ", outside the working directory"
		}
	case bashsafety.GitRead:
		if r := c.gitRead(s, e); r.seen {
			return "may do more than read: " + r.why + ". Ask the user to review and run the command"
		}
	case bashsafety.GitChange:
		switch {
		case !e.Known:
			return "changes a git repository in a directory only known at run time. Try `git -C` with a literal path"
		case !c.World.Inside(c.World.EffectPath(e)):
			return "changes a git repository outside the working directory: " + e.Path
		case c.repos.Other(c.World.EffectPath(e)):
			return "changes another git repository: " + e.Path
		}
	}
	return ""
}

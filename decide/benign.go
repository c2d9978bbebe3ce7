package decide

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/decide/world"
)

// Mode auto's own proof that a shell text is benign. The tables prove how far each
// command goes (bashsafety.Subcommand.Bound); here is what depends on the place:
// effects stay in the workspace, reach nothing secret and nothing that is run later
// without a question, and nothing that was written just now is run.

// notBenign says in one clause why a shell text is not proven benign, "" when it is.
func (c *Case) notBenign() string {
	s := c.Script
	switch {
	case s == nil || s.HasPowerShell || c.Call.Grantee() != "Bash":
		return "it is not a POSIX shell command"
	case len(s.Doubts) > 0:
		return s.Doubts[0].Msg
	}
	if f := c.worst(); f != nil {
		return f.Check.Title
	}
	ran := false
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if why := c.beyond(i, sub); why != "" {
			return quoted(Spell(sub.Argv)) + ": " + why
		}
		ran = ran || !sub.Structural
	}
	for i := range c.units {
		if u := &c.units[i]; u.write && u.effect != nil && u.sub != nil && u.sub.Script == nil {
			if why := c.writesMore(u); why != "" {
				return c.units[i].of() + why
			}
		}
	}
	switch {
	case s.Lingers != "":
		return s.Lingers
	case fillsDisk(c.Script), printsOn(c.Script):
		return "it writes from a source that does not end"
	case !ran:
		return "it runs no command"
	}
	return ""
}

// beyond says in how far a subcommand goes beyond what is benign; what it writes
// is looked at in writesMore. A script of the project is judged by what runs it.
func (c *reading) beyond(i int, sub *bashsafety.Subcommand) string {
	if sub.Script != nil || sub.Remote && c.innerOfProject(i) {
		return ""
	}
	bound, why := sub.Bound()
	if bound == bashsafety.NotBound && c.ownProgram(sub) {
		bound, why = bashsafety.RunsProject, "it runs code of the project"
	}
	switch {
	case bound == bashsafety.RunsProject && projectCode(c.Policy):
		if why = c.notProject(i, sub); why != "" {
			return why
		}
	case bound == bashsafety.RunsProject:
		return why + `, and "autoProjectCode" is not set`
	case bound == bashsafety.NotBound:
		return why
	}
	return c.effectsBeyond(i, sub, bound)
}

// effectsBeyond looks at what a subcommand touches but does not write.
func (c *reading) effectsBeyond(i int, sub *bashsafety.Subcommand, bound bashsafety.Bound) string {
	if sub.Code && (c.readRules() || c.spellsSecret() != "") {
		return "it reads files that are named in code permgate does not check"
	}
	for j := range sub.Effects {
		if why := c.effectBeyond(i, sub, &sub.Effects[j], bound); why != "" {
			return why
		}
	}
	return ""
}

// effectBeyond looks at an effect that is no write.
func (c *reading) effectBeyond(i int, sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch e.Kind {
	case bashsafety.Write, bashsafety.Delete:
		return ""
	case bashsafety.Read:
		if why := c.readBeyond(sub, e, bound); why != "" {
			return why
		}
	case bashsafety.GitChange:
		if bound == bashsafety.OnlyLocal {
			return c.gitBeyond(i, sub, e)
		}
	case bashsafety.Execute:
		if bound != bashsafety.RunsProject || !c.namedInside(e) {
			return "it runs " + shown(e) + ", which is not a file of the workspace"
		}
		return ""
	}
	return c.more(sub, e)
}

// readBeyond looks at what a command does with what it reads beside showing it.
func (c *scene) readBeyond(sub *bashsafety.Subcommand, e *bashsafety.Effect, bound bashsafety.Bound) string {
	switch {
	case e.Loads && !c.namedInside(e):
		return "it loads configuration, which can contain code, from outside the workspace"
	case sub.MakesSymlinks() && !c.namedInside(e):
		return "it links to " + shown(e) + ", outside the workspace"
	case (e.Recursive || e.Silent && bound == bashsafety.OnlyLocal) && guard.SecretPath(c.World.EffectPath(e).Given) != nil:
		return "it takes in a file that may contain keys or tokens"
	case e.Recursive && bound == bashsafety.OnlyLocal && !c.namedInside(e):
		return "it reads a whole folder outside the workspace, which may contain keys or tokens"
	}
	return ""
}

func (c *scene) namedInside(e *bashsafety.Effect) bool {
	return e.Known && c.World.Inside(c.World.EffectPath(e))
}

// writesMore says why a file that a shell text writes is not a benign one.
func (c *scene) writesMore(u *unit) string {
	e := u.effect
	here := u.hit.Given != "" && c.World.Inside(u.hit) || u.hit.Given == "" && c.below(u)
	if !here && c.writesTemp(u) {
		return ""
	}
	why := ""
	switch a := c.autorunOf(u); {
	case !here:
		why = ", outside the workspace"
	case c.guard.Sensitive(u.target()) != "":
		why = ": " + c.guard.Sensitive(u.target())
	case e.Patch != nil:
		why = ", as a patch names it"
	case c.guard.Planted(u.target()):
		why = ", and the same command may put a symlink there"
	case a != nil:
		why = a.Why()
	default:
		return c.treeMore(u)
	}
	return "writes " + shown(e) + why
}

// treeMore looks at a whole tree that is written: what comes to lie there is
// listed; a program that changes files of its own kind leaves the others alone.
func (c *scene) treeMore(u *unit) string {
	e := u.effect
	switch {
	case e.Kind == bashsafety.Delete && e.Recursive && c.guard.HoldsAutorun(u.hit):
		return "deletes " + shown(e) + ", which contains files that are run without asking"
	case e.Kind == bashsafety.Delete, e.Contents == nil && staysAsNamed(u):
		return ""
	}
	at, all := subIndex(c.Script, u.sub), []*bashsafety.Contents{e.Contents}
	if e.Contents == nil {
		all = carried(u.sub)
	}
	if at < 0 || e.Glob || u.hit.Given == "" {
		all = nil
	}
	if len(all) == 0 {
		return "writes below " + shown(e) + " what the command does not name"
	}
	for _, in := range all {
		if why := c.arrivesMore(at, u, in); why != "" {
			return why
		}
	}
	return ""
}

// staysAsNamed reports whether a write puts nothing below what the words name.
func staysAsNamed(u *unit) bool {
	return !u.effect.Recursive || u.effect.InPlace || u.sub.ChangesModes()
}

// carried lists what a command that copies or moves takes along; where it names
// anything that is not known, nothing.
func carried(sub *bashsafety.Subcommand) (all []*bashsafety.Contents) {
	for i := range sub.Effects {
		e := &sub.Effects[i]
		source := e.Kind == bashsafety.Read || e.Kind == bashsafety.Delete
		switch {
		case !sub.Carries() || source && !e.Known:
			return nil
		case source:
			all = append(all, &bashsafety.Contents{Kind: bashsafety.FromFolder, From: e.Path})
		}
	}
	return all
}

// arrivesMore looks at the names of what comes to lie in a folder, or becomes it.
func (c *scene) arrivesMore(at int, u *unit, in *bashsafety.Contents) string {
	l := c.guard.Contents(at, in)
	switch {
	case l.Why != "":
		return "puts files below " + shown(u.effect) + " whose names are unknown: " + l.Why
	case len(l.Links) > 0:
		return "puts symlinks below " + shown(u.effect)
	}
	for _, name := range l.Names {
		to := world.Landing(u.hit.Given, name, in)
		if a := guard.AutorunPath(to); a != nil {
			return "writes " + to + a.Why()
		}
	}
	return ""
}

// fillsDisk reports whether a text writes what a device or a loop gives without an end.
func fillsDisk(script *bashsafety.Analysis) bool {
	subs := script.Subcommands
	endless, writes := false, false
	for i := range subs {
		here := false
		for _, e := range subs[i].Effects {
			here = here || e.Kind == bashsafety.Write
			endless = endless || e.Kind == bashsafety.Read && strings.HasPrefix(e.Path, "/dev/")
		}
		writes = writes || here
		endless = endless || here && slices.ContainsFunc(subs[i].From, func(k int) bool { return subs[k].Endless })
	}
	return endless && writes
}

// printsOn reports whether a text that writes has a program that may print without an end.
func printsOn(script *bashsafety.Analysis) bool {
	subs := script.Subcommands
	if !slices.ContainsFunc(subs, func(s bashsafety.Subcommand) bool { return s.Unending() }) {
		return false
	}
	writes := func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Write }
	return slices.ContainsFunc(subs, func(s bashsafety.Subcommand) bool { return slices.ContainsFunc(s.Effects, writes) })
}

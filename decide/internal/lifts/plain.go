package lifts

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/world"
)

// writesPlainly reports whether what dd was found to overwrite is certain to be new, or a plain
// file of the workspace: then it writes as cp does, and step 3b and the rules decide.
func writesPlainly(c facts.Facts, f *bashsafety.Finding) bool {
	if !f.Check.Writes || f.Sub < 0 || !c.Practical() || c.World().AnyDisk {
		return false
	}
	sub := &c.Script().Subcommands[f.Sub]
	if c.World().Blind() || !sub.Here() || facts.Launched(sub) || c.Script().Sourced(sub) {
		return false
	}
	puts, writes := c.Script().Puts(f.Sub), false
	for i := range sub.Effects {
		e := &sub.Effects[i]
		switch {
		case e.Kind == bashsafety.Read:
		case e.Kind != bashsafety.Write || !plainTarget(c.World(), e) || c.Guard().PutAt(c.World().EffectPath(e), puts):
			return false
		default:
			writes = true
		}
	}
	return writes
}

// plainTarget reports whether a write makes a new file, or changes a plain one of the workspace.
func plainTarget(w *world.World, e *bashsafety.Effect) bool {
	if !e.Known || e.Glob || e.Temp {
		return false
	}
	p := w.EffectPath(e)
	info, err := w.Lstat(p.Real)
	if err != nil {
		return world.Absent(err)
	}
	return info.Mode().IsRegular() && w.Inside(p)
}

// usersSource reports whether a sourced file outside the workspace is the user's own: it is there,
// no one else can have written it or what leads to it, and nothing in the text may, or the text spells
// what it writes into a temporary one. Sourcing it runs what `bash FILE` would run.
func usersSource(c facts.Facts, sub *bashsafety.Subcommand, e *bashsafety.Effect) bool {
	at := facts.SubIndex(c.Script(), sub)
	if open := e.Glob || e.Temp || !namesFolder(sub); open || at < 0 || !c.Practical() {
		return false
	}
	p := c.World().EffectPath(e)
	spelt := c.Script().Straight && !sub.Fed && c.Script().Spells(e) && c.World().Temporary(p)
	puts := func(o bashsafety.Effect) bool {
		return !(spelt && o.Known && o.Path == e.Path) && c.Guard().PutAt(p, []bashsafety.Effect{o})
	}
	return p.Given == p.Real && (spelt || c.World().OwnFile(p.Real)) && !slices.ContainsFunc(c.Script().Puts(at), puts)
}

// namesFolder reports whether the sourced word has a slash: one without is looked for in PATH.
func namesFolder(sub *bashsafety.Subcommand) bool {
	for i := 1; i < len(sub.Argv); i++ {
		if w := &sub.Argv[i]; w.Text != "--" {
			return w.Known && strings.Contains(w.Text, "/")
		}
	}
	return false
}

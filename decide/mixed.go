package decide

import (
	"slices"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// onlyReads reports whether a part is proven to read inside the workspace only,
// and its output stays there.
func (c *reading) onlyReads(u *unit) bool {
	if u.sub == nil || u.sub.Unproven() != "" || len(u.sub.Via) > 0 {
		return false // what a substitution prints becomes words of another command
	}
	for i := range u.sub.Effects {
		e := &u.sub.Effects[i]
		reads := e.Kind == bashsafety.Read || e.Kind == bashsafety.GitRead
		if c.more(u.sub, e) != "" || reads && !c.readsWithin(e) {
			return false
		}
	}
	return outputStays(c.Script, u.sub)
}

// outputStays reports whether the output of a command goes only to commands that
// neither send nor execute it.
func outputStays(script *bashsafety.Analysis, sub *bashsafety.Subcommand) bool {
	for i := range script.Subcommands {
		to := &script.Subcommands[i]
		if gets := feeds(script, sub, to) || fedAside(sub, to); gets && !onlyStores(to) {
			return false
		}
	}
	return true
}

// readsWithin reports whether an effect surely reads in the workspace.
func (c *scene) readsWithin(e *bashsafety.Effect) bool {
	if !e.Known && !e.Glob {
		return c.belowInside(e)
	}
	if e.Glob { // what it finds may lead through a symlink
		if e.Expands == nil || e.Expands.Into != "" {
			return false
		}
		found, ok := c.World.Expand(e.Expands.Pattern)
		if !ok || slices.ContainsFunc(found, func(name string) bool { return !c.World.Inside(c.World.Path(name)) }) {
			return false
		}
	}
	return c.World.Inside(c.World.EffectPath(e))
}

// fedAside reports whether to may get what from reads without a pipe between
// them: from sets variables to it, or to reads a process substitution.
func fedAside(from, to *bashsafety.Subcommand) bool {
	switch from.Program {
	case "read", "mapfile", "readarray":
		return true
	}
	return slices.Contains(to.Via, ">()")
}

// feeds reports whether to reads the output of from through a pipe.
func feeds(script *bashsafety.Analysis, from, to *bashsafety.Subcommand) bool {
	for _, i := range to.From {
		if i < len(script.Subcommands) && &script.Subcommands[i] == from {
			return true
		}
	}
	return false
}

// sendsOrRuns reports whether a command talks to another machine or runs what it
// is given; one that no table knows may.
func sendsOrRuns(s *bashsafety.Subcommand) bool {
	if !s.Known() || s.Launcher || s.Remote {
		return true
	}
	for i := range s.Effects {
		switch s.Effects[i].Kind {
		case bashsafety.Network, bashsafety.Execute, bashsafety.Source, bashsafety.Unknown, bashsafety.Privilege:
			return true
		}
	}
	return false
}

// onlyStores reports whether a command does no more with what it is fed than to
// read it or to write it to files.
func onlyStores(s *bashsafety.Subcommand) bool {
	if s.Unproven() == "" {
		return true
	}
	writes := func(e bashsafety.Effect) bool { return e.Kind == bashsafety.Write }
	return !sendsOrRuns(s) && slices.ContainsFunc(s.Effects, writes)
}

// mixed reports whether a list of rules covers a shell text together with the
// proof that the rest only reads, where readOnlyCommands is "allow": steps 6 and 7
// mix. hit is the rule of the first part that one covers. What reads outside the
// workspace, or feeds a part that sends or executes, needs a rule of its own.
func (c *matcher) mixed(list []rules.Rule) (hit rules.Hit, ok bool) {
	if len(list) == 0 || !c.readsMayPass() {
		return hit, false
	}
	for i := range c.units {
		if !c.units[i].needsAllow {
			continue
		}
		switch h, covered := c.allows(list, i); {
		case covered && !ok:
			hit, ok = h, true
		case !covered && !c.onlyReads(&c.units[i]):
			return rules.Hit{}, false
		}
	}
	return hit, ok
}

// readsMayPass reports whether the posture allows commands that only read, and the
// text has neither doubts nor findings.
func (in *Input) readsMayPass() bool {
	s := in.Script
	return in.Policy.Posture.ReadOnlyCommands.Value == "allow" && s != nil && !in.Call.Alias && len(s.Doubts)+len(s.Findings) == 0
}

package spec

import "slices"

// A gate is a case and what its settings come to.
type gate struct {
	Case
	mode   Mode // in effect
	sent   bool // it is the payload's
	locked bool // a kill switch took mode auto away
	strict bool // a subagent that inherits every restriction and no grant
	defers bool // what no rule speaks about is the host's
	leaves bool // allows of steps 3 and 7 are the host's
}

func settle(c Case) gate {
	g := gate{Case: c}
	// 6, Subagents; an agent whose definition cannot be used has restrictions only.
	g.strict = c.Caller == AgentUnread || c.Caller != Main && !g.says(c.Subagents, Loose)
	g.settleMode()
	// 6: onUnmatched defer, never where silence runs the tool. Who takes it back gets asks back, not allows of 3 and 7.
	g.leaves = c.Defer.User == Loose && c.Host != Runs
	g.defers = g.leaves && g.says(c.Defer, Loose)
	if g.any(Opens, func(Rule) bool { return true }) {
		g.Place = Inside // 2.3b: the workspace is cwd, project root and additionalDirectories
	}
	return g
}

// says: 6, any scope may tighten, only the user may loosen. It asks for a value that is not the default.
func (g *gate) says(k Key, s Say) bool {
	tight := k.User == Tight || k.Project == Tight
	return s == Tight && tight || s == Loose && k.User == Loose && !tight && !g.ManagedOnly
}

// settleMode is section 3: flag > agent definition > payload > settings > default.
func (g *gate) settleMode() {
	session, own := g.Payload, g.Definition
	if session == NoMode {
		session = Default
		// 6: a defaultMode beyond default is a grant; bypass never counts from a shared file.
		grants := g.counts(Rule{List: Opens, Scope: g.DefaultScope}) && !(g.Default == Bypass && g.DefaultScope == Shared)
		if g.Default > Default || g.Default != NoMode && grants {
			session = g.Default
		}
	}
	g.mode, g.sent = session, g.Payload != NoMode
	switch {
	case g.Flag != NoMode && (g.Flag != Bypass || g.AllowBypass):
		g.mode, g.sent = g.Flag, false
	case g.Caller == Main:
	case session > max(own, Default): // under plan, explore or dontAsk the stricter of both
	case own >= Default || own != NoMode && !g.ManagedOnly: // one beyond default is a grant (6)
		g.mode, g.sent = own, false
	case g.strict: // no mode in it: default; host: the session's
		g.mode, g.sent = Default, false
	}
	fault := g.Fault == ManagedFault // 2.0: counts as both locks
	if g.mode == Bypass && (g.LockBypass || fault) || g.mode == Auto && (g.LockAuto || fault) {
		g.locked = g.mode == Auto
		g.mode, g.sent = Default, false
	}
}

// counts: 6, restrictions count from everywhere, grants do not.
func (g *gate) counts(r Rule) bool {
	switch {
	case r.List == Denies || r.List == Asks:
		return true
	case r.List == HardDenies || r.List == SoftDenies: // 2.1, 2.5; 8: of managed and user scope
		return (g.mode == Auto || g.locked) && r.Scope <= User
	}
	return !g.strict && !g.untrusted(r) && (r.Scope == Managed || !g.ManagedOnly)
}

// untrusted: 6, projectTrust.
func (g *gate) untrusted(r Rule) bool {
	return r.Scope == Shared && !r.Recorded && g.says(g.Trust, Tight)
}

// any reports whether a list has a rule that counts, with a form or scope as f wants.
func (g *gate) any(list List, f func(Rule) bool) bool {
	return slices.ContainsFunc(g.Rules, func(r Rule) bool { return r.List == list && g.counts(r) && f(r) })
}

// subagentDenies: 6, strict: ask as deny; host: ask stays ask, where the host can show it.
func (g *gate) subagentDenies() bool { return g.Caller != Main && (g.strict || g.Host != Full) }

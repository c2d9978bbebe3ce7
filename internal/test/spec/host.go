package spec

import "slices"

// host is the host step: 2.9, 2b and section 9.
func (g *gate) host(v verdict) Told {
	// 2.9, observe: only managed deny is answered. Who takes it back, or a managed file that cannot be used,
	// gets the asks and denials back: an allow in place of silence would loosen.
	if g.says(g.Enforce, Loose) && g.Fault != ManagedFault && !v.managed {
		return Silence
	}
	// 2b, deny of a mode: where the mode is the host's, an ask stays one, a deny where no one can be asked.
	if v.told == Deny && (v.step == "7" || v.step == "8") && g.hostsMode() && g.mode == Plan {
		v.told = Ask
	}
	switch told := g.tell(v); {
	case told == Allow && g.Enforce.User == Loose,
		told == Ask && (g.Event == PermissionRequest || g.Host == Unasking): // 9: silence for ask
		return Silence
	case told != Ask:
		return told
	case g.Host == NoPrompt, g.Host == Runs, g.Payload == DontAsk, // 9, hosts.md 10: an ask that the host cannot show
		g.Host == Full && g.Payload == Bypass && g.Finding == Sensitive: // or ignores
		return Deny
	}
	return Ask
}

// tell is what the host would hear if it could be told everything.
func (g *gate) tell(v verdict) Told {
	byMode := v.step == "7" && !v.readOnly
	switch {
	case v.told != Allow && !g.left(v):
		return v.told
	case v.told == Allow && g.leaves && byMode && g.differs(): // 2b: untrusted grants turn silence into ask
		if g.cannotAsk() || g.mode > Default && !g.hostsMode() {
			return Deny
		}
		return Ask
	case v.told != Allow,
		g.Tool == PlanExit, g.Event == PermissionRequest && (g.Tool == Question || byMode && (g.safe() || g.mode != Auto)), // 9
		v.step == "7" && g.mode == Auto && g.Host == Full && !g.safe(),                            // 8: it has its own classifier
		v.step == "6" && g.Caller != AgentAllows && !g.any(Allows, g.lasts),                       // 8
		g.leaves && (v.step == "3" || byMode),                                                     // 2b: it has its own idea of what is safe
		g.leaves && (g.Place == HostOwn && g.writes() || g.Place == Temporary && g.checksPlace()): // 2b, both
		return Silence
	}
	return Allow
}

// left says whether an ask or a deny is left to the host.
func (g *gate) left(v verdict) bool {
	switch {
	case g.asksUser() && v.told == Ask && v.from == "7": // 9
		return true
	case !g.defers, g.Fault == UserFault, g.Fault == ManagedFault, // 2b, 2.0
		v.faulted && v.from == "7" && g.differs(): // 2b, untrusted grants
		return false
	case v.faulted && (v.from == "3" || v.from == "7"): // 9: silences stay
		return true
	case g.stricter(): // 2b, stricter mode
		return false
	case v.faulted: // 9: allows of steps 4 and 6 become silence (ask in bypass and acceptEdits)
		return g.Fault == ProjectFault && v.told == Ask && g.Payload != Bypass && g.Payload != AcceptEdits
	case g.cannotAsk(), v.told == Deny && g.mode > Default && !g.hostsMode(): // 2b: a deny that is ours
		return false
	case v.from == "3b": // 2b: where no rule, grant or folder, counted or not, covers the call
		grants := func(r Rule) bool { return r.List == Allows || r.List == Opens }
		return g.checksPlace() && g.Caller != AgentAllows && !slices.ContainsFunc(g.Rules, grants)
	}
	return v.from == "7" && (g.Event == PermissionRequest || !slices.ContainsFunc(g.Rules, g.held))
}

// cannotAsk: 2b, no one can be asked, whatever the mode: said by a flag, a setting, an agent definition.
func (g *gate) cannotAsk() bool {
	return g.Headless || g.subagentDenies() && (g.Caller != Subagent || g.stricter())
}

// hostsMode: 2b, the host sent the mode and enforces it by itself.
func (g *gate) hostsMode() bool {
	return g.defers && g.sent && g.Host == Full && (g.mode == Plan || g.mode == DontAsk) && !g.cannotAsk()
}

// stricter: 2b, the mode that counts is stricter than the host's; explore is as strict as dontAsk.
func (g *gate) stricter() bool {
	return g.Payload != NoMode && min(g.mode, DontAsk) > min(g.Payload, DontAsk)
}

// checksPlace: 2b, step 3b and temporary files: the host asks about such writes, in these modes, by itself.
func (g *gate) checksPlace() bool {
	asks := g.Payload >= AcceptEdits && g.Payload <= DontAsk && (g.Payload != Plan || g.Tool == Edit)
	return g.Host == Full && asks && g.writes() && !g.anchored()
}

// held: 2b, the host reads a rule in a wider sense than we do (held back), or one that is not trusted.
func (g *gate) held(r Rule) bool {
	runs := func(o Rule) bool { return o.List == Allows && g.reads(o) && (o.Form == HeldBack || g.lasts(o)) }
	own := func(o Rule) bool { return o.Scope != Session && !g.untrusted(o) && runs(o) }
	differs := g.untrusted(r) && g.Tool != BashRead && (g.Host != Full || !slices.ContainsFunc(g.Rules, own))
	return runs(r) && (differs || r.Form == HeldBack && r.Scope != Session)
}

// differs: 2b, an untrusted grant makes a difference to a call that the host may run unasked.
func (g *gate) differs() bool {
	runs := g.Place == Inside && (g.Tool == Read || g.Tool == Edit) || g.Place == HostOwn || g.Tool == BashRead ||
		g.Tool == Read && g.mode == Auto && g.Host == Full // it reads anywhere in auto
	return !runs && g.Event == PreToolUse && slices.ContainsFunc(g.Rules, func(r Rule) bool {
		return g.untrusted(r) && g.reads(r) && (r.List == Opens || r.List == Allows && g.covers(r))
	})
}

// reads: 2b, what a literal does not say counts as reading every permission file.
func (g *gate) reads(r Rule) bool { return r.Claude || g.Host != Full }

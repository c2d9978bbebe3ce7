package spec

// A verdict is an answer of 2.0 to 2.8.
type verdict struct {
	told     Told
	step     string // that gave it
	from     string // step of the answer that steps 0 and 8 tightened
	managed  bool   // a deny that managed settings gave
	readOnly bool   // an allow of readOnlyCommands
	faulted  bool   // step 0 made an ask of an allow
}

// Answer is what the host is told of a case, and the number of the step that decided before the host
// step.
func Answer(c Case) (told Told, step string) {
	g := settle(c)
	v := g.steps()
	v.from = v.step
	// 2.0: any allow of steps 3 to 7 becomes ask; excepted are tools without path, URL or command.
	if v.told == Allow && g.Fault != NoFault && (g.Tool == Read || g.Tool >= Edit && g.Tool <= Bash) {
		v.told, v.step, v.faulted = Ask, "0", true
	}
	// 2.8: ask becomes deny; a tool that is itself the question to the user is no prompt (9).
	if v.told == Ask && (g.subagentDenies() || g.Headless || g.mode > Default) && !(g.asksUser() && v.step == "7") {
		v.told, v.step = Deny, "8"
	}
	return g.host(v), v.step
}

// steps are 2.1 to 2.7: the first that has an answer gives it.
func (g *gate) steps() verdict {
	sure := func(r Rule) bool { return r.Form == Matches }
	could := func(r Rule) bool { return r.Form == Could }
	managed := func(r Rule) bool { return r.Scope == Managed && sure(r) }
	session := func(r Rule) bool { return r.Scope == Session && g.covers(r) }
	switch {
	// 2.1: deny rules of every scope, agent allow_tools, hard_deny, the catastrophic list if set to deny.
	case g.any(Denies, managed), g.any(HardDenies, managed):
		return verdict{told: Deny, step: "1", managed: true}
	case g.any(Denies, sure), g.any(HardDenies, sure),
		g.Caller == AgentExcludes && !g.safe(), // 6: a tool not named is denied unless safe
		g.Finding == Catastrophic && g.says(g.Catastrophic, Tight):
		return verdict{told: Deny, step: "1"}
	// 2.2: section 5, managed ask rules, and what a deny or ask rule could match (4).
	case g.Finding != Clean && !(g.Finding == Destructive && g.lifts()), g.any(Asks, managed),
		g.any(Denies, could), g.any(HardDenies, could), g.any(Asks, could), g.any(SoftDenies, could):
		return verdict{told: Ask, step: "2"}
	case g.mode == Bypass && !g.asksUser(): // 2.3
		return verdict{told: Allow, step: "3"}
	// 2.3b: edit tools and known shell writes, unless a // or ~/ path, or an exact rule, covers them;
	// 2b: neither Host's own files nor Temporary files.
	case g.writes() && g.Place == Outside && !g.anchored() && !g.lifts():
		return verdict{told: Ask, step: "3b"}
	case g.any(Allows, session): // 2.4
		return verdict{told: Allow, step: "4"}
	case g.any(Asks, sure), g.any(SoftDenies, sure): // 2.5
		return verdict{told: Ask, step: "5"}
	case g.any(Allows, g.covers), g.Caller == AgentAllows && !g.ManagedOnly: // 2.6
		return verdict{told: Allow, step: "6"}
	// 2.7: the mode.
	case g.Tool == BashRead && g.says(g.ReadOnly, Loose):
		return verdict{told: Allow, step: "7", readOnly: true}
	case g.safe(), g.Tool == Edit && (g.mode == AcceptEdits || g.mode == Auto),
		g.Tool == BashRead && g.mode == Auto: // 8: a command without effects
		return verdict{told: Allow, step: "7"}
	case g.mode > Default && g.Tool != PlanExit: // plan, dontAsk, explore; 9: that needs the user
		return verdict{told: Deny, step: "7"}
	}
	return verdict{told: Ask, step: "7"}
}

// covers: 4; a rule for files covers no command.
func (g *gate) covers(r Rule) bool {
	return r.Form == Matches || r.Form == Exact || r.Form == Anchored && (g.Tool == Read || g.Tool == Edit)
}

// lifts: 2b, practical (b): an exact rule of the user's own lifts a destructive finding or a 3b ask.
func (g *gate) lifts() bool {
	own := func(r Rule) bool { return r.Form == Exact && r.Scope != Managed && r.Scope != Shared }
	return g.says(g.Destructive, Loose) && g.any(Allows, own)
}

// anchored: 2.3b; 7: no grant of the session lifts it.
func (g *gate) anchored() bool {
	return g.any(Allows, func(r Rule) bool { return r.Form == Anchored && r.Scope != Session })
}

func (g *gate) safe() bool     { return g.Tool <= Question }
func (g *gate) writes() bool   { return g.Tool == Edit || g.Tool == Bash }
func (g *gate) asksUser() bool { return g.Tool == Question || g.Tool == PlanExit }
func (g *gate) lasts(r Rule) bool { // 8: the host suspends its rules on every command in auto
	return g.covers(r) && !(r.Wide && r.Claude && g.mode == Auto && g.Host == Full && g.Tool > Edit && g.Tool < Other)
}

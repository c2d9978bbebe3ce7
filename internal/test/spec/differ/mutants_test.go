package differ

// A mutant is a fault that somebody could make: in a file, one text instead of another, which is there once.
type mutant struct {
	name     string
	file     string // from the root of the module
	old, new string
}

// mutants are faults in the order of the steps, in conditions and in how settings are put together.
// Only the shape of rules is here: how their texts match is no fact of the specification.
var mutants = []mutant{
	// Steps in another order.
	{"allow rules before ask rules", "decide/decide.go", `	if q := f.asked("5", asks.Rules); q.Holds() {
		return f.ask("5", q)
	}
	if a := stepAllow(c); grants(f, a) {
		return allow(f, a)
	}
`, `	if a := stepAllow(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("5", asks.Rules); q.Holds() {
		return f.ask("5", q)
	}
`},
	{"bypass before what is always asked about", "decide/decide.go", `	if q := f.asked("2", asks.Immune); q.Holds() {
		if !stepBypass(c).Holds() { // where step 3 allows, step 3b is never reached
			q = q.With(standing(c, asks.Workspace))
		}
		return f.ask("2", q)
	}
	if a := stepBypass(c); grants(f, a) {
		return allow(f, a)
	}
`, `	if a := stepBypass(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("2", asks.Immune); q.Holds() {
		if !stepBypass(c).Holds() { // where step 3 allows, step 3b is never reached
			q = q.With(standing(c, asks.Workspace))
		}
		return f.ask("2", q)
	}
`},
	{"session grants before the workspace", "decide/decide.go", `	if q := f.asked("3b", asks.Workspace); q.Holds() {
		return f.ask("3b", q)
	}
	if a := stepSession(c); grants(f, a) {
		return allow(f, a)
	}
`, `	if a := stepSession(c); grants(f, a) {
		return allow(f, a)
	}
	if q := f.asked("3b", asks.Workspace); q.Holds() {
		return f.ask("3b", q)
	}
`},
	{"deny rules after what is always asked about", "decide/decide.go", `	if d := stepDeny(in, c); f.denies("1", d) {
		return f.end(verdict.Denied("1", d))
	}
	if q := f.asked("2", asks.Immune); q.Holds() {
		if !stepBypass(c).Holds() { // where step 3 allows, step 3b is never reached
			q = q.With(standing(c, asks.Workspace))
		}
		return f.ask("2", q)
	}
`, `	if q := f.asked("2", asks.Immune); q.Holds() {
		if !stepBypass(c).Holds() { // where step 3 allows, step 3b is never reached
			q = q.With(standing(c, asks.Workspace))
		}
		return f.ask("2", q)
	}
	if d := stepDeny(in, c); f.denies("1", d) {
		return f.end(verdict.Denied("1", d))
	}
`},

	// Steps 1 and 2.
	{"a rule that may deny denies", "decide/internal/deny/deny.go", `if !hit.Sure || d.Holds()`, `if d.Holds()`},
	{"the catastrophic list never denies", "decide/internal/deny/deny.go", `if set.Value != "deny" || f == nil {`, `if true || f == nil {`},
	{"an agent's list denies safe tools", "decide/internal/deny/denials.go", `		if rules.SafeTool(tool) {
			return d
		}
`, ``},
	{"managed ask rules give way to bypass", "decide/internal/asks/asks.go", `immuneDoubts, immuneManaged,`, `immuneDoubts,`},
	{"an ask rule that may match is left out", "decide/facts/callers.go",
		"!yield(RuleList{\"ask rule\", p.Ask, \"\"}) ||\n", ""},
	{"catastrophes are left out", "decide/internal/asks/findings.go", `all = append(all, verdict.MustLater(grave, why))`, ``},
	{"a lift sees every question", "decide/internal/verdict/verdict.go", `ok && holds(f, k)`, `!ok || holds(f, k)`},
	{"denials are dropped", "decide/internal/verdict/verdict.go", `if o.Holds() && (!d.Holds() || o.why.Managed && !d.why.Managed) {`, `if !d.Holds() && o.Holds() && false {`},
	{"an exact rule of any file lifts", "decide/internal/lifts/exact.go", `case r.Scope != rules.User && r.Scope != rules.Local && r.Scope != rules.Session:`, `case false:`},

	// Steps 3 to 7.
	{"a bare rule opens what lies outside", "decide/facts/places.go", `if !r.Bare && c.Policy().OS.Rooted(r.Pattern) &&`, `if (r.Bare || c.Policy().OS.Rooted(r.Pattern)) &&`},
	{"strict subagents have the session's grants", "decide/step4_session.go", `	if c.Strict() {
		return a
	}
	if c.Policy().ManagedOnly.On() {`, `	if c.Policy().ManagedOnly.On() {`},
	{"soft_deny does not ask", "decide/internal/asks/rules.go", `if u, hit := c.Match(p.Auto.SoftDeny, true); u != nil {`, `if u, hit := c.Match(p.Auto.SoftDeny, true); false {`},
	{"strict subagents have the settings' grants", "decide/facts/callers.go", `	if c.Strict() {
		return [][]rules.Rule{own}
	}
`, ``},

	// Steps 0, 8 and 9.
	{"only managed files that cannot be used count", "decide/step0_load.go", `if f := &c.Policy().Faults[i]; f.Closed {`, `if f := &c.Policy().Faults[i]; f.Closed && f.Scope == 0 {`},
	{"a fault asks about tools that reach nothing", "decide/step0_load.go", `if !reachesOut(c) {`, `if false {`},
	{"headless asks", "decide/step8_headless.go", `case c.Headless():`, `case false:`},
	{"plan asks", "decide/step8_headless.go", `case facts.Refuses(mode):`, `case facts.Refuses(mode) && mode != "plan":`},
	{"observing keeps managed denials back", "decide/internal/host/host.go", `!(v.Decision() == hookio.Deny && v.Why().Managed) &&`, `!(v.Decision() == hookio.Deny && v.Why().Managed && false) &&`},
	{"silence where silence runs the tool", "decide/facts/callers.go", `return c.Policy().Posture.OnUnmatched.Value == "defer" && c.Call().Host != nil && !c.Call().Host.SilenceRuns`, `return c.Policy().Posture.OnUnmatched.Value == "defer" && c.Call().Host != nil`},
	{"silence although the mode is stricter than the host's", "decide/internal/host/host.go", `return host != "" && rules.StricterMode(c.Policy().Mode.Value, host)`, `return host == "none"`},
	{"silence for what is held back", "decide/internal/host/host.go", `return c.Call().Event == hookio.PermissionRequest || !narrowedHere(c)`, `return true`},
	{"a plan is approved", "decide/internal/host/host.go", `return c.Call().Tool == "ExitPlanMode" || c.Call().Event == hookio.PermissionRequest`, `return c.Call().Event == hookio.PermissionRequest`},
	{"an allow silences the host's classifier", "decide/internal/host/host.go", `if c.Policy().Mode.Value != "auto" || !c.Call().Host.AutoClassifier {`, `if true {`},
	{"an ask that the host ignores", "decide/internal/host/host.go", `if h == nil || len(h.Guards) == 0 ||`, `if true ||`},

	// How settings are put together.
	{"projects need no trust", "rules/load/trust.go",
		`if len(grants) == 0 || require.Value != "require" || l.standsIn(at.path) {`, `if true {`},
	{"a project may loosen", "rules/load/posture_merge.go",
		`return l.whyNotLoosen(s) == "" && slices.Contains(k.Loosen, s.scope)`,
		`return l.whyNotLoosen(s) == "" && slices.Contains(k.Loosen, s.scope) || s.scope == rules.Shared`},
	{"bypassPermissions of a project counts", "rules/load/mode.go", `	case rules.Shared:
		return true
	case rules.Local, rules.Agent:`, `	case rules.Local, rules.Agent:`},
	{"bypassPermissions cannot be locked", "rules/load/mode.go",
		`{{rules.ModeBypass, l.p.LockBypass}, {rules.ModeAuto, l.p.LockAuto}}`, `{{rules.ModeAuto, l.p.LockAuto}}`},
	{"a subagent is laxer than its session", "rules/load/mode.go",
		`if rules.Strictness(session.Value) > rules.Strictness(rules.ModeDefault) && stricter(session.Value, m.Value) {`, `if false {`},
	{"a managed file that cannot be used locks nothing", "rules/load/load.go",
		`if f := &p.Faults[i]; f.Scope == rules.Managed && f.Closed {`, `if f := &p.Faults[i]; f.Scope == rules.Managed && false {`},
	{"only managed rules: the user's too", "rules/load/trust.go",
		`if s.why == "" && s.scope != rules.Managed {`, `if s.why == "" && s.scope == rules.Shared {`},
	{"deny rules of a project are left out", "rules/load/load.go", `		p.Deny = append(p.Deny, s.deny...)
`, `		if s.scope != rules.Shared {
			p.Deny = append(p.Deny, s.deny...)
		}
`},
	{"the flag for bypass counts alone", "rules/load/mode.go", `if m == rules.ModeBypass && !l.w.AllowBypass {`, `if false {`},
}

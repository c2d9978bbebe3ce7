package differ

import (
	"math/rand/v2"
	"slices"

	"github.com/permgate--owner/permgate/internal/test/spec"
)

// A drawn case is an abstract one, and which of the ways to realise it is taken.
type drawn struct {
	spec.Case
	Variant uint64 // of what belongs to the call
	Tree    uint64 // of what belongs to the settings; equal for all calls of one tree
}

// Chances of what is mostly absent, so that no fact drowns all others.
const (
	rarely    = 0.06
	sometimes = 0.25
	often     = 0.5
)

type drawer struct{ *rand.Rand }

func (r drawer) chance(p float64) bool { return r.Float64() < p }

// tree draws n cases that differ in what belongs to the call alone.
func (r drawer) tree(n int) []drawn {
	base := drawn{Case: r.settings(), Tree: r.Uint64()}
	family, wide := r.wide()
	// the settings are loaded once for each of them
	situations := []drawn{r.situation(base), r.situation(base), r.situation(base), r.situation(base)}
	cases := make([]drawn, n)
	for i := range cases {
		d := pick(r, situations...)
		d.Variant = r.Uint64()
		r.call(&d, family)
		d.Rules = append(d.Rules, wide...)
		r.rules(&d)
		cases[i] = d
	}
	return cases
}

// settings draws what all calls of a tree have in common.
func (r drawer) settings() (c spec.Case) {
	c.Host = pick(r, spec.Bare, spec.Plain, spec.Full, spec.Full, spec.Full, spec.NoPrompt, spec.Unasking, spec.Runs)
	if r.chance(sometimes) {
		c.Flag = r.mode()
		c.AllowBypass = r.chance(often)
	}
	if r.chance(often) {
		c.Default = r.mode()
		c.DefaultScope = pick(r, spec.Managed, spec.User, spec.Local, spec.Shared)
	}
	c.LockBypass, c.LockAuto = r.chance(rarely), r.chance(rarely)
	c.Headless, c.ManagedOnly = r.chance(rarely), r.chance(rarely)
	if r.chance(rarely) {
		c.Fault = pick(r, spec.ManagedFault, spec.UserFault, spec.ProjectFault, spec.UserKey)
	}
	for _, k := range []*spec.Key{&c.Catastrophic, &c.Subagents, &c.ReadOnly, &c.Destructive, &c.Trust} {
		*k = r.key(often)
	}
	c.Defer, c.Enforce = r.key(0.7), r.key(rarely)
	return c
}

// key draws what the files say of a key, the user mostly what is likely.
func (r drawer) key(loose float64) (k spec.Key) {
	switch {
	case r.chance(loose):
		k.User = spec.Loose
	case r.chance(often):
		k.User = spec.Tight
	}
	if r.chance(rarely) {
		k.Project = pick(r, spec.Tight, spec.Loose)
	}
	return k
}

func (r drawer) mode() spec.Mode {
	return pick(r, spec.Bypass, spec.Auto, spec.AcceptEdits, spec.Default, spec.Plan, spec.DontAsk, spec.Explore)
}

// A family are tools that one bare rule may match. A tree with bare rules has calls of one family only.
var families = [][]spec.Tool{
	{spec.Read}, {spec.TaskList}, {spec.Question}, {spec.PlanExit}, {spec.Edit}, {spec.Bash, spec.BashRead}, {spec.Other},
}

// wide draws the rules of a tree that have no pattern.
func (r drawer) wide() (family []spec.Tool, wide []spec.Rule) {
	if r.chance(often) {
		return nil, nil
	}
	for range 1 + r.IntN(2) {
		rule := sane(spec.Rule{
			List:  pick(r, spec.Allows, spec.Allows, spec.Allows, spec.Allows, spec.Asks, spec.Denies),
			Scope: r.scope(), Claude: r.chance(often), Recorded: r.chance(often), Wide: true,
		})
		if !slices.ContainsFunc(wide, func(o spec.Rule) bool { return sameText(o, rule) }) {
			wide = append(wide, rule)
		}
	}
	return families[r.IntN(len(families))], wide
}

// call draws the tool and all that the host says of the call.
func (r drawer) call(d *drawn, family []spec.Tool) {
	d.Tool = pick(r, spec.Read, spec.TaskList, spec.Question, spec.PlanExit, spec.Edit, spec.Edit, spec.Edit, spec.BashRead,
		spec.Bash, spec.Bash, spec.Bash, spec.Bash, spec.Other)
	if family != nil {
		d.Tool = pick(r, family...)
	}
	if dialogs(d.Host) && r.chance(sometimes) {
		d.Event = spec.PermissionRequest
	}
	r.place(d)
}

// situation draws who calls, and in which mode the host says it is.
func (r drawer) situation(d drawn) drawn {
	if r.chance(0.7) {
		d.Payload = r.mode()
		if modeOf(&d, d.Payload) == "" {
			d.Payload = spec.NoMode
		}
	}
	if r.chance(0.4) {
		d.Caller = pick(r, spec.Subagent, spec.Agent, spec.AgentAllows, spec.AgentExcludes, spec.AgentUnread)
	}
	if d.Caller > spec.Subagent && d.Caller != spec.AgentUnread && r.chance(often) {
		d.Definition = r.mode()
	}
	return d
}

// place draws where the file of a call lies, and what step 2 finds.
func (r drawer) place(d *drawn) {
	switch d.Tool {
	case spec.Read:
		d.Place = pick(r, spec.Inside, spec.Outside, spec.Temporary)
	case spec.Edit, spec.Bash:
		d.Place = pick(r, spec.Inside, spec.Inside, spec.Outside, spec.Outside, spec.Temporary, spec.HostOwn)
		if d.Place == spec.HostOwn && d.Host != spec.Full {
			d.Place = spec.Inside
		}
		if r.chance(sometimes) {
			d.Finding = spec.Sensitive
		}
	}
	if d.Tool == spec.Bash && r.chance(sometimes) {
		d.Finding = pick(r, spec.Destructive, spec.Doubt, spec.Catastrophic)
		d.Place = spec.Inside
	}
	if d.Finding == spec.Sensitive && d.Place == spec.HostOwn {
		d.Place = spec.Outside
	}
}

func (r drawer) scope() spec.Scope {
	return pick(r, spec.Managed, spec.User, spec.User, spec.Local, spec.Shared, spec.Shared)
}

// rules draws the rules that are for this call alone.
func (r drawer) rules(d *drawn) {
	n := pick(r, 0, 1, 1, 2, 2, 3)
	for range n {
		rule := spec.Rule{
			List: pick(r, spec.Denies, spec.Asks, spec.Asks, spec.Allows, spec.Allows, spec.Allows, spec.Allows, spec.HardDenies,
				spec.SoftDenies, spec.Opens),
			Form:  pick(r, spec.Matches, spec.Matches, spec.Could, spec.HeldBack, spec.Exact, spec.Anchored),
			Scope: r.scope(), Claude: r.chance(often), Recorded: r.chance(often),
		}
		if rule.List == spec.Allows && r.chance(rarely*2) {
			rule.Scope = spec.Session
		}
		rule = sane(rule)
		if realisable(d, rule) {
			d.Rules = append(d.Rules, rule)
		}
	}
}

// sane clears what a rule of its kind does not have.
func sane(r spec.Rule) spec.Rule {
	switch r.List {
	case spec.Allows:
		if r.Form == spec.Could {
			r.Form = spec.Matches
		}
	case spec.Opens:
		r.Form = spec.Matches
	default:
		if r.Form != spec.Could {
			r.Form = spec.Matches
		}
	}
	grants := r.List == spec.Allows || r.List == spec.Opens
	r.Recorded = r.Recorded && r.Scope == spec.Shared && grants
	r.Claude = r.Claude && r.Scope != spec.Session
	return r
}

// sameText reports whether two rules would be one text in one file, which is recorded or not.
func sameText(a, b spec.Rule) bool {
	a.Recorded = b.Recorded
	return a == b
}

func pick[T any](r drawer, of ...T) T { return of[r.IntN(len(of))] }

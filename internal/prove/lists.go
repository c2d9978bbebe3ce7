package prove

import (
	"slices"

	"github.com/permgate--owner/permgate/rules"
)

// lists looks at what settings list besides rules: folders, names, files that cannot be
// used, and the parts of mode auto.
func (p *prover) lists() {
	now, was := p.sides[0].policy, p.sides[1].policy
	p.dirs(now, was)
	for _, s := range now.Posture.Rebuildable {
		known := func(o rules.Setting) bool { return o.Value == s.Value }
		if !slices.ContainsFunc(was.Posture.Rebuildable, known) {
			p.unshown("rebuildable", s.Pos.String(), s.Value+" is new there")
		}
	}
	closed := func(f rules.Fault) bool { return f.Closed }
	if slices.ContainsFunc(was.Faults, closed) && !slices.ContainsFunc(now.Faults, closed) {
		p.unshown("settings", "", "a file of the other policy cannot be used, so that it allows nothing")
	}
	if a, b := now.Auto, was.Auto; a.Own != b.Own || a.Locked != b.Locked || !sameDefaults(a.Defaults, b.Defaults) {
		p.unshown("autoMode", "", "its built-in lists count otherwise")
	}
}

func sameDefaults(a, b [len(rules.AutoKeys)]rules.Setting) bool {
	for i := range a {
		if a[i].On() != b[i].On() {
			return false
		}
	}
	return true
}

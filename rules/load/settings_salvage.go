package load

import (
	"github.com/permgate--owner/permgate/rules"
)

// salvage takes the restrictions from a file that is not JSON: every deny and
// ask list and every switch that can still be made out, wherever it is.
//
// Of the allow lists those rules are taken whose calls always have a path, a
// URL or a command: while the fault lasts they can only lead to an ask, whose
// reason then names the fault. A deny after them may be lost, so an allow that
// could still take effect must not be taken.
func (l *loader) salvage(s *source) {
	faults, dropped, spent := len(l.p.Faults), len(l.p.Dropped), l.spent.faults
	for i := range s.doc.nodes {
		m := &s.doc.nodes[i]
		if s.gate {
			l.postureMember(s, m, true)
			continue
		}
		switch name, how := l.known(m.key, "", PermissionKeys[:]); {
		case how == unknown || how == similar:
		case name == "deny" || name == "ask":
			l.member(s, m, true, "permissions.", name)
		case name == "allow":
			for _, r := range l.list(s, m, rules.Allow, nil) {
				if asksOnFault(r.Tool) {
					s.allow = append(s.allow, r)
				}
			}
		case name != "defaultMode" && name != "additionalDirectories":
			l.flip(s, m, name)
		}
	}
	l.spent.faults = spent
	l.p.Faults, l.p.Dropped = l.p.Faults[:faults], l.p.Dropped[:dropped] // the syntax error is the one to mend
}

// asksOnFault reports whether every call of the tool has a path, URL or command.
func asksOnFault(tool string) bool {
	switch tool {
	case "Bash", "PowerShell", "WebFetch":
		return true
	}
	return rules.EditTool(tool)
}

package load

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// ruleObjects reads "rules": a list of objects with one rule each. What an
// object says counts like the same rule in the settings.json next to it.
func (l *loader) ruleObjects(s *source, m *node, keep bool) {
	if m.kind != array {
		l.fault(s, m.at, true, `"rules" must be a list of objects such as {"deny": "Read(./.env)"}, not %v`, m.kind)
		return
	}
	for e := m.first; e != 0; e = s.doc.nodes[e].next {
		if n := &s.doc.nodes[e]; n.kind == object {
			l.ruleObject(s, n, keep)
		} else {
			l.fault(s, n.at, true, `"rules" must contain objects such as {"deny": "Read(./.env)"}, not %v`, n.kind)
		}
	}
}

// ruleObject reads one of them. One that names several lists restricts by all
// of them and grants nothing.
func (l *loader) ruleObject(s *source, e *node, keep bool) {
	var named [rules.Deny + 1]*node
	n := 0
	for c := e.first; c != 0; c = s.doc.nodes[c].next {
		m := &s.doc.nodes[c]
		list := listNamed(m.key)
		switch {
		case list != rules.NoList && m.kind != text:
			l.fault(s, m.at, true, `%q in "rules" takes one rule, a string, not %v`, m.key, m.kind)
			n++
		case list != rules.NoList:
			if list.String() != m.key {
				l.fault(s, m.keyAt, true, "the key %q must be written %q", m.key, list.String())
			}
			named[list] = m
			n++
		case m.key == "match", m.key == "not_match", strings.HasPrefix(m.key, "$"), strings.HasPrefix(m.key, "//"):
		default:
			l.fault(s, m.keyAt, true, `unknown key %q in "rules": allow, ask, deny, match and not_match are known`,
				m.key)
		}
	}
	if n != 1 {
		l.fault(s, e.at, true, `an object in "rules" has exactly one of "allow", "ask" and "deny", not %d of them`, n)
	}
	for list := rules.Deny; list > rules.NoList; list-- {
		if m := named[list]; m != nil && (list != rules.Allow || n == 1 && !s.broken) {
			l.objectRule(s, e, m, list, keep)
		}
	}
}

// listNamed returns the list a key names, in whatever case.
func listNamed(key string) rules.List {
	for list := rules.Allow; list <= rules.Deny; list++ {
		if strings.EqualFold(key, list.String()) {
			return list
		}
	}
	return rules.NoList
}

// objectRule takes the rule of an object, and its examples.
func (l *loader) objectRule(s *source, e, m *node, list rules.List, keep bool) {
	var one [1]rules.Rule
	rs := l.rule(one[:0], m.str, list, s.scope, s.pos(m.at), s.root == ".claude")
	if len(rs) == 0 {
		return
	}
	switch {
	case !keep:
	case list == rules.Deny:
		s.deny = append(s.deny, rs[0])
	case list == rules.Ask:
		s.ask = append(s.ask, rs[0])
	default:
		s.allow = append(s.allow, rs[0])
	}
	for c := e.first; c != 0; c = s.doc.nodes[c].next {
		if m := &s.doc.nodes[c]; m.key == "match" || m.key == "not_match" {
			l.examples(s, m, rs[0])
		}
	}
}

// examples reads "match" or "not_match". A fault in it leaves the rules in force.
func (l *loader) examples(s *source, m *node, r rules.Rule) {
	if m.kind != array {
		l.fault(s, m.at, false, "%q must be a list of strings, not %v", m.key, m.kind)
		return
	}
	for e := m.first; e != 0; e = s.doc.nodes[e].next {
		if n := &s.doc.nodes[e]; n.kind == text {
			l.p.Examples = append(l.p.Examples,
				rules.Example{Rule: r, Text: n.str, Match: m.key == "match", Pos: s.pos(n.at)})
		} else {
			l.fault(s, n.at, false, "%q must contain only strings, not %v", m.key, n.kind)
		}
	}
}

package load

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// directories reads "additionalDirectories".
func (l *loader) directories(s *source, m *node, name string) {
	l.strings(s, m, name, func(e *node) {
		if m.kind == array && l.spendDir(s.scope, s.pos(e.at)) {
			s.dirs = append(s.dirs, rules.Setting{Value: e.str, Scope: s.scope, Pos: s.pos(e.at)})
		}
	})
}

// strings calls f for every string of a list; of a restriction, also for a
// string in place of the list.
func (l *loader) strings(s *source, m *node, name string, f func(*node)) {
	if m.kind != array {
		l.shape(s, m, name, strconv.Quote(name)+" must be a list of strings")
		if m.kind == text {
			f(m)
		}
		return
	}
	for e := m.first; e != 0; e = s.doc.nodes[e].next {
		if n := &s.doc.nodes[e]; n.kind == text {
			f(n)
		} else {
			l.shape(s, n, name, strconv.Quote(name)+" must contain only strings")
		}
	}
}

// list reads a list of rules.
func (l *loader) list(s *source, m *node, list rules.List, rs []rules.Rule) []rules.Rule {
	if m.kind == array {
		n := 0
		for e := m.first; e != 0; e = s.doc.nodes[e].next {
			n++
		}
		rs = slices.Grow(rs, min(n, maxProjectRules))
	}
	l.strings(s, m, list.String(), func(e *node) {
		if list == rules.Allow && m.kind != array {
			return // a restriction is read from a bare string too, a grant is not
		}
		rs = l.rule(rs, e.str, list, s.scope, s.pos(e.at), s.root == ".claude")
	})
	return rs
}

// rule parses one rule and appends it. A malformed allow is left out; a
// malformed deny or ask is kept in the sense ParseRule gives it.
func (l *loader) rule(rs []rules.Rule, text string, list rules.List, scope rules.Scope, pos rules.Pos, claude bool) []rules.Rule {
	if !l.spendRule(scope, pos) {
		return rs
	}
	r, err := rules.ParseRule(text, list, scope, pos, claude)
	if err != nil {
		if l.keepsFault(scope, false) {
			l.faulty(rules.Fault{Pos: pos, Scope: scope, Msg: err.Error()})
		}
		if list == rules.Allow || r.Tool == "" {
			return rs
		}
	}
	return append(rs, r)
}

// defaults is the entry of a list of autoMode that stands for the built-in list.
const defaults = "$defaults"

// autoList reads one list of autoMode. Claude Code puts sentences there for its
// own classifier, which say nothing here, and neither does "$defaults" next to
// them; a list of nothing else leaves the built-in one in force.
func (l *loader) autoList(s *source, m *node, name string) {
	i, list := 0, [len(rules.AutoKeys)]rules.List{rules.Deny, rules.Ask, rules.Allow}
	for rules.AutoKeys[i].Name != name {
		i++
	}
	a := &s.auto[i]
	a.own = true
	prose, misplaced := false, 0
	l.strings(s, m, "autoMode."+name, func(e *node) {
		switch {
		case e.str == defaults || e.str == defaults+"."+name:
			a.defaults = rules.Setting{Value: "true", Scope: s.scope, Pos: s.pos(e.at)}
			return
		case strings.HasPrefix(e.str, defaults+"."):
			if misplaced = e.at; list[i] != rules.Allow { // a malformed restriction is read as widely as possible
				a.defaults = rules.Setting{Value: "true", Scope: s.scope, Pos: s.pos(e.at)}
			}
			return
		case list[i] == rules.Allow && m.kind != array, !l.spendRule(s.scope, s.pos(e.at)):
			return
		}
		r, err := rules.ParseRule(e.str, list[i], s.scope, s.pos(e.at), s.root == ".claude")
		switch {
		case err == nil:
			a.rules = append(a.rules, r)
		case s.root == ".claude" && (sentence(e.str) || !rules.KnownTool(r.Tool)):
			prose = true
		case list[i] != rules.Allow && rules.KnownTool(r.Tool):
			a.rules = append(a.rules, r)
			fallthrough
		default:
			l.fault(s, e.at, false, "autoMode.%s: %v", name, err)
		}
	})
	if misplaced != 0 && !prose {
		l.fault(s, misplaced, false, "autoMode.%s: only its own built-in list can be named there: write %q", name, defaults)
	}
	if prose && (len(a.rules) == 0 || a.defaults.On()) {
		a.own = false
	}
	if prose {
		a.defaults = rules.Setting{}
	}
	a.own = a.own && !a.defaults.On()
}

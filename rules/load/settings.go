package load

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A place is where a settings file may be, and what its grants would count for.
// Most places are empty, so it is kept apart from what a file says.
type place struct {
	path  string
	scope rules.Scope
	root  string // ".claude"; "" for --settings
	why   string // "" when its grants count
	user  *userRoot
	gate  bool // a permgate.json
	// closed is set by a fault of the whole file.
	closed bool
	// unknown is set by a key of permgate.json that is not known.
	unknown bool
	whole   bool // lines and columns are not those of the place
}

// A source is one settings file and what it says.
type source struct {
	place
	broken bool // not JSON: only restrictions were taken from it
	data   []byte
	doc    *doc // while it is parsed

	allow, ask, deny []rules.Rule
	dirs             []rules.Setting // additionalDirectories as written
	mode             rules.Setting   // defaultMode as written
	folders          [][2]string     // keys that end with Directory, of the host's own files, and what they say
	on               [numSwitches]rules.Setting
	auto             [len(rules.AutoKeys)]struct {
		rules    []rules.Rule
		own      bool          // written, and without "$defaults"
		defaults rules.Setting // On where "$defaults" is written
	}
	keys             *[len(PostureKeys)]postureValue // of a permgate.json
	exclusions, urls []rules.Rule
	urlAllow         []rules.Rule
	urlsSet          rules.Setting   // where the first urls.allow that is not empty is
	rebuildable      []rules.Setting // names of folders
	tools            []rules.ToolList

	untrusted withheld  // by index of grantsOf
	unmanaged bool      // allowManagedPermissionRulesOnly alone takes its grants away
	sections  []section // of a permgate.json
}

// A section is one host's part of permgate.json: the allow rules from it.
type section struct {
	from, to int
	host     string
}

func (s *source) pos(at int) rules.Pos {
	if s.whole {
		return rules.Pos{File: s.path}
	}
	return s.doc.pos(s.path, at)
}

// fault notes a fault of the whole file, closed reports one of a single entry.
func (l *loader) fault(s *source, at int, closed bool, format string, args ...any) {
	keep := l.keepsFault(s.scope, closed && !s.closed)
	if s.closed = s.closed || closed; keep {
		l.faulty(rules.Fault{Pos: s.pos(at), Scope: s.scope, Msg: fmt.Sprintf(format, args...), Closed: closed})
	}
}

// parse reads the text of a settings file or permgate.json into s.
func (l *loader) parse(s *source) {
	s.doc = parseJSONC(string(s.data), l.nodes)
	// one file after the other is in them
	defer func() { l.steps, l.nodes, s.doc = l.steps+s.doc.steps, s.doc.nodes, nil }()
	switch d := s.doc; {
	case d.err != "":
		s.broken = true
		l.fault(s, d.errAt, true, "not valid JSON: %s", d.err)
		l.salvage(s)
	case d.nodes[0].kind != object:
		l.fault(s, d.nodes[0].at, true, "the file must contain an object, not %v", d.nodes[0].kind)
	default:
		l.duplicates(s)
		if s.gate {
			l.postureFile(s)
		} else {
			l.members(s, &d.nodes[0], false, "", topKeys[:])
		}
	}
}

// duplicates reports every key that is there twice in one object: readers differ
// in which of the two they take.
func (l *loader) duplicates(s *source) {
	nodes := s.doc.nodes
	for i := range nodes {
		if nodes[i].kind != object {
			continue
		}
		var seen map[string]bool
		n := 0
		for c := nodes[i].first; c != 0; c = nodes[c].next {
			twice := false
			if n++; n > 32 {
				if seen == nil {
					seen = map[string]bool{}
					for e := nodes[i].first; e != c; e = nodes[e].next {
						seen[nodes[e].key] = true
					}
				}
				twice, seen[nodes[c].key] = seen[nodes[c].key], true
			} else {
				for e := nodes[i].first; e != c && !twice; e = nodes[e].next {
					twice = nodes[e].key == nodes[c].key
				}
			}
			if twice {
				l.fault(s, nodes[c].keyAt, true, "the key %q appears twice: merge the two", nodes[c].key)
			}
		}
	}
}

// members reads the keys of one object. limit is set below a misspelt key:
// only what restricts is taken then.
func (l *loader) members(s *source, n *node, limit bool, path string, keys []rules.SettingsKey) {
	nodes := s.doc.nodes
	for c := n.first; c != 0; c = nodes[c].next {
		m := &nodes[c]
		name, how := known(m.key, path, keys)
		switch how {
		case unknown:
			shared := s.scope == rules.Shared && (strings.HasPrefix(m.str, "~") || l.w.OS.IsAbs(m.str)) // names only its own places
			if path == "" && m.kind == text && strings.HasSuffix(m.key, "Directory") && !shared {
				s.folders = append(s.folders, [2]string{m.key, m.str})
			}
			continue
		case similar:
			l.fault(s, m.keyAt, restricts(path, name), "unknown key %q: did you mean %q?", path+m.key, path+name)
			continue
		case otherCase:
			l.fault(s, m.keyAt, restricts(path, name), "the key %q must be written %q", path+m.key, path+name)
		}
		l.member(s, m, limit || how == otherCase, path, name)
	}
}

const (
	unknown spelling = iota
	exact
	otherCase // some readers would take it
	similar   // one typo away, under a key that is all ours
)

// member reads one known key.
func (l *loader) member(s *source, m *node, limit bool, path, name string) {
	switch path {
	case "autoMode.":
		l.autoList(s, m, name)
	case "permissions.":
		l.permission(s, m, limit, name)
	default:
		l.topLevel(s, m, limit, name)
	}
}

// topLevel reads one key of the file itself.
func (l *loader) topLevel(s *source, m *node, limit bool, name string) {
	switch isObject := m.kind == object; {
	case name != "permissions" && name != "autoMode":
		l.flip(s, m, name)
	case !isObject:
		l.fault(s, m.at, true, "%q must be an object, not %v", name, m.kind)
	case name == "permissions":
		l.members(s, m, limit, "permissions.", PermissionKeys[:])
	case !limit:
		l.members(s, m, false, "autoMode.", rules.AutoKeys[:])
	}
}

// permission reads one key of "permissions".
func (l *loader) permission(s *source, m *node, limit bool, name string) {
	switch name {
	case "deny":
		s.deny = l.list(s, m, rules.Deny, s.deny)
	case "ask":
		s.ask = l.list(s, m, rules.Ask, s.ask)
	case "allow":
		if !limit {
			s.allow = l.list(s, m, rules.Allow, s.allow)
		}
	case "additionalDirectories":
		if !limit {
			l.directories(s, m, name)
		}
	case "defaultMode":
		if m.kind != text {
			l.shape(s, m, name, "defaultMode takes a mode's name")
		} else if !limit {
			s.mode = rules.Setting{Value: m.str, Scope: s.scope, Pos: s.pos(m.at)}
		}
	default:
		l.flip(s, m, name)
	}
}

// flip reads a switch. A value that is not understood counts as set.
func (l *loader) flip(s *source, m *node, name string) {
	i := 0
	for Switches[i].Name != name {
		i++
	}
	on := true
	switch {
	case m.kind == boolean:
		on = m.on
	case m.kind == text && Switches[i].Lock && m.str == "disable":
	case m.kind == text && Switches[i].Lock:
		l.fault(s, m.at, false, "%s takes true, false or \"disable\"; %q counts as true", name, m.str)
	default:
		l.fault(s, m.at, true, "%s takes true or false; %s counts as true", name, m.kind)
	}
	if on {
		s.on[i] = rules.Setting{Value: "true", Scope: s.scope, Pos: s.pos(m.at)}
	}
}

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

// defaults is the entry of a list of autoMode that means the built-in list.
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
		switch name, how := known(m.key, "", PermissionKeys[:]); {
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

// Hosts add keys, and new kinds of values of known keys, every week. What is
// lost with a grant makes nothing laxer, so a grant of a shape that is not
// known is left out and reported; only a restriction that cannot be read is a
// fault of the file.

// restricts reports whether a key of settings.json restricts, or holds keys
// that do. path is "autoMode." for those of autoMode.
func restricts(path, name string) bool {
	if path == "autoMode." {
		return name != "allow"
	}
	return name != "allow" && name != "defaultMode" && name != "additionalDirectories"
}

// shape notes a value of another kind than the key takes.
func (l *loader) shape(s *source, n *node, name, takes string) {
	if path, key := cutKey(name); s.gate || restricts(path, key) {
		l.fault(s, n.at, true, "%s, not %v", takes, n.kind)
		return
	}
	written := name + ": " + brief(s.doc.raw(n))
	if n.kind == text {
		written = n.str
	}
	l.drop(written, s.pos(n.at), fmt.Sprintf("%s; permgate does not know what %v means there", takes, n.kind))
}

func cutKey(name string) (path, key string) {
	i := strings.IndexByte(name, '.') + 1
	return name[:i], name[i:]
}

// brief is the text of a value on one line, and not all of a long one.
func brief(raw string) string {
	const most = 60
	out := strings.Join(strings.Fields(raw[:min(len(raw), 4*most)]), " ")
	if r := []rune(out); len(r) > most {
		return string(r[:most]) + "…"
	}
	return out
}

// sentence reports whether a text that is no rule is prose, which a host writes
// for its own classifier, rather than a misspelt rule: it has a blank that no
// parenthesis encloses.
func sentence(text string) bool {
	depth := 0
	for _, r := range strings.TrimSpace(text) {
		switch {
		case r == '(':
			depth++
		case r == ')' && depth > 0:
			depth--
		case depth == 0 && (r == ' ' || r == '\t' || r == '\n'):
			return true
		}
	}
	return false
}

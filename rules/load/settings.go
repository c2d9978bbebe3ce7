package load

import (
	"fmt"

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
		name, how := l.known(m.key, path, keys)
		switch how {
		case unknown:
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

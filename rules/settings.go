package rules

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// The switches of settings.json: each can only restrict, and each may stand
// under permissions or at top level, in any scope.
const (
	lockBypass = iota
	lockAuto
	fenceRead
	fenceWrite
	noPrompts
	managedOnly
	numSwitches
)

// A Switch is a key of settings.json that is true, or absent.
type Switch struct {
	Name string
	Lock bool // "disable" is as good as true
	Doc  string
}

// Switches are the switches of settings.json, in the order of the documentation.
var Switches = [numSwitches]Switch{
	{"disableBypassPermissionsMode", true, "mode bypassPermissions falls back to default"},
	{"disableAutoMode", true, "mode auto falls back to default"},
	{"blockReadsOutsideWorkingDirectories", false, "reads outside the working directory, the project and additionalDirectories are denied"},
	{"blockWritesOutsideWorkingDirectories", false, "writes outside the working directory, the project and additionalDirectories are denied"},
	{"denyInsteadOfPrompting", false, "no prompt is possible: ask becomes deny"},
	{"allowManagedPermissionRulesOnly", false, "only the administrator's files grant anything; deny and ask of all files stay"},
}

// A SettingsKey is another key of settings.json that is read here.
type SettingsKey struct {
	Name, Doc string
	Example   string // a value; "" for an object that is described elsewhere
}

// The other keys this package reads; everything else in settings.json belongs
// to the host and is not looked at. PermissionKeys stand under "permissions",
// AutoKeys under "autoMode"; defaultMode takes a mode's name, the others lists of strings.
var (
	topKeys        = [...]SettingsKey{{Name: "permissions"}, {Name: "autoMode"}}
	PermissionKeys = [...]SettingsKey{
		{"allow", "rules for calls that run unasked; every part of a call needs one", `["Bash(git status)", "Read(./src/**)"]`},
		{"ask", "rules for calls that are asked about; one part of a call is enough, and ask beats allow", `["Bash(git push:*)"]`},
		{"deny", "rules for calls that never run; one part of a call is enough, and deny beats all", `["Read(./.env)"]`},
		{"defaultMode", "the permission mode, which decides where no rule speaks", `"acceptEdits"`},
		{"additionalDirectories", "directories outside the project that may be written to; nothing in them is read as settings", `["../shared"]`},
	}
	AutoKeys = [...]SettingsKey{
		{"hard_deny", `rules for calls that mode auto denies; "$defaults" means the built-in ones`, `["$defaults", "Bash(terraform apply:*)"]`},
		{"soft_deny", `rules for calls that mode auto asks about; "$defaults" means the built-in ones`, `["$defaults", "Bash(gh release:*)"]`},
		{"allow", `rules for calls that mode auto lets run; "$defaults" means the built-in ones`, `["$defaults"]`},
	}
)

// A place is where a settings file may be, and what its grants would count for.
// Most places are empty, so it is kept apart from what a file says.
type place struct {
	path  string
	scope Scope
	root  string // ".claude"; "" for --settings
	why   string // "" when its grants count
	user  *userRoot
	gate  bool // a permgate.json
	// closed is set by a fault of the whole file.
	closed bool
	whole  bool // lines and columns are not those of the place
}

// A source is one settings file and what it says.
type source struct {
	place
	broken bool // not JSON: only restrictions were taken from it
	data   []byte
	doc    *doc // while it is parsed

	allow, ask, deny []Rule
	dirs             []Setting // additionalDirectories as written
	mode             Setting   // defaultMode as written
	on               [numSwitches]Setting
	auto             [len(AutoKeys)]struct {
		rules []Rule
		own   bool // written, and without "$defaults"
	}
	keys             *[len(GateKeys)]gateValue // of a permgate.json
	exclusions, urls []Rule
	rebuildable      []Setting // names of folders

	untrusted withheld  // by index of grantsOf
	sections  []section // of a permgate.json
}

// A section is one host's part of permgate.json: the allow rules from it.
type section struct {
	from, to int
	host     string
}

func (s *source) pos(at int) Pos {
	if s.whole {
		return Pos{File: s.path}
	}
	return s.doc.pos(s.path, at)
}

// fault notes a fault of the whole file, closed reports one of a single entry.
func (l *loader) fault(s *source, at int, closed bool, format string, args ...any) {
	s.closed = s.closed || closed
	l.p.Faults = append(l.p.Faults, Fault{Pos: s.pos(at), Scope: s.scope, Msg: fmt.Sprintf(format, args...), Closed: closed})
}

// parse reads the text of a settings file or permgate.json into s.
func (l *loader) parse(s *source) {
	s.doc = parseJSONC(string(s.data), l.nodes)
	defer func() { l.nodes, s.doc = s.doc.nodes, nil }() // one file after the other is in them
	switch d := s.doc; {
	case d.err != "":
		s.broken = true
		l.fault(s, d.errAt, true, "not valid JSON: %s", d.err)
		l.salvage(s)
	case d.nodes[0].kind != object:
		l.fault(s, d.nodes[0].at, true, "the file must hold an object, not %v", d.nodes[0].kind)
	default:
		l.duplicates(s)
		if s.gate {
			l.gateFile(s)
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
				l.fault(s, nodes[c].keyAt, true, "the key %q is there twice: merge the two", nodes[c].key)
			}
		}
	}
}

// members reads the keys of one object. limit is set below a misspelt key:
// only what restricts is taken then.
func (l *loader) members(s *source, n *node, limit bool, path string, keys []SettingsKey) {
	nodes := s.doc.nodes
	for c := n.first; c != 0; c = nodes[c].next {
		m := &nodes[c]
		name, how := l.known(m.key, path, keys)
		switch how {
		case unknown:
			continue
		case similar:
			l.fault(s, m.keyAt, restricts(path, name), "unknown key %q: %q is meant, it seems", path+m.key, path+name)
			continue
		case otherCase:
			l.fault(s, m.keyAt, restricts(path, name), "the key %q is written %q", path+m.key, path+name)
		}
		l.member(s, m, limit || how == otherCase, path, name)
	}
}

type spelling uint8

const (
	unknown spelling = iota
	exact
	otherCase // some readers would take it
	similar   // one typo away, under a key that is all ours
)

// known finds the key that is written, or was meant.
func (l *loader) known(key, path string, keys []SettingsKey) (string, spelling) {
	best, how := "", unknown
	try := func(name string) {
		switch {
		case name == key:
			best, how = name, exact
		case how != exact && strings.EqualFold(name, key):
			best, how = name, otherCase
		case how == unknown && oneTypo(name, key):
			best, how = name, similar
		}
	}
	for i := range keys {
		try(keys[i].Name)
	}
	if path != "autoMode." {
		for i := range Switches {
			try(Switches[i].Name)
		}
	}
	return best, how
}

// oneTypo reports whether one letter was added, lost, changed or swapped with its neighbour.
func oneTypo(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || len(a) < 3 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) < len(b) {
		return a[i:] == b[i+1:]
	}
	if i == len(a) {
		return false // equal
	}
	return a[i+1:] == b[i+1:] || i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
}

// member reads one known key.
func (l *loader) member(s *source, m *node, limit bool, path, name string) {
	inPerms := path == "permissions."
	switch {
	case path == "autoMode.":
		l.autoList(s, m, name)
	case !inPerms && (name == "permissions" || name == "autoMode"):
		if m.kind != object {
			l.fault(s, m.at, true, "%q must be an object, not %v", name, m.kind)
		} else if name == "permissions" {
			l.members(s, m, limit, "permissions.", PermissionKeys[:])
		} else if !limit {
			l.members(s, m, false, "autoMode.", AutoKeys[:])
		}
	case inPerms && name == "deny":
		s.deny = l.list(s, m, Deny, s.deny)
	case inPerms && name == "ask":
		s.ask = l.list(s, m, Ask, s.ask)
	case inPerms && name == "allow":
		if !limit {
			s.allow = l.list(s, m, Allow, s.allow)
		}
	case inPerms && name == "additionalDirectories":
		if !limit {
			l.strings(s, m, name, func(e *node) {
				if m.kind == array {
					s.dirs = append(s.dirs, Setting{e.str, s.scope, s.pos(e.at)})
				}
			})
		}
	case inPerms && name == "defaultMode":
		if m.kind != text {
			l.shape(s, m, name, "defaultMode takes a mode's name")
		} else if !limit {
			s.mode = Setting{m.str, s.scope, s.pos(m.at)}
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
		s.on[i] = Setting{"true", s.scope, s.pos(m.at)}
	}
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
			l.shape(s, n, name, strconv.Quote(name)+" must hold strings only")
		}
	}
}

// list reads a list of rules.
func (l *loader) list(s *source, m *node, list List, rs []Rule) []Rule {
	if m.kind == array {
		n := 0
		for e := m.first; e != 0; e = s.doc.nodes[e].next {
			n++
		}
		rs = slices.Grow(rs, n)
	}
	l.strings(s, m, list.String(), func(e *node) {
		if list == Allow && m.kind != array {
			return // a restriction is read from a bare string too, a grant is not
		}
		rs = l.rule(rs, e.str, list, s.scope, s.pos(e.at), s.root == ".claude")
	})
	return rs
}

// rule parses one rule and appends it. A malformed allow is left out; a
// malformed deny or ask is kept in the sense ParseRule gives it.
func (l *loader) rule(rs []Rule, text string, list List, scope Scope, pos Pos, claude bool) []Rule {
	r, err := ParseRule(text, list, scope, pos, claude)
	if err != nil {
		l.p.Faults = append(l.p.Faults, Fault{Pos: pos, Scope: scope, Msg: err.Error()})
		if list == Allow || r.Tool == "" {
			return rs
		}
	}
	return append(rs, r)
}

// autoList reads one list of autoMode. Claude Code puts sentences there for its
// own classifier, which say nothing here; a list of nothing else leaves the
// built-in one in force.
func (l *loader) autoList(s *source, m *node, name string) {
	i, list := 0, [len(AutoKeys)]List{Deny, Ask, Allow}
	for AutoKeys[i].Name != name {
		i++
	}
	a := &s.auto[i]
	a.own = true
	prose := false
	l.strings(s, m, "autoMode."+name, func(e *node) {
		switch {
		case e.str == "$defaults":
			a.own = false
			return
		case list[i] == Allow && m.kind != array:
			return
		}
		r, err := ParseRule(e.str, list[i], s.scope, s.pos(e.at), s.root == ".claude")
		switch {
		case err == nil:
			a.rules = append(a.rules, r)
		case s.root == ".claude" && sentence(e.str):
			prose = true
		case list[i] != Allow && KnownTool(r.Tool):
			a.rules = append(a.rules, r)
			fallthrough
		default:
			l.fault(s, e.at, false, "autoMode.%s: %v", name, err)
		}
	})
	if prose && len(a.rules) == 0 {
		a.own = false
	}
}

// salvage takes the restrictions from a file that is not JSON: every deny and
// ask list and every switch that can still be made out, wherever it stands.
//
// Of the allow lists those rules are taken whose calls always have a path, a
// URL or a command: while the fault lasts they can only lead to an ask, whose
// reason then names the fault. A deny behind them may be lost, so an allow that
// could still take effect must not be taken.
func (l *loader) salvage(s *source) {
	faults, dropped := len(l.p.Faults), len(l.p.Dropped)
	for i := range s.doc.nodes {
		m := &s.doc.nodes[i]
		if s.gate {
			l.gateMember(s, m, true)
			continue
		}
		switch name, how := l.known(m.key, "", PermissionKeys[:]); {
		case how == unknown || how == similar:
		case name == "deny" || name == "ask":
			l.member(s, m, true, "permissions.", name)
		case name == "allow":
			for _, r := range l.list(s, m, Allow, nil) {
				if asksOnFault(r.Tool) {
					s.allow = append(s.allow, r)
				}
			}
		case name != "defaultMode" && name != "additionalDirectories":
			l.flip(s, m, name)
		}
	}
	l.p.Faults, l.p.Dropped = l.p.Faults[:faults], l.p.Dropped[:dropped] // the syntax error is the one to mend
}

// asksOnFault reports whether every call of the tool has a path, URL or command.
func asksOnFault(tool string) bool {
	switch tool {
	case "Bash", "PowerShell", "WebFetch":
		return true
	}
	return EditTool(tool)
}

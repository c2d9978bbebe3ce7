package load

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// A postureValue is one key as a file gives it; Pos.File is "" where it does not.
type postureValue = rules.Setting

// postureFile reads a permgate.json.
func (l *loader) postureFile(s *source) {
	nodes := s.doc.nodes
	for c := nodes[0].first; c != 0; c = nodes[c].next {
		if nodes[c].key != "hosts" {
			l.postureMember(s, &nodes[c], true)
		}
	}
	for c := nodes[0].first; c != 0; c = nodes[c].next {
		if nodes[c].key == "hosts" {
			l.postureHosts(s, &nodes[c])
		}
	}
}

// postureHosts reads the sections by host. Those of other hosts are checked but not kept.
func (l *loader) postureHosts(s *source, m *node) {
	nodes := s.doc.nodes
	if m.kind != object {
		l.fault(s, m.at, true, `"hosts" must be an object, not %v`, m.kind)
		return
	}
	for h := m.first; h != 0; h = nodes[h].next {
		if nodes[h].kind != object {
			l.fault(s, nodes[h].at, true, `"hosts" must contain an object for every host, not %v`, nodes[h].kind)
			continue
		}
		from := len(s.allow)
		for c := nodes[h].first; c != 0; c = nodes[c].next {
			l.postureMember(s, &nodes[c], l.everyHost || l.w.Host != "" && nodes[h].key == l.w.Host)
		}
		if len(s.allow) > from {
			s.sections = append(s.sections, section{from, len(s.allow), nodes[h].key})
		}
	}
}

// postureMember reads one key; keep is false in the section of another host.
func (l *loader) postureMember(s *source, m *node, keep bool) {
	i, how := postureKey(m.key)
	switch {
	case how == exact:
	case how == otherCase:
		l.fault(s, m.keyAt, true, "the key %q must be written %q", m.key, PostureKeys[i].Name)
	case how == similar:
		l.fault(s, m.keyAt, true, "unknown key %q: did you mean %q?", m.key, PostureKeys[i].Name)
		return
	case m.key == "permissions", m.key == "allow", m.key == "ask", m.key == "deny", m.key == "autoMode":
		l.fault(s, m.keyAt, true, "misplaced key %q: it belongs in settings.json and is ignored here", m.key)
		return
	case strings.HasPrefix(m.key, "$"), strings.HasPrefix(m.key, "//"):
		return
	default:
		l.unknownKey(s, m, keep)
		return
	}
	if keep && PostureKeys[i].Idle {
		l.fault(s, m.keyAt, false, "%q has no effect yet: remove it", m.key)
	}
	switch k := &PostureKeys[i]; k.Kind {
	case PosturePatterns:
		l.strings(s, m, k.Name, func(e *node) { l.exclusion(s, e, keep) })
	case PostureURLs:
		l.urls(s, m, keep)
	case PostureNames:
		l.strings(s, m, k.Name, func(e *node) { l.folderName(s, e, k, keep) })
	case PostureRules:
		l.ruleObjects(s, m, keep)
	case PostureTools:
		list := rules.ToolList{Scope: s.scope, Pos: s.pos(m.at)} // what is no list names no tool
		l.strings(s, m, k.Name, func(e *node) {
			list.Rules = l.rule(list.Rules, e.str, rules.Whitelist, s.scope, s.pos(e.at), s.root == ".claude")
		})
		if keep {
			s.tools = append(s.tools, list)
		}
	default:
		v := rules.Setting{Value: l.postureWord(s, m, k), Scope: s.scope, Pos: s.pos(m.at)}
		if keep {
			if s.keys == nil {
				s.keys = new([len(PostureKeys)]postureValue)
			}
			s.keys[i] = v
		}
	}
}

// Newer says of a file that its format is of a later version: nothing in it counts or is changed.
const Newer = "was written by a newer permgate: upgrade permgate"

// unknownKey reports a key that may restrict in another version: nothing is allowed
// without a question. The file counts otherwise, loosening keys too.
func (l *loader) unknownKey(s *source, m *node, keep bool) {
	first := keep && !s.unknown
	s.unknown = s.unknown || keep
	if l.keepsFault(s.scope, first) {
		why := fmt.Sprintf("unknown key %q: remove it, or upgrade permgate if a newer version knows it", m.key)
		if meant := meantKey(m.key); meant != "" {
			why = fmt.Sprintf("unknown key %q: did you mean %q?", m.key, meant)
		}
		l.faulty(rules.Fault{Pos: s.pos(m.keyAt), Scope: s.scope, Msg: why, Closed: first, Key: true})
	}
}

// meantKey is the posture key that one of two mistakes or so is probably meant to be, "" for none.
func meantKey(key string) string {
	const most, shortest = 2, 6
	for i := range PostureKeys {
		if name := PostureKeys[i].Name; len(key) >= shortest && rules.Distance(name, key) <= most {
			return name
		}
	}
	return ""
}

// key returns what a file says of a key.
func (s *source) key(i int) postureValue {
	if s.keys == nil {
		return postureValue{}
	}
	return s.keys[i]
}

func postureKey(key string) (int, spelling) {
	return nearest(key, len(PostureKeys), func(i int) string { return PostureKeys[i].Name })
}

// postureWord returns a value as text. What cannot be understood counts as the tightest.
func (l *loader) postureWord(s *source, m *node, k *PostureKey) string {
	switch {
	case k.Kind == PostureOperator:
		return l.operatorWord(s, m, k)
	case k.Kind == PostureAudit:
		return l.auditWord(s, m, k)
	case k.Kind == PostureNumber:
		return l.numberWord(s, m, k)
	case k.Kind == PostureWord && m.kind == text && k.rank(m.str) >= 0:
		return m.str
	case (k.Kind == PostureBool || k.Kind == PostureSwitch) && m.kind == boolean:
		return strconv.FormatBool(m.on)
	case k.Kind == PostureWord:
		l.fault(s, m.at, true, `%s takes "%s", not %s`, k.Name, strings.Join(k.Values, `" or "`), s.doc.raw(m))
	default:
		l.fault(s, m.at, true, "%s takes true or false, not %v", k.Name, m.kind)
	}
	if k.Kind == PostureSwitch {
		return "true"
	}
	return k.Values[len(k.Values)-1]
}

func (l *loader) exclusion(s *source, e *node, keep bool) {
	if e.str == "" {
		l.fault(s, e.at, true, "contentExclusion contains an empty pattern")
	} else if keep {
		s.exclusions = l.rule(s.exclusions, "Read("+e.str+")", rules.Deny, s.scope, s.pos(e.at), false)
	}
}

// urls reads a list of entries, which deny, or {"allow": list, "deny": list}.
func (l *loader) urls(s *source, m *node, keep bool) {
	if m.kind != object {
		l.urlList(s, m, rules.Deny, keep)
		return
	}
	for c := m.first; c != 0; c = s.doc.nodes[c].next {
		switch n := &s.doc.nodes[c]; n.key {
		case "deny":
			l.urlList(s, n, rules.Deny, keep)
		case "allow":
			l.urlList(s, n, rules.Allow, keep)
		default:
			l.fault(s, n.keyAt, true, `unknown key "urls.%s": allow and deny are known`, n.key)
		}
	}
}

func (l *loader) urlList(s *source, m *node, list rules.List, keep bool) {
	l.strings(s, m, "urls", func(e *node) {
		if !l.spendRule(s.scope, s.pos(e.at)) {
			return
		}
		r, err := rules.URLRule(e.str, list, s.scope, s.pos(e.at))
		if err != nil {
			l.fault(s, e.at, r.Tool == "", "%v", err)
		}
		switch {
		case !keep:
		case list == rules.Allow:
			if s.urlsSet.Pos.File == "" {
				s.urlsSet = rules.Setting{Scope: s.scope, Pos: s.pos(m.at)}
			}
			if err == nil {
				s.urlAllow = append(s.urlAllow, r)
			}
		case r.Tool != "":
			s.urls = append(s.urls, r)
		}
	})
}

// ruleObjects reads "rules": objects of one rule each, which count as in settings.json next to it.
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

// ruleObject reads one of them. One with several lists restricts by all and grants nothing.
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

// FolderNamePattern is a folder's name in a list of them, as a JSON schema's regular expression.
const FolderNamePattern = `^[A-Za-z0-9_][A-Za-z0-9_.-]*$|^\.[A-Za-z0-9_-][A-Za-z0-9_.-]*$`

// folderName reads one name of such a list.
func (l *loader) folderName(s *source, e *node, k *PostureKey, keep bool) {
	if !plainName(e.str) {
		l.fault(s, e.at, true, "%s takes folder names, without slashes and wildcards, not %s", k.Name, s.doc.raw(e))
	} else if keep && l.spendRule(s.scope, s.pos(e.at)) {
		s.rebuildable = append(s.rebuildable, rules.Setting{Value: e.str, Scope: s.scope, Pos: s.pos(e.at)})
	}
}

// plainName reports whether a name is of FolderNamePattern: every system and shell reads it alike.
func plainName(name string) bool {
	for i := range len(name) {
		if !letterOrDigit(name[i]) && strings.IndexByte("_.-", name[i]) < 0 {
			return false
		}
	}
	rest := strings.TrimPrefix(name, ".")
	return rest != "" && rest[0] != '.' && (rest[0] != '-' || rest != name)
}

// mergeNames adds the names of a file, if it is one that may loosen.
func (l *loader) mergeNames(s *source) {
	for _, name := range s.rebuildable {
		if why := l.whyNotLoosen(s); why != "" {
			l.drop("rebuildable: "+name.Value, name.Pos, why)
			continue
		}
		l.p.Posture.Rebuildable = append(l.p.Posture.Rebuildable, name)
	}
}

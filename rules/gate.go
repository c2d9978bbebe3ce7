package rules

import "strings"

// A gateValue is one key as a file gives it; Pos.File is "" where it does not.
type gateValue = Setting

// gateFile reads a permgate.json.
func (l *loader) gateFile(s *source) {
	nodes := s.doc.nodes
	for c := nodes[0].first; c != 0; c = nodes[c].next {
		if nodes[c].key != "hosts" {
			l.gateMember(s, &nodes[c], true)
		}
	}
	for c := nodes[0].first; c != 0; c = nodes[c].next {
		if nodes[c].key == "hosts" {
			l.gateHosts(s, &nodes[c])
		}
	}
}

// gateHosts reads the sections by host. Those of other hosts are checked but not kept.
func (l *loader) gateHosts(s *source, m *node) {
	nodes := s.doc.nodes
	if m.kind != object {
		l.fault(s, m.at, true, `"hosts" must be an object, not %v`, m.kind)
		return
	}
	for h := m.first; h != 0; h = nodes[h].next {
		if nodes[h].kind != object {
			l.fault(s, nodes[h].at, true, `"hosts" must hold an object for every host, not %v`, nodes[h].kind)
			continue
		}
		from := len(s.allow)
		for c := nodes[h].first; c != 0; c = nodes[c].next {
			l.gateMember(s, &nodes[c], l.everyHost || l.w.Host != "" && nodes[h].key == l.w.Host)
		}
		if len(s.allow) > from {
			s.sections = append(s.sections, section{from, len(s.allow), nodes[h].key})
		}
	}
}

// gateMember reads one key; keep is false in the section of another host.
func (l *loader) gateMember(s *source, m *node, keep bool) {
	i, how := gateKey(m.key)
	switch {
	case how == exact:
	case how == otherCase:
		l.fault(s, m.keyAt, true, "the key %q is written %q", m.key, GateKeys[i].Name)
	case how == similar:
		l.fault(s, m.keyAt, true, "unknown key %q: %q is meant, it seems", m.key, GateKeys[i].Name)
		return
	case m.key == "permissions", m.key == "allow", m.key == "ask", m.key == "deny", m.key == "autoMode":
		l.fault(s, m.keyAt, true, "%q belongs in settings.json, it is not read here", m.key)
		return
	case strings.HasPrefix(m.key, "$"), strings.HasPrefix(m.key, "//"):
		return
	default:
		l.fault(s, m.keyAt, false, "unknown key %q", m.key)
		return
	}
	if keep && GateKeys[i].Idle {
		l.fault(s, m.keyAt, false, "%q does nothing yet: take it out", m.key)
	}
	switch k := &GateKeys[i]; k.Kind {
	case GatePatterns:
		l.strings(s, m, k.Name, func(e *node) { l.exclusion(s, e, keep) })
	case GateDomains:
		l.domains(s, m, keep)
	case GateNames:
		l.strings(s, m, k.Name, func(e *node) { l.folderName(s, e, k, keep) })
	case GateRules:
		l.ruleObjects(s, m, keep)
	default:
		v := Setting{l.gateWord(s, m, k), s.scope, s.pos(m.at)}
		if keep {
			if s.keys == nil {
				s.keys = new([len(GateKeys)]gateValue)
			}
			s.keys[i] = v
		}
	}
}

// key returns what a file says of a key.
func (s *source) key(i int) gateValue {
	if s.keys == nil {
		return gateValue{}
	}
	return s.keys[i]
}

func gateKey(key string) (int, spelling) {
	at, how := 0, unknown
	for i := range GateKeys {
		switch name := GateKeys[i].Name; {
		case name == key:
			return i, exact
		case strings.EqualFold(name, key):
			at, how = i, otherCase
		case how == unknown && oneTypo(name, key):
			at, how = i, similar
		}
	}
	return at, how
}

// gateWord returns a value as text. What cannot be understood counts as the tightest.
func (l *loader) gateWord(s *source, m *node, k *GateKey) string {
	switch {
	case k.Kind == GateOperator:
		return s.doc.raw(m)
	case k.Kind == GateAudit:
		return l.auditWord(s, m, k)
	case k.Kind == GateWord && m.kind == text && k.rank(m.str) >= 0:
		return m.str
	case (k.Kind == GateBool || k.Kind == GateSwitch) && m.kind == boolean:
		return onOff[b2i(m.on)]
	case k.Kind == GateWord:
		l.fault(s, m.at, true, `%s takes "%s", not %s`, k.Name, strings.Join(k.Values, `" or "`), s.doc.raw(m))
	default:
		l.fault(s, m.at, true, "%s takes true or false, not %v", k.Name, m.kind)
	}
	if k.Kind == GateSwitch {
		return "true"
	}
	return k.Values[len(k.Values)-1]
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (l *loader) exclusion(s *source, e *node, keep bool) {
	if e.str == "" {
		l.fault(s, e.at, true, "contentExclusion holds an empty pattern")
	} else if keep {
		s.exclusions = l.rule(s.exclusions, "Read("+e.str+")", Deny, s.scope, s.pos(e.at), false)
	}
}

// domains reads a list of domains, or {"deny": list}. A URL stands for its host.
func (l *loader) domains(s *source, m *node, keep bool) {
	if m.kind == object {
		for c := m.first; c != 0; c = s.doc.nodes[c].next {
			if n := &s.doc.nodes[c]; n.key == "deny" {
				l.domains(s, n, keep)
			} else {
				l.fault(s, n.keyAt, true, `unknown key "urls.%s": only "deny" is known`, n.key)
			}
		}
		return
	}
	l.strings(s, m, "urls", func(e *node) {
		host := strings.TrimPrefix(e.str, "domain:")
		if i := strings.Index(host, "://"); i >= 0 {
			host = host[i+3:]
		}
		host, _, _ = strings.Cut(host, "/")
		if host == "" {
			l.fault(s, e.at, true, "urls holds an entry without a host")
		} else if keep {
			s.urls = l.rule(s.urls, "WebFetch(domain:"+host+")", Deny, s.scope, s.pos(e.at), false)
		}
	})
}

// mergeGate settles every key: the tightest of all values, where the default is
// one of them only if no file that may loosen says anything.
func (l *loader) mergeGate() {
	for i := range GateKeys {
		k := &GateKeys[i]
		to := l.p.Gate.Setting(k.Name)
		if to == nil {
			continue
		}
		switch k.Kind {
		case GateSwitch:
			l.mergeSwitch(i, k, to)
			continue
		case GateAudit:
			l.mergeAudit(i, k, to)
			continue
		}
		spoken := false
		for _, s := range l.sources {
			if v := s.key(i); v.Pos.File != "" && l.mayLoosen(s, k) {
				if !spoken || k.rank(v.Value) > k.rank(to.Value) {
					*to = v
				}
				spoken = true
			}
		}
		least := k.rank(k.Default)
		if spoken {
			least = k.rank(to.Value)
		}
		for _, s := range l.sources {
			switch v := s.key(i); {
			case v.Pos.File == "" || l.mayLoosen(s, k):
			case k.Values != nil && k.rank(v.Value) > least:
				*to, least = v, k.rank(v.Value)
			case k.Values == nil || k.rank(v.Value) < k.rank(k.Default):
				l.drop(k.Name+": "+v.Value, v.Pos, l.whyNotLoosen(s))
			}
		}
	}
	for _, s := range l.sources {
		l.p.Gate.ContentExclusion = append(l.p.Gate.ContentExclusion, s.exclusions...)
		l.p.Gate.URLs = append(l.p.Gate.URLs, s.urls...)
		l.mergeNames(s)
	}
}

// mergeSwitch settles a key that tightens but makes the gate do more, so that a
// project has no say in it. On wins; a file whose grants do not count may still
// switch it on.
func (l *loader) mergeSwitch(i int, k *GateKey, to *Setting) {
	for _, s := range l.sources {
		switch v := s.key(i); {
		case v.Pos.File == "":
		case !in(k.Loosen, s.scope):
			if v.Value == "true" {
				l.drop(k.Name+": "+v.Value, v.Pos, "only user and managed files may set it")
			}
		case to.Pos.File == "" || v.Value == "true" && to.Value != "true":
			*to = v
		}
	}
}

func (l *loader) mayLoosen(s *source, k *GateKey) bool {
	return l.whyNotLoosen(s) == "" && in(k.Loosen, s.scope)
}

func (l *loader) whyNotLoosen(s *source) string {
	switch {
	case s.why != "":
		return s.why
	case s.closed:
		return "the file has a fault that must be mended first"
	case s.scope != User && s.scope != Managed:
		return "only user and managed files may loosen"
	}
	return ""
}

func in(list []Scope, s Scope) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}

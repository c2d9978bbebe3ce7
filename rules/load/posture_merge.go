package load

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/tidwall/gjson"
)

// mergePosture settles each key: the tightest value, the default only if no loosening file speaks.
func (l *loader) mergePosture() {
	for i := range PostureKeys {
		k := &PostureKeys[i]
		to := l.p.Posture.Setting(k.Name)
		if to == nil {
			continue
		}
		switch k.Kind {
		case PostureSwitch:
			l.mergeSwitch(i, k, to)
			continue
		case PostureAudit:
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
			if slices.Contains(k.Loosen, s.scope) {
				operatorSays(&l.p.Posture, k.Name, s.key(i).Value)
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
		l.p.Posture.ContentExclusion = append(l.p.Posture.ContentExclusion, s.exclusions...)
		l.p.Posture.URLs = append(l.p.Posture.URLs, s.urls...)
		l.p.Tools = append(l.p.Tools, s.tools...)
		l.mergeURLs(s)
		l.mergeNames(s)
	}
}

// operatorSays notes what the operator's files say, in force or not: who takes it back
// brings questions and denials back, and no allow in the place of silence.
func operatorSays(g *rules.Posture, key, value string) {
	switch {
	case key == "onUnmatched" && value == "defer":
		g.LeftToHost = true
	case key == "enforce" && value == "false":
		g.Observes = true
	}
}

// mergeURLs adds what a file lets be reached. A file that may say so makes the
// list the one that is asked by, even where its grants do not count.
func (l *loader) mergeURLs(s *source) {
	operator := slices.Contains(operators, s.scope)
	if operator && l.p.Posture.URLsSet.Pos.File == "" {
		l.p.Posture.URLsSet = s.urlsSet
	}
	for _, r := range s.urlAllow {
		switch {
		case !operator:
			l.drop("urls.allow: "+r.Text, r.Pos, "only user and managed files may set it")
		case s.why != "":
			l.drop("urls.allow: "+r.Text, r.Pos, s.why)
		default:
			l.p.Posture.URLAllow = append(l.p.Posture.URLAllow, r)
			l.p.Allow = append(l.p.Allow, r)
		}
	}
}

// mergeSwitch settles a key that tightens but makes the gate do more: a project
// has no say. On wins, even in a file whose grants do not count.
func (l *loader) mergeSwitch(i int, k *PostureKey, to *rules.Setting) {
	for _, s := range l.sources {
		switch v := s.key(i); {
		case v.Pos.File == "":
		case !slices.Contains(k.Loosen, s.scope):
			if v.Value == "true" {
				l.drop(k.Name+": "+v.Value, v.Pos, "only user and managed files may set it")
			}
		case to.Pos.File == "" || v.Value == "true" && to.Value != "true":
			*to = v
		}
	}
}

func (l *loader) mayLoosen(s *source, k *PostureKey) bool {
	return l.whyNotLoosen(s) == "" && slices.Contains(k.Loosen, s.scope)
}

func (l *loader) whyNotLoosen(s *source) string {
	if why := s.whyIdle(); why != "" || s.scope == rules.User || s.scope == rules.Managed {
		return why
	}
	return "only user and managed files may loosen"
}

// Bounds of the numbers in audit.
const (
	MinAuditBytes, MaxAuditBytes = 64 << 10, 1 << 30
	MaxAuditKeep                 = 100
)

// auditWord returns a value of audit in one form: the level, or an object of
// the three keys. What cannot be understood counts as the default: no typo
// switches the log off, or writes down what no one asked for.
func (l *loader) auditWord(s *source, m *node, k *PostureKey) string {
	switch {
	case m.kind == text && k.rank(m.str) >= 0:
		return m.str
	case m.kind != object:
		l.fault(s, m.at, true, `audit takes "off", "decisions", "full" or an object, not %s`, s.doc.raw(m))
		return k.Default
	}
	level, bytes, keep := k.Default, int64(0), int64(0)
	for c := m.first; c != 0; c = s.doc.nodes[c].next {
		switch n := &s.doc.nodes[c]; n.key {
		case "level":
			if n.kind == text && k.rank(n.str) >= 0 {
				level = n.str
			} else {
				l.fault(s, n.at, true, `audit.level takes "off", "decisions" or "full", not %s`, s.doc.raw(n))
			}
		case "maxBytes":
			bytes = l.auditNumber(s, n, MinAuditBytes, MaxAuditBytes)
		case "keep":
			keep = l.auditNumber(s, n, 1, MaxAuditKeep)
		default:
			l.fault(s, n.keyAt, true, `unknown key "audit.%s": level, maxBytes and keep are known`, n.key)
		}
	}
	return `{"level":"` + level + `","maxBytes":` + strconv.FormatInt(bytes, 10) + `,"keep":` +
		strconv.FormatInt(keep, 10) + `}`
}

func (l *loader) auditNumber(s *source, n *node, least, most int64) int64 {
	v, err := strconv.ParseInt(s.doc.raw(n), 10, 64)
	if n.kind != number || err != nil || v < least || v > most {
		l.fault(s, n.at, true, "audit.%s takes a whole number from %d to %d, not %s", n.key, least, most, s.doc.raw(n))
		return 0
	}
	return v
}

// mergeAudit settles what is logged: the first word by precedence (a managed one
// is final), even one with a fault unless it switches the log off.
func (l *loader) mergeAudit(i int, k *PostureKey, to *rules.Setting) {
	for _, s := range l.sources {
		v := s.key(i)
		why := ""
		switch {
		case v.Pos.File == "":
			continue
		case !slices.Contains(k.Loosen, s.scope):
			why = "only user and managed files may set it"
		case s.scope == rules.User || strings.Contains(v.Value, "off"):
			why = l.whyNotLoosen(s)
		}
		switch {
		case why != "":
			l.drop(k.Name+": "+v.Value, v.Pos, why)
		case to.Pos.File == "":
			*to = v
		}
	}
}

// Bounds of a program of the operator's: the keys classifier and approver.
const (
	MinOperatorMillis = 100
	MaxOperatorMillis = 10 * 60 * 1000
	maxOperatorArgs   = 64
)

// operatorWord returns an operator's program as JSON for internal/gate/operator, or none if bad.
func (l *loader) operatorWord(s *source, m *node, k *PostureKey) string {
	if m.kind != object {
		l.fault(s, m.at, true, `%s takes an object such as %s, not %v`, k.Name, k.Example, m.kind)
		return ""
	}
	var command []byte
	millis, ok := "", true
	for c := m.first; c != 0; c = s.doc.nodes[c].next {
		switch n := &s.doc.nodes[c]; n.key {
		case "command":
			command = l.operatorCommand(s, n, k.Name)
			ok = ok && command != nil
		case "timeoutMs":
			millis = l.operatorMillis(s, n, k.Name)
			ok = ok && millis != ""
		default:
			l.fault(s, n.keyAt, true, `unknown key "%s.%s": command and timeoutMs are known`, k.Name, n.key)
			ok = false
		}
	}
	switch {
	case !ok:
		return ""
	case command == nil:
		l.fault(s, m.at, true, `%s has no "command": list the program and its arguments`, k.Name)
		return ""
	case millis != "":
		millis = `,"timeoutMs":` + millis
	}
	return `{"command":` + string(command) + millis + "}"
}

func (l *loader) operatorMillis(s *source, n *node, key string) string {
	raw := s.doc.raw(n)
	v, err := strconv.Atoi(raw)
	if n.kind != number || err != nil || v < MinOperatorMillis || v > MaxOperatorMillis {
		l.fault(s, n.at, true, "%s.timeoutMs takes a whole number from %d to %d, not %s",
			key, MinOperatorMillis, MaxOperatorMillis, raw)
		return ""
	}
	return strconv.Itoa(v)
}

// operatorCommand returns the program and its arguments as JSON, nil for none.
func (l *loader) operatorCommand(s *source, n *node, key string) []byte {
	if n.kind != array || n.first == 0 {
		l.fault(s, n.at, true, "%s.command takes a list of strings, the program first, not %s", key, s.doc.raw(n))
		return nil
	}
	out, count := []byte{'['}, 0
	for c := n.first; c != 0; c = s.doc.nodes[c].next {
		e, why := &s.doc.nodes[c], ""
		switch count++; {
		case e.kind != text:
			why = "contains " + e.kind.String() + ": every element must be a string"
		case strings.IndexByte(e.str, 0) >= 0:
			why = "contains a NUL character"
		case count > maxOperatorArgs:
			why = "has more than " + strconv.Itoa(maxOperatorArgs) + " elements"
		case count == 1:
			why = l.notProgram(e.str)
		}
		if why != "" {
			l.fault(s, e.at, true, "%s.command %s", key, why)
			return nil
		}
		if count > 1 {
			out = append(out, ',')
		}
		out = gjson.AppendJSONString(out, e.str)
	}
	return append(out, ']')
}

// notProgram says why a text names no program, "" if it does: a bare name, which
// is looked up, or an absolute path. A relative one would depend on the project.
func (l *loader) notProgram(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "begins with an empty name: the first element is the program"
	case name == "." || name == "..":
		return "begins with a folder: the first element is the program"
	case strings.ContainsAny(name, `/\`) && !path.IsAbs(l.w.OS.Canon(name)):
		return "begins with a relative path: write the program's absolute path, or its bare name"
	}
	return ""
}

// numberWord returns a whole number as text, the default for anything else.
func (l *loader) numberWord(s *source, m *node, k *PostureKey) string {
	raw := s.doc.raw(m)
	if v, err := strconv.Atoi(raw); m.kind == number && err == nil && v >= 1 && v <= MaxPostureNumber {
		return strconv.Itoa(v)
	}
	l.fault(s, m.at, true, "%s takes a whole number from 1 to %d, not %s", k.Name, MaxPostureNumber, raw)
	return k.Default
}

// Number is the value of a key of kind PostureNumber, or its default.
func Number(g *rules.Posture, name string) int {
	i, _ := postureKey(name)
	v, err := strconv.Atoi(g.Setting(name).Value)
	if err != nil {
		v, _ = strconv.Atoi(PostureKeys[i].Default)
	}
	return v
}

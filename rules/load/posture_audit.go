package load

import (
	"slices"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// Bounds of the numbers in audit.
const (
	MinAuditBytes, MaxAuditBytes = 64 << 10, 1 << 30
	MaxAuditKeep                 = 100
)

// auditWord returns a value of audit in one form: the level, or an object of
// the three keys. What cannot be understood counts as the default: no slip of
// the pen switches the log off, or writes down what no one asked for.
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

// mergeAudit settles what is logged: the first word in order of precedence, so
// that a managed file's is final; that of one with a fault too, as long as it
// does not switch the log off.
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

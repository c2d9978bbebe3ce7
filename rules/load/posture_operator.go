package load

import (
	"path"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/rules"
)

// Bounds of a program of the operator's: the keys classifier and approver.
const (
	MinOperatorMillis = 100
	MaxOperatorMillis = 10 * 60 * 1000
	maxOperatorArgs   = 64
)

// operatorWord returns a program of the operator's in one form, JSON with the
// two keys, which internal/gate/operator reads. One that cannot be understood is none.
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

// numberWord returns a whole number as text, the default for what is none.
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

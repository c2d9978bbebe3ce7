package load

import (
	"fmt"
	"strings"
)

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

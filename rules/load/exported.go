package load

import (
	"github.com/permgate--owner/permgate/rules"
)

// Exported is the file in the user's .claude folder that lists what permgate export wrote into which settings file,
// by its real path. Such a rule grants nothing: it would keep alive the one it was made of.
const Exported = "permgate-exported.json"

// exported lists the allow rules of a settings file that permgate export wrote there. A list that cannot be used is a
// fault of its own: a rule in it would count as the user's.
func (l *loader) exported(s *source) (texts map[string]bool) {
	own := s.scope == rules.User || s.scope == rules.Local
	if !own || s.root != ".claude" || s.gate || len(s.allow) == 0 {
		return nil
	}
	if !l.exportsRead {
		l.exportsRead = true
		for i := range l.userRoots {
			if u := &l.userRoots[i]; u.root == ".claude" {
				l.readExported(place{path: under(u.dir, Exported), scope: rules.User})
			}
		}
	}
	if len(l.exports) == 0 {
		return nil
	}
	real := l.path(s.path).Real
	texts = map[string]bool{}
	for _, e := range l.exports {
		if e.file == real {
			texts[e.rule] = true
		}
	}
	return texts
}

// An export is one allow rule that permgate export wrote.
type export struct{ file, rule string }

func (l *loader) readExported(at place) {
	data, err := l.f.ReadFile(at.path, MaxSettings)
	switch {
	case Absent(err):
		return
	case err != nil:
		l.unusable(at, reason(err))
		return
	}
	d := parseJSONC(string(data), nil)
	if d.err != "" {
		d.nodes = []node{{}} // nothing of it is looked at
	}
	files, ok := d.child(&d.nodes[0], "files", object)
	for c := files.first; c != 0; c = d.nodes[c].next {
		allow, lists := d.child(&d.nodes[c], "allow", array)
		ok = ok && lists
		for e := allow.first; e != 0; e = d.nodes[e].next {
			ok = ok && d.nodes[e].kind == text
			l.exports = append(l.exports, export{d.nodes[c].key, d.nodes[e].str})
		}
	}
	if !ok || files.kind != object {
		l.unusable(at, "it does not say what permgate export wrote: run permgate export again")
	}
}

// child is the value of a key of an object, an empty one if it is missing; ok is false where one of them is of
// another kind.
func (d *doc) child(n *node, key string, want kind) (value *node, ok bool) {
	for c := n.first; n.kind == object && c != 0; c = d.nodes[c].next {
		if v := &d.nodes[c]; v.key == key && v.kind == want {
			return v, true
		} else if v.key == key {
			return &node{}, false
		}
	}
	return &node{}, n.kind == object
}

package load

import (
	"slices"

	"github.com/permgate--owner/permgate/rules"
)

// A StandIn is settings that are read in place of the file of their scope, root and
// name: settings to try out on calls of any project.
type StandIn struct {
	Scope rules.Scope // Shared, Local, User
	Root  string      // its settings folder; "" for the one in use
	Gate  bool        // it stands in for a permgate.json
	Place string      // how faults and rules name it
	Data  []byte
	Err   error // why it cannot be used, though it is there
}

// StandIns are the files a policy is loaded with instead of those on disk. The user
// named them: what they grant counts as trusted.
type StandIns struct {
	Files []StandIn
	Whole bool // no other file of the project itself is read

	Revision bool // they are the project's own at a git revision
}

// standsIn reports whether a file is one of them, by its place.
func (l *loader) standsIn(place string) bool {
	return l.w.StandIns != nil && slices.ContainsFunc(l.w.StandIns.Files, func(s StandIn) bool { return s.Place == place })
}

// standIn takes what is read in place of a file; inUse says that it lies in the
// first folder of its kind. False is returned where the file itself is to be read.
func (l *loader) standIn(at place, inUse bool) bool {
	if l.w.StandIns == nil {
		return false
	}
	for i := range l.w.StandIns.Files {
		s := &l.w.StandIns.Files[i]
		root := s.Root == at.root || s.Root == "" && inUse
		if s.Scope != at.scope || s.Gate != at.gate || !root {
			continue
		}
		at.path = s.Place
		err := s.Err
		if err == nil {
			err = l.spendBytes(at.scope, len(s.Data))
		}
		if err != nil {
			l.unusable(at, reason(err))
		} else {
			l.take(&source{place: at, data: s.Data})
		}
		return true
	}
	return l.w.StandIns.Whole && at.scope != rules.User
}

// readProjectOr reads the files of the project's own settings folders, or what stands in for them.
func (l *loader) readProjectOr(dir string, has look) {
	used := 0
	for i := len(Roots) - 1; i >= 0; i-- {
		if !has.absent[i] || !has.any && Roots[i] == ".claude" {
			used = i
		}
	}
	for i, root := range Roots {
		folder := under(dir, root)
		there := !has.absent[i] && l.folder(folder, rules.Shared)
		for _, at := range [...]place{
			{path: under(folder, "settings.json"), scope: rules.Shared, root: root},
			{path: under(folder, "permgate.json"), scope: rules.Shared, root: root, gate: true},
			{path: under(folder, "settings.local.json"), scope: rules.Local, root: root},
		} {
			own := there && (at.scope == rules.Local || !l.isUsers(folder))
			if !l.standIn(at, i == used) && own {
				l.read(at)
			}
		}
	}
}

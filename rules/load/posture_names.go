package load

import (
	"strings"

	"github.com/permgate--owner/permgate/rules"
)

// FolderNamePattern is what the name of a folder in a list of them looks like,
// as a regular expression of a JSON schema.
const FolderNamePattern = `^[A-Za-z0-9_][A-Za-z0-9_.-]*$|^\.[A-Za-z0-9_-][A-Za-z0-9_.-]*$`

// folderName reads one name of such a list.
func (l *loader) folderName(s *source, e *node, k *PostureKey, keep bool) {
	if !plainName(e.str) {
		l.fault(s, e.at, true, "%s takes folder names, without slashes and wildcards, not %s", k.Name, s.doc.raw(e))
	} else if keep && l.spendRule(s.scope, s.pos(e.at)) {
		s.rebuildable = append(s.rebuildable, rules.Setting{Value: e.str, Scope: s.scope, Pos: s.pos(e.at)})
	}
}

// plainName reports whether a name is one of FolderNamePattern: a single
// component that every file system and shell reads alike.
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

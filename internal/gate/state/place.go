package state

import (
	"path"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// Place returns both forms of a directory that is to be part of a session's
// workspace, and why it cannot be, "" if it can. What holds a home directory,
// settings of the user or the state folder itself would let the agent write its
// own rules, or nearly everything.
//
// "State never lifts steps 0 to 3b" means here: such a directory changes what
// step 3b and the fences take for the workspace, just as --add-dir and
// additionalDirectories do, and nothing else. A write in it still needs an allow
// of step 4, 6 or 7, sensitive files are asked about, and no settings are read
// from it.
func (st *Store) Place(dir string, p *rules.Policy, home ...string) (rules.Path, string) {
	dir = p.OS.Canon(dir)
	if !path.IsAbs(dir) {
		return rules.Path{}, "it is not an absolute path"
	}
	dir = path.Clean(dir)
	at := rules.Path{Given: dir, Real: p.OS.Canon(load.Resolve(st.Files, dir))}
	holds := func(name string) bool {
		if name = p.OS.Canon(name); !path.IsAbs(name) {
			return false
		}
		real := p.OS.Canon(load.Resolve(st.Files, name))
		return rules.Within(name, at.Given) || rules.Within(real, at.Real) || rules.Within(name, at.Real)
	}
	for _, h := range append(home, p.Home.Given) {
		if holds(h) {
			return at, "it contains the home directory " + h + ": name the folders you need"
		}
	}
	if holds(st.Dir) {
		return at, "it contains permgate's own state folder " + st.Dir
	}
	if path.Dir(at.Real) == at.Real {
		return at, "it is the root of a file system: name the folders you need"
	}
	for i := range p.Sources {
		if s := &p.Sources[i]; (s.Scope == rules.User || s.Scope == rules.Managed) && holds(s.Path) {
			return at, "it contains the " + s.Scope.String() + " settings file " + s.Path
		}
	}
	return at, ""
}

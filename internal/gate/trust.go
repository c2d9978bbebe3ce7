package gate

import (
	"path/filepath"

	"permgate/internal/trust"
	"permgate/rules"
)

// TrustStore is where what the user trusted is recorded. A state folder that an
// environment variable put inside the project, or that somebody else owns, holds
// nothing that counts.
func TrustStore(f *Flags, w World, p *rules.Policy) *trust.Store {
	dir := StateDir(f, w)
	s := &trust.Store{Dir: filepath.Join(dir, "trust"), Files: w.Files, UID: w.UID}
	if f.State == "" && !usersOwn(dir, w, p) {
		s.Fault = "the state folder " + dir + whyNotOwn(dir, w, p)
	}
	return s
}

// whyNotOwn says why usersOwn is false.
func whyNotOwn(dir string, w World, p *rules.Policy) string {
	real := w.OS.Canon(rules.Resolve(w.Files, w.OS.Canon(dir)))
	for _, place := range append([]rules.Path{p.Cwd}, p.Places...) {
		if rules.Within(real, place.Real) {
			return " lies in " + place.Given + ", where the agent works"
		}
	}
	return " is not yours alone"
}

// trusted asks the store, which is opened when the first file needs it.
func trusted(f *Flags, w World) func(*rules.Policy, string, []byte) rules.Trust {
	var s *trust.Store
	return func(p *rules.Policy, path string, content []byte) rules.Trust {
		if s == nil {
			s = TrustStore(f, w, p)
		}
		project, file := trust.Key(w.Files, w.OS, p.Project.Given, path)
		return s.Look(project, file, content)
	}
}

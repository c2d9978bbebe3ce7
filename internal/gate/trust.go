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
	if f.State == "" {
		if why := notOwn(dir, w, p); why != "" {
			s.Fault = "the state folder " + dir + " " + why
		}
	}
	return s
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

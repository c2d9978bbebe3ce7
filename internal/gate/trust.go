package gate

import (
	"path/filepath"

	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// TrustStore is where the user's trust is recorded. Nothing counts in a state
// folder that a variable put inside the project or that is not the user's.
func TrustStore(f *Flags, w World, p *rules.Policy) *trust.Store {
	dir, why := stateDir(f, w)
	s := &trust.Store{Dir: filepath.Join(dir, "trust"), Files: w.Files, UID: w.UID}
	if f.State == "" && why == "" {
		why = notOwn(dir, w, p)
	}
	if why != "" {
		s.Fault = "the state folder " + dir + " " + why
	}
	return s
}

// A Writing is a file permgate will change, and its old text: new grants are the user's word.
type Writing struct {
	Name string // as the settings name it
	Old  []byte
}

// trusted asks the store, which is opened when the first file needs it.
func trusted(f *Flags, w World) func(*rules.Policy, string, []byte) load.Trust {
	var s *trust.Store
	var at trust.Place
	return func(p *rules.Policy, path string, content []byte) load.Trust {
		if s == nil {
			s, at = TrustStore(f, w, p), trust.Locate(w.Files, w.OS, w.UID, p.Project.Given)
		}
		own := false
		for i := range w.Writing {
			if w.Writing[i].Name == path {
				own, content = true, w.Writing[i].Old
			}
		}
		_, file := trust.RealPaths(w.Files, w.OS, p.Project.Given, path)
		t := s.Look(&at, file, content)
		if own {
			if t.OK { // of the old text: what is new in it is no less so
				return t
			}
			t.Before = &load.Copy{Project: at.Project, Content: content}
		}
		return t
	}
}

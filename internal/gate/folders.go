package gate

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// HOME, XDG_STATE_HOME and CLAUDE_CONFIG_DIR may have been set by a project: the
// settings of a repository can set a hook's environment. A folder that one of them
// names counts if it is the passwd home's own, or the user recorded it. The records
// are kept where no variable leads: in the state folder of the passwd home.

// FoldersStore is where these records are. Its Dir is "" without a passwd home.
func FoldersStore(w World) *trust.Store {
	s := &trust.Store{Files: w.Files, UID: w.UID}
	if w.PasswdHome != "" {
		s.Dir = filepath.Join(stateOf(w.PasswdHome, w), "trust")
	}
	return s
}

// Folders returns the recorded folders.
func Folders(w World) ([]string, error) { return FoldersStore(w).Lines(trust.Folders) }

// Repositories returns the roots of the recorded repositories, with their stamps.
func Repositories(w World) (map[string]string, error) {
	lines, err := FoldersStore(w).Lines(trust.Repositories)
	own := make(map[string]string, len(lines))
	for _, line := range lines {
		root, stamp, _ := strings.Cut(line, "\t")
		own[root] = stamp
	}
	return own, err
}

// Stamp is what a record of the repository at a root has to hold, and which program git runs there. why says why it
// cannot be recorded.
func Stamp(w World, home rules.Path, root string) (stamp, runs, why string) {
	place := world.Facts{FS: w.Files, User: world.User{ID: w.UID, Home: w.PasswdHome}}
	repos := repo.New(world.New(place, &rules.Policy{OS: w.OS, Home: home}, ""))
	r := repos.At(root)
	if r.Root != root {
		return "", "", "no git repository begins there"
	}
	if why := repos.NotInert(r, nil); why != "" {
		return "", "", why
	}
	if stamp = repos.Stamp(r, ""); stamp == "" {
		return "", "", "its configuration names other files or folders"
	}
	return stamp, repos.NotInertWriting(r), ""
}

// recorded reports whether the user recorded a folder, by its real path.
func recorded(w World) func(dir string) bool {
	return func(dir string) bool {
		list, _ := Folders(w) // none if they cannot be read
		return len(list) > 0 && w.OS.IsAbs(dir) && slices.Contains(list, w.OS.Canon(load.Resolve(w.Files, w.OS.Canon(dir))))
	}
}

// stateOf is the state folder of a home.
func stateOf(home string, w World) string {
	if w.StateHome != "" && home == w.PasswdHome {
		return w.StateHome
	}
	return filepath.Join(w.OS.Native(home), ".local", "state", "permgate")
}

// stateDir is the folder of the session state, and why nothing in it counts. One
// that an environment variable names is used only if the variable counts.
func stateDir(f *Flags, w World) (dir, why string) {
	if f.State != "" {
		return f.State, ""
	}
	counts := recorded(w)
	if d := w.Getenv("XDG_STATE_HOME"); w.OS.IsAbs(d) {
		dir := filepath.Join(d, "permgate")
		if w.PasswdHome != "" && dir == stateOf(w.PasswdHome, w) || counts(d) {
			return dir, ""
		}
	}
	h := home(f, w)
	switch {
	case f.Home != "", h == w.PasswdHome, w.PasswdHome != "" &&
		load.Resolve(w.Files, h) == load.Resolve(w.Files, w.PasswdHome), counts(h):
		return stateOf(h, w), ""
	case w.PasswdHome != "":
		return stateOf(w.PasswdHome, w), ""
	}
	return stateOf(h, w), "is in the home directory named by HOME but by no passwd entry: name it with --home"
}

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

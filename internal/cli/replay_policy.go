package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// settingsOf is the world with the settings that an operand names in place of every
// project's: those of a folder, one file, or with revisions those of a git revision.
func (e *env) settingsOf(operand string, revisions bool) (*gate.World, error) {
	scope, name := "", operand
	for _, s := range [...]rules.Scope{rules.User, rules.Shared, rules.Local, rules.Managed} {
		if rest, ok := strings.CutPrefix(operand, s.String()+"="); ok {
			scope, name = s.String(), rest
		}
	}
	if name == "" {
		return nil, fmt.Errorf("%s names no settings", quoteArg(operand))
	}
	w := e.world
	file := e.world.OS.Canon(e.abs(name))
	info, err := e.world.Files.Stat(file)
	switch {
	case err == nil && info.IsDir() && scope == "":
		w.StandIns, err = e.folderSettings(file)
	case err == nil:
		err = e.fileSettings(&w, file, scope)
	case operand == settingsNow && revisions:
		err = nil
	case errors.Is(err, fs.ErrNotExist) && scope == "" && revisions:
		w.StandIns, err = e.revision(operand)
	case !errors.Is(err, fs.ErrNotExist):
		err = fmt.Errorf("%s: %w", quoteArg(operand), err)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: no such file or folder", quoteArg(operand))
	case err != nil:
		return nil, err
	}
	return &w, e.usable(&w, file)
}

// usable returns why a file that the user named cannot be used: what is decided without
// it would not be what it says.
func (e *env) usable(w *gate.World, file string) error {
	for _, f := range gate.Policy(callOf(nil), &gate.Flags{}, *w).Faults {
		named := func(s load.StandIn) bool { return s.Place == f.Pos.File }
		if f.Closed && (f.Pos.File == file || w.StandIns != nil && slices.ContainsFunc(w.StandIns.Files, named)) {
			return errors.New(e.shownFault(f))
		}
	}
	return nil
}

// printFaults says which settings could not be read, on standard error.
func (e *env) printFaults(p *rules.Policy) {
	for _, f := range p.Faults {
		fmt.Fprintf(e.err, "%s: %s\n", e.cmd, e.shownFault(f))
	}
}

// shownFault is a fault without the secrets of its file.
func (e *env) shownFault(f rules.Fault) string {
	f.Msg, _ = redact.Text(f.Msg)
	return e.fault(&f)
}

// A settingsFile is a file that every settings folder may hold.
type settingsFile struct {
	name  string
	scope rules.Scope
	gate  bool
}

func replacedFiles() []settingsFile {
	return []settingsFile{{"settings.json", rules.Shared, false}, {"permgate.json", rules.Shared, true},
		{"settings.local.json", rules.Local, false}}
}

// folderSettings reads the settings folders of a project, or one of these folders.
func (e *env) folderSettings(dir string) (*load.StandIns, error) {
	out := e.settingsIn(dir)
	if len(out.Files) == 0 {
		return nil, fmt.Errorf("%s holds no settings: name a project, or its settings folder", e.path(dir))
	}
	return out, nil
}

// settingsIn is folderSettings where there may be none.
func (e *env) settingsIn(dir string) *load.StandIns {
	out := &load.StandIns{Whole: true}
	for _, root := range load.Roots {
		folder := path.Join(dir, root)
		if path.Base(dir) == root {
			folder = dir
		}
		for _, f := range replacedFiles() {
			s := load.StandIn{Scope: f.scope, Root: root, Gate: f.gate, Place: path.Join(folder, f.name)}
			s.Data, s.Err = e.world.Files.ReadFile(s.Place, load.MaxSettings)
			if (folder == dir || !slices.Contains(load.Roots[:], path.Base(dir))) && !errors.Is(s.Err, fs.ErrNotExist) {
				out.Files = append(out.Files, s)
			}
		}
	}
	return out
}

// fileSettings puts one file in its place: that of its name, or of the scope given.
func (e *env) fileSettings(w *gate.World, file, scope string) error {
	data, err := e.world.Files.ReadFile(file, load.MaxSettings)
	if err != nil {
		return fmt.Errorf("%s: %w", e.path(file), err)
	}
	s := load.StandIn{Scope: rules.Shared, Place: file, Data: data, Gate: path.Base(file) == "permgate.json"}
	if root := path.Base(path.Dir(file)); slices.Contains(load.Roots[:], root) {
		s.Root = root
	}
	switch {
	case scope == rules.Managed.String() || scope == "" && path.Base(file) == "managed-settings.json":
		p := load.Preset{Place: file, Root: s.Root, Text: true, Data: data}
		if p.Root == "" && !s.Gate {
			p.Root = ".claude"
		}
		if s.Gate {
			p.Root = ""
		}
		w.ManagedDir, w.Presets = []string{}, func() []load.Preset { return []load.Preset{p} }
		return nil
	case scope == rules.User.String():
		s.Scope = rules.User
	case scope == rules.Local.String() || scope == "" && path.Base(file) == "settings.local.json":
		s.Scope = rules.Local
	}
	w.StandIns = &load.StandIns{Files: []load.StandIn{s}}
	return nil
}

// settingsName is what a report calls the settings of an operand.
func settingsName(operand string) string {
	if operand == "" || operand == settingsNow {
		return "the settings of now"
	}
	return hookio.Escape(operand)
}

package lint

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// Only gathers files the user named, each with those in its folder that belong to
// the same project, and no other settings. One that is where settings are
// read from is looked at in that place; any other as if it were the file of
// its name in the settings folder in use: settings.local.json,
// permgate.json, managed-settings.json, else a shared settings.json.
func Only(w gate.World, f gate.Flags, host *hookio.Host, names []string) []*Input {
	var groups []*group
	for _, name := range names {
		if name = w.OS.Canon(name); !path.IsAbs(name) {
			name = path.Join(w.OS.Canon(w.Cwd), name)
		}
		name = w.OS.Canon(path.Clean(name))
		cwd, at := seat(w, name)
		i := slices.IndexFunc(groups, func(g *group) bool { return g.takes(cwd, at, name) })
		if i < 0 {
			i = len(groups)
			groups = append(groups, &group{cwd: cwd, stand: map[string]string{}})
		}
		groups[i].names = append(groups[i].names, name)
		if groups[i].only = append(groups[i].only, at); at != name {
			groups[i].stand[at] = name
		}
	}
	var out []*Input
	for _, g := range groups {
		w, f := w, f
		w.Files = &overlay{Files: w.Files, stand: g.stand, only: g.only}
		w.Presets = nil
		f.Cwd = g.cwd
		out = append(out, New(w, f, host))
	}
	return out
}

// A group is files that are one policy.
type group struct {
	cwd         string
	names, only []string
	stand       map[string]string
}

// takes reports whether a file belongs to the group: its project, and its folder if out of place.
func (g *group) takes(cwd, at, name string) bool {
	if g.cwd != cwd || slices.Contains(g.only, at) || (at == name) != (len(g.stand) == 0) {
		return false
	}
	return at == name || path.Dir(name) == path.Dir(g.names[0])
}

// seat is where a file counts as lying, and the working directory whose policy it is in.
func seat(w gate.World, name string) (cwd, at string) {
	here := w.OS.Canon(w.Cwd)
	dir, base := path.Dir(name), path.Base(name)
	system := load.ManagedDirs(w.OS)
	managed := system[:]
	if w.ManagedDir != nil {
		managed = w.ManagedDir
	}
	home, passwd := w.OS.Canon(w.Getenv("HOME")), w.OS.Canon(w.PasswdHome)
	root := ".claude"
	for i := len(load.Roots) - 1; i >= 0; i-- { // the one in use
		if _, err := w.Files.Lstat(path.Join(here, load.Roots[i])); err == nil {
			root = load.Roots[i]
		}
	}
	switch {
	case !settingsName(name):
		return here, path.Join(here, root, "settings.json")
	case slices.Contains(managed, dir), slices.Contains(managed, path.Dir(dir)):
		return here, path.Join(load.Resolve(w.Files, dir), base) // a folder that is a link is read where it leads
	case dir == w.OS.Canon(w.Getenv("CLAUDE_CONFIG_DIR")):
		return here, name
	case slices.Contains(load.Roots[:], path.Base(dir)) && base != "managed-settings.json":
		if up := path.Dir(dir); up != home && up != passwd && !rules.Within(here, up) {
			return up, name
		}
		return here, name
	case base == "managed-settings.json":
		return here, path.Join(load.Resolve(w.Files, managed[len(managed)-1]), base)
	}
	return here, path.Join(here, root, base)
}

// With returns the input as it would be with another text in a file.
func (in *Input) With(at, text string) *Input {
	o := overlay{Files: in.World.Files}
	if under, ok := in.World.Files.(*overlay); ok {
		o = *under
	}
	if o.texts = maps.Clone(o.texts); o.texts == nil {
		o.texts = map[string]string{}
	}
	o.texts[at] = text
	w := in.World
	w.Files = &o
	return New(w, in.Flags, in.host)
}

// named writes the names of files in a text as the user knows them.
func (in *Input) named(text string) string {
	if o, ok := in.World.Files.(*overlay); ok {
		for at, real := range o.stand {
			text = strings.ReplaceAll(strings.ReplaceAll(text, at, real), in.World.OS.Native(at), in.World.OS.Native(real))
		}
	}
	return text
}

// An overlay is the file system of a check: other texts in some files, and some files not there.
type overlay struct {
	load.Files
	texts map[string]string // by the place of the file; as if it were written there
	stand map[string]string // place → the file that is looked at as if it lay there
	only  []string          // the settings files that exist besides those; nil for all
}

// A standIn is a file under another name, without an owner, as if an administrator put it there.
type standIn struct{ fs.FileInfo }

func (o *overlay) hidden(name string) bool {
	if o.only == nil || slices.Contains(o.only, name) {
		return false
	}
	return settingsName(name)
}

// settingsName reports whether a file is one that settings are read from.
func settingsName(name string) bool {
	switch path.Base(name) {
	case "settings.json", "settings.local.json", "permgate.json", "managed-settings.json":
		return true
	}
	return path.Base(path.Dir(name)) == "managed-settings.d"
}

// ReadFile returns the text a file is to have.
func (o *overlay) ReadFile(name string, max int64) ([]byte, error) {
	if text, ok := o.texts[name]; ok {
		return []byte(text), nil
	}
	if real, ok := o.stand[name]; ok {
		return o.Files.ReadFile(real, max)
	}
	if o.hidden(name) {
		return nil, missing("open", name)
	}
	return o.Files.ReadFile(name, max)
}

// ReadDir leaves out what is hidden.
func (o *overlay) ReadDir(name string) ([]string, error) {
	names, err := o.Files.ReadDir(name)
	return slices.DeleteFunc(names, func(n string) bool { return o.hidden(path.Join(name, n)) }), err
}

// Lstat describes a file without following a symlink.
func (o *overlay) Lstat(name string) (fs.FileInfo, error) { return o.info(name, o.Files.Lstat) }

// Stat describes a file.
func (o *overlay) Stat(name string) (fs.FileInfo, error) { return o.info(name, o.Files.Stat) }

func (o *overlay) info(name string, f func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	if real, ok := o.stand[name]; ok {
		info, err := o.Files.Stat(real)
		if err != nil {
			return nil, err
		}
		return standIn{info}, nil
	}
	if o.hidden(name) {
		return nil, missing("stat", name)
	}
	info, err := f(name)
	if err != nil {
		for at, real := range o.stand { // the folder it would be in
			if path.Dir(at) == name {
				if info, err = o.Files.Stat(path.Dir(real)); err == nil {
					return standIn{info}, nil
				}
			}
		}
	}
	return info, err
}

// Owner returns the owner of a file; that of one under another name is not known.
func (o *overlay) Owner(info fs.FileInfo) (int, bool) {
	if _, ok := info.(standIn); ok {
		return 0, false
	}
	return o.Files.Owner(info)
}

// OthersWrite reports whether anyone but the owner may write.
func (o *overlay) OthersWrite(info fs.FileInfo) bool {
	if _, ok := info.(standIn); ok {
		return false
	}
	return o.Files.OthersWrite(info)
}

// Device returns the file system of a file; that of one under another name says nothing.
func (o *overlay) Device(info fs.FileInfo) (uint64, bool) {
	if _, ok := info.(standIn); ok {
		return 0, false
	}
	return o.Files.Device(info)
}

// Tracked reports whether git's index holds a file, which it cannot under another name.
func (o *overlay) Tracked(name string) bool {
	_, ok := o.stand[name]
	return !ok && o.Files.Tracked(name)
}

// Unindexed reports whether no git index says anything about a file.
func (o *overlay) Unindexed(name string) bool {
	_, ok := o.stand[name]
	return !ok && o.Files.Unindexed(name)
}

func missing(op, name string) error {
	return &fs.PathError{Op: op, Path: strings.Clone(name), Err: fs.ErrNotExist}
}

package lint

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/rules/load"
)

// An overlay is the file system as a check sees it: with other texts in some
// files, and without the settings files that are not to be looked at.
type overlay struct {
	load.Files
	texts map[string]string // by the place of the file; as if it were written there
	stand map[string]string // place → the file that is looked at as if it lay there
	only  []string          // the settings files there are beside those; nil for all
}

// A standIn is a file under another name. It is nobody's, as if an
// administrator had put it in its place.
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
		for at, real := range o.stand { // the folder it would lie in
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

// OthersWrite reports whether anybody but the owner may write.
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

// Tracked reports whether the git index holds a file; one under another name
// is not where git would see it.
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

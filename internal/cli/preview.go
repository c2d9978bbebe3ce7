package cli

import (
	"errors"
	"io/fs"
	"path"
	"slices"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/rules/load"
)

// A preview is the file system with one settings file as it is going to be, so
// that the loader reads a rule in the form it will have before it is written.
type preview struct {
	load.Files
	name string // as rules.OS.Canon writes it
	text []byte
}

// worldWith is the world once changes are made: what they add to a file of a
// project counts, for permgate records what it writes.
func (e *env) worldWith(changes ...*change) gate.World {
	w := e.world
	for _, ch := range changes {
		name := e.world.OS.Canon(ch.name)
		w.Files = &preview{w.Files, name, ch.text}
		w.Writing = append(slices.Clip(w.Writing), gate.Writing{Name: name, Old: ch.old})
	}
	return w
}

// ReadFile returns the text the file will have.
func (v *preview) ReadFile(name string, max int64) ([]byte, error) {
	if name == v.name {
		return v.text, nil
	}
	return v.Files.ReadFile(name, max)
}

// Lstat describes a folder that will be there, too.
func (v *preview) Lstat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Lstat)
}

// Stat is Lstat behind symlinks.
func (v *preview) Stat(name string) (fs.FileInfo, error) {
	return v.info(name, v.Files.Stat)
}

func (v *preview) info(name string, f func(string) (fs.FileInfo, error)) (fs.FileInfo, error) {
	info, err := f(name)
	if errors.Is(err, fs.ErrNotExist) && name == path.Dir(v.name) {
		return v.Files.Stat(path.Dir(name))
	}
	return info, err
}

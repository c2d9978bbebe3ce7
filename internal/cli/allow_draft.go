package cli

import (
	"errors"
	"io/fs"
	"path"

	"permgate/rules"
)

// A drafted is the file system with a settings file as it would be, so that the
// loader reads a rule in the form it will have, before it is written.
type drafted struct {
	rules.Files
	name string
	text []byte
}

func (d *drafted) ReadFile(name string, max int64) ([]byte, error) {
	if name == d.name {
		return d.text, nil
	}
	return d.Files.ReadFile(name, max)
}

// Lstat knows the file, and the folder it will be in, before they are there.
func (d *drafted) Lstat(name string) (fs.FileInfo, error) {
	info, err := d.Files.Lstat(name)
	if err == nil || !errors.Is(err, fs.ErrNotExist) || name != path.Dir(d.name) {
		return info, err
	}
	return d.Files.Stat(path.Dir(name))
}

package cli

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
)

// registeredFirst are all hosts, those that permgate was installed for before
// the others: it is them that a reason should name.
func (e *env) registeredFirst() []*hookio.Host {
	var first, rest []*hookio.Host
	for _, h := range hookio.Hosts() {
		if name, err := e.postureFile(h, hookio.ForUser); err == nil {
			doc, err := edit.Parse(name, e.readText(name))
			if err == nil && edit.Member(edit.Member(&doc.Root, "hosts"), h.Name) != nil {
				first = append(first, h)
				continue
			}
		}
		rest = append(rest, h)
	}
	return append(first, rest...)
}

// installed are the files as they are once permgate install has run for a host,
// but that no removal counts as harmless: whether a build folder that a script
// removes may be rebuilt depends on what lies in it on the day.
func (e *env) installed(h *hookio.Host) rules.Files {
	if h.Register == nil { // by hand only
		return e.world.Files
	}
	name, err := e.postureFile(h, hookio.ForUser)
	if err != nil {
		return e.world.Files
	}
	_, doc, err := load(e, name)
	if err != nil {
		return e.world.Files
	}
	if _, err := agents.Recommend(h, doc, true); err != nil {
		return e.world.Files
	}
	section, err := doc.Object("hosts", h.Name)
	if err != nil || doc.SetMember(section, "destructive", edit.Quote("strict")) != nil {
		return e.world.Files
	}
	return &withFile{e.world.Files, name, doc.Bytes()}
}

// withFile are files of which one has another text.
type withFile struct {
	rules.Files
	name string
	text []byte
}

// ReadFile returns the text of a file.
func (f *withFile) ReadFile(name string, max int64) ([]byte, error) {
	if name == f.name {
		return f.text, nil
	}
	return f.Files.ReadFile(name, max)
}

// Lstat describes a file. The folder of the text is as the one above it where
// there is none yet.
func (f *withFile) Lstat(name string) (fs.FileInfo, error) {
	info, err := f.Files.Lstat(name)
	if dir := filepath.Dir(f.name); name == dir && errors.Is(err, fs.ErrNotExist) {
		return f.Files.Lstat(filepath.Dir(dir))
	}
	return info, err
}

package decide

import (
	"errors"
	"io/fs"
	"path"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/archive"
)

// A listing is what an archive, a patch or a folder holds.
type listing struct {
	names []string
	links []string // those that are symlinks
	why   string   // why the names are not known, "" where they are
}

// listArchive lists a file; unzip takes x for x.zip where there is no x.
func (c *Case) listArchive(l *listing, from string) {
	at := c.path(from).Real
	if !c.exists(at) && c.exists(at+".zip") {
		at += ".zip"
	}
	data, err := c.World.FS.ReadFile(at, archive.MaxBytes)
	if err != nil {
		l.why = unread(err)
		return
	}
	entries, err := archive.List(data)
	if err != nil {
		l.why = err.Error()
		return
	}
	for _, e := range entries {
		if l.names = append(l.names, e.Name); e.Link {
			l.links = append(l.links, e.Name)
		}
		if e.Hard != "" {
			l.names = append(l.names, e.Hard)
		}
	}
	l.followed()
}

// unread says why a file was not read.
func unread(err error) string {
	if errors.Is(err, fs.ErrNotExist) {
		return "it does not exist yet"
	}
	return "it cannot be read or is too large to check"
}

// followed takes the names for unknown where some lead through a symlink of the
// same archive.
func (l *listing) followed() {
	if len(l.links) == 0 {
		return
	}
	links := make(map[string]bool, len(l.links))
	for _, name := range l.links {
		links[foldPath(path.Clean("/"+name))] = true
	}
	seen := make(map[string]bool, len(l.names))
	for _, name := range l.names {
		name = foldPath(path.Clean("/" + name))
		if links[name] && seen[name] {
			l.why = "it contains a symlink and a file of the same name"
			return
		}
		seen[name] = true
		for dir := path.Dir(name); dir != "/"; dir = path.Dir(dir) {
			if links[dir] {
				l.why = "it contains a symlink that leads elsewhere and a file below it"
				return
			}
		}
	}
}

// listPatch lists the names in a patch, of which the program takes one.
func (c *Case) listPatch(l *listing, in *bashsafety.Contents, from string) {
	text := in.Text
	if from != "" {
		data, err := c.World.FS.ReadFile(c.path(from).Real, archive.MaxBytes)
		if err != nil {
			l.why = unread(err)
			return
		}
		text = string(data)
	}
	p, ok := bashsafety.ReadPatch(text)
	if !ok {
		l.why = "it is not a patch permgate can read"
		return
	}
	for _, n := range p.Names {
		if l.names = append(l.names, n.Text); n.Link != "" {
			l.links = append(l.links, n.Text)
		}
	}
	l.followed()
}

// listFolder lists what lies below a folder; nothing lies below a file.
func (c *Case) listFolder(l *listing, from string) {
	root := c.path(from).Real
	if info, err := c.World.FS.Lstat(root); err != nil {
		l.why = "it does not exist yet"
		return
	} else if !info.IsDir() {
		return
	}
	c.listBelow(l, root, "", maxCopiedWith)
}

func (c *Case) listBelow(l *listing, root, dir string, depth int) {
	names, err := c.World.FS.ReadDir(path.Join(root, dir))
	if err != nil || depth == 0 || len(l.names)+len(names) > maxTreeNames {
		l.why = "it cannot be read completely"
		return
	}
	for _, name := range names {
		name = path.Join(dir, name)
		l.names = append(l.names, name)
		info, err := c.World.FS.Lstat(path.Join(root, name))
		if err == nil && info.IsDir() {
			if c.listBelow(l, root, name, depth-1); l.why != "" {
				return
			}
		} else if err == nil && info.Mode()&fs.ModeSymlink != 0 {
			l.links = append(l.links, name)
		}
	}
}

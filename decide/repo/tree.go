package repo

import (
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// A Tree is what git tracks at and below one path.
type Tree struct {
	Root  string // of the work tree, "" outside of git
	known bool   // the index could be read
	fold  bool   // the file system may hold names in another case
	at    time.Time
	files map[string]gitindex.Entry
}

// Having says how much git has of a file. The zero value is no knowledge.
type Having uint8

const (
	NotKnown Having = iota
	Unchanged
	Differs // from what git has, or git has nothing
)

// TreeOf reads what git tracks at and below a path whose folder has no symlinks in it.
func (g *Repos) TreeOf(at string) *Tree {
	root := g.RootOf(path.Dir(at))
	t := &Tree{Root: root, known: true, fold: g.World.OS != rules.Linux}
	if root == "" {
		return t
	}
	index := g.Index(root)
	if index == nil {
		t.known = false
		return t
	}
	t.at, t.files = index.saved, make(map[string]gitindex.Entry)
	rel := t.key(at)
	gitindex.Scan(index.data, index.hash, func(e *gitindex.Entry) {
		name := string(e.Name)
		if t.fold {
			name = grammar.FoldPath(name)
		}
		if rules.Within(name, rel) {
			t.files[name] = *e
		}
	})
	return t
}

// key is the name of a file in the index.
func (t *Tree) key(at string) string {
	rel := strings.TrimPrefix(strings.TrimPrefix(at, t.Root), "/")
	if t.fold {
		return grammar.FoldPath(rel)
	}
	return rel
}

// Has says how much git has of a file, by what the index says of size and time.
func (t *Tree) Has(at string, info fs.FileInfo) Having {
	if !t.known {
		return NotKnown
	}
	e, tracked := t.files[t.key(at)]
	switch {
	case !tracked:
		return Differs
	case e.Stage != 0 || e.Flagged || info.Mode().IsRegular() != e.Regular():
		return NotKnown
	case e.Size != 0 && e.Size != uint32(info.Size()):
		return Differs
	}
	changed := info.ModTime()
	same := e.Size == uint32(info.Size()) && int64(e.Sec) == changed.Unix() && int64(e.Nsec) == int64(changed.Nanosecond())
	runs := info.Mode()&0o100 != 0 == (e.Mode&0o100 != 0) || t.fold || !e.Regular()
	if !same || !runs || !changed.Before(t.at) {
		return NotKnown
	}
	return Unchanged
}

// Ignores reports whether the repository is certain to ignore a path.
func (g *Repos) Ignores(t *Tree, at string) bool {
	if t.Root == "" || !t.known {
		return false
	}
	rel := strings.TrimPrefix(strings.TrimPrefix(at, t.Root), "/")
	return rel != "" && g.Ignored(g.Index(t.Root), rel)
}

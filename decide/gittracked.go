package decide

import (
	"path"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
)

// A gitIndex is what git tracks in one work tree.
type gitIndex struct {
	root string // as the disk has it, symlinks resolved
	data []byte
	hash int // bytes of an object name
}

// maxGitIndex bounds how much of an index is read.
const maxGitIndex = 64 << 20

// index reads the index of the work tree at root, nil when there is no telling
// what git tracks there.
func (c *Case) index(root string) *gitIndex {
	for i := range c.indexes {
		if c.indexes[i].root == root {
			return c.indexes[i].index
		}
	}
	index := c.readIndex(root)
	c.indexes = append(c.indexes, knownIndex{root, index})
	return index
}

// A knownIndex is an answer of Case.index.
type knownIndex struct {
	root  string
	index *gitIndex
}

func (c *Case) readIndex(root string) *gitIndex {
	git := path.Join(root, ".git")
	info, err := c.World.FS.Lstat(git)
	switch {
	case err != nil:
		return nil
	case info.Mode().IsRegular(): // worktree or submodule: "gitdir: PATH"
		data, err := c.World.FS.ReadFile(git, 4096)
		at, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
		if err != nil || !ok {
			return nil
		}
		if at = c.Policy.OS.Slashes(at); !path.IsAbs(at) {
			at = path.Join(root, at)
		}
		git = at
	case !info.IsDir():
		return nil
	}
	data, err := c.World.FS.ReadFile(path.Join(git, "index"), maxGitIndex)
	if err != nil {
		return nil
	}
	for _, hash := range [...]int{20, 32} {
		if gitindex.Scan(data, hash, func(*gitindex.Entry) {}) {
			return &gitIndex{root, data, hash}
		}
	}
	return nil
}

// blob is the object name of the content of a tracked regular file, "" when
// there is none.
func (x *gitIndex) blob(rel string) (id string) {
	gitindex.Scan(x.data, x.hash, func(e *gitindex.Entry) {
		if string(e.Name) == rel && e.Regular() {
			id = string(e.ID)
		}
	})
	return id
}

// tracks reports whether the index holds a file at or below a folder, or what
// may hold it: a symlink, submodule or folder of a sparse index. Names are
// compared as any file system may.
func (x *gitIndex) tracks(rel string) bool {
	found, folded := false, rules.FoldPath(rel)
	gitindex.Scan(x.data, x.hash, func(e *gitindex.Entry) {
		if found || apart(e.Name, rel) {
			return
		}
		name := rules.FoldPath(strings.TrimSuffix(string(e.Name), "/"))
		found = rules.Within(name, folded) || rules.Within(folded, name)
	})
	return found
}

// apart reports whether two paths are plain to differ before one of them ends: it only
// saves work, for most names of an index are far from any folder. ASCII characters are
// compared without case, and others end the search.
func apart(name []byte, rel string) bool {
	for i := range min(len(name), len(rel)) {
		a, b := name[i], rel[i]
		switch {
		case a >= utf8.RuneSelf || b >= utf8.RuneSelf:
			return false
		case a != b && lower(a) != lower(b):
			return true
		}
	}
	return false
}

func lower(b byte) byte {
	if b >= 'A' && b <= 'Z' {
		b += 'a' - 'A'
	}
	return b
}

package repo

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"sync"
	"time"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

const (
	maxIgnoreFile = 64 << 10 // bytes of one .gitignore
	maxIgnores    = 32       // folders whose .gitignore is looked at
)

// Ignored reports whether git is certain to ignore the folder rel of the work
// tree by a .gitignore that is tracked and holds what the index says. Other
// .gitignore files only take away: what they re-include is not ignored.
//
// The rules are git's (gitignore.adoc): of the files between the root and the
// folder above rel the deepest decides, of its lines the last that matches; and
// what lies in an ignored folder is ignored whatever else is written. A line in
// doubt ignores nothing and may re-include everything.
func (g *Repos) Ignored(index *Index, rel string) bool {
	parts := strings.Split(rel, "/")
	if len(parts) > maxIgnores {
		return false
	}
	var files []ignoreFile
	for i := range parts {
		dir := strings.Join(parts[:i], "/")
		if i > 0 && g.World.Exists(path.Join(index.root, dir, ".git")) {
			return false // another repository's
		}
		file, ok := g.ignoreFile(index, dir)
		if !ok {
			return false
		}
		files = append(files, file)
		if ignoredBy(files, parts[:i+1]) {
			return true
		}
	}
	return false
}

// An ignoreFile is one .gitignore.
type ignoreFile struct {
	depth int // components of the folder it is in
	sure  bool
	lines []string
}

// ignoreFile reads the .gitignore of one folder; ok is false when there is no
// telling what it says. A folder without one has no lines.
func (g *Repos) ignoreFile(index *Index, dir string) (f ignoreFile, ok bool) {
	if dir != "" {
		f.depth = strings.Count(dir, "/") + 1
	}
	name := path.Join(index.root, dir, ".gitignore")
	info, err := g.World.Lstat(name)
	if err != nil {
		return f, errors.Is(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() {
		return f, false
	}
	data, err := g.World.Read(name, maxIgnoreFile)
	if err != nil {
		return f, false
	}
	id := gitindex.Blob(data)
	f.sure = index.blob(path.Join(dir, ".gitignore")) == string(id[:])
	f.lines = strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	return f, true
}

// ignoredBy reports whether the files are certain to ignore one folder.
func ignoredBy(files []ignoreFile, parts []string) bool {
	for i := len(files) - 1; i >= 0; i-- {
		f := &files[i]
		for n := len(f.lines) - 1; n >= 0; n-- {
			line, negative := ignoreLine(f.lines[n])
			if line == "" {
				continue
			}
			sure, maybe := line.matches(parts[f.depth:])
			switch {
			case negative && maybe:
				return false
			case !negative && sure && f.sure:
				return true
			}
		}
	}
	return false
}

// An ignorePattern is a line without what makes it negative.
type ignorePattern string

// ignoreLine takes a line apart; the pattern is "" where it holds none.
func ignoreLine(line string) (pattern ignorePattern, negative bool) {
	line = strings.TrimSuffix(line, "\r")
	if strings.HasPrefix(line, "#") {
		return "", false
	}
	line, negative = strings.CutPrefix(line, "!")
	if trimmed := strings.TrimRight(line, " "); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	return ignorePattern(line), negative
}

// matches reports whether a pattern matches the folder parts, relative to the
// .gitignore: for certain, or as any file system and any reading may have it.
func (p ignorePattern) matches(parts []string) (sure, maybe bool) {
	if strings.ContainsAny(string(p), `\[`) { // not needed to name a folder
		return false, true
	}
	pattern := strings.TrimSuffix(string(p), "/")
	if pattern == "" || strings.HasSuffix(pattern, "/") {
		return false, true
	}
	if !strings.Contains(pattern, "/") {
		last := parts[len(parts)-1]
		return NameMatches(pattern, last), NameMatches(Widened(pattern), grammar.FoldPath(last))
	}
	segs := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	wide := strings.Split(Widened(strings.Join(segs, "/")), "/")
	return pathMatches(segs, parts), pathMatches(wide, strings.Split(grammar.FoldPath(strings.Join(parts, "/")), "/"))
}

// Widened is a pattern for names as FoldPath writes them, which may have more or
// fewer characters.
func Widened(pattern string) string { return strings.ReplaceAll(grammar.FoldPath(pattern), "?", "*") }

// pathMatches matches components; ** is any number of them, at the end at least
// one.
func pathMatches(segs, parts []string) bool {
	s, n, star, mark := 0, 0, -1, 0
	for n < len(parts) {
		switch {
		case s < len(segs) && segs[s] == "**":
			if s == len(segs)-1 {
				return true
			}
			star, mark = s, n
			s++
		case s < len(segs) && NameMatches(segs[s], parts[n]):
			s++
			n++
		case star >= 0:
			mark++
			s, n = star+1, mark
		default:
			return false
		}
	}
	return s == len(segs)
}

// NameMatches matches one component: * and ? are wildcards, ** in a component
// is the same as *.
func NameMatches(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// An Index is what git tracks in one work tree.
type Index struct {
	root string // as the disk has it, symlinks resolved
	data []byte
	hash int // bytes of an object name
	// saved is when git wrote it, zero where that is not known.
	saved time.Time
	blobs map[string]string // what blob answered
	trees map[string]*Tree  // what treeIn answered
	whole func() []byte     // name of the tree that it makes, see gitindex.Root
}

// Root is the work tree, symlinks resolved.
func (x *Index) Root() string { return x.root }

// maxGitIndex bounds how much of an index is read.
const maxGitIndex = 64 << 20

// Index reads the index of the work tree at root, nil when there is no telling
// what git tracks there.
func (g *Repos) Index(root string) *Index {
	index, ok := g.indexes[root]
	if !ok {
		index = g.readIndex(root)
		g.indexes[root] = index
	}
	return index
}

func (g *Repos) readIndex(root string) *Index {
	r := g.At(root)
	if r.Dir == "" || r.Bare || r.Root != root {
		return nil
	}
	file := path.Join(r.Dir, "index")
	return g.World.Kept("index\x00"+root+"\x00"+file, func() any { return g.indexIn(root, file) }).(*Index)
}

// indexIn reads an index from its file.
func (g *Repos) indexIn(root, file string) *Index {
	var saved time.Time // before it is read: it may be replaced meanwhile
	if info, err := g.World.Lstat(file); err == nil {
		saved = info.ModTime()
	}
	data, err := g.World.Read(file, maxGitIndex)
	if err != nil {
		return nil
	}
	for _, hash := range [...]int{20, 32} {
		if gitindex.Scan(data, hash, func(*gitindex.Entry) {}) {
			whole := sync.OnceValue(func() []byte { return gitindex.Root(data, hash) })
			return &Index{root, data, hash, saved, map[string]string{}, map[string]*Tree{}, whole}
		}
	}
	return nil
}

// blob is the object name of the content of a tracked regular file, "" when
// it has none.
func (x *Index) blob(rel string) (id string) {
	if id, ok := x.blobs[rel]; ok {
		return id
	}
	defer func() { x.blobs[rel] = id }()
	gitindex.Scan(x.data, x.hash, func(e *gitindex.Entry) {
		if string(e.Name) == rel && e.Regular() {
			id = string(e.ID)
		}
	})
	return id
}

// Tracks reports whether the index holds a file at or below a folder, or what
// may hold it: a symlink, submodule or folder of a sparse index. Names are
// compared as any file system may.
func (x *Index) Tracks(rel string) bool {
	found, folded := false, grammar.FoldPath(rel)
	gitindex.Near(x.data, x.hash, rel, func(e *gitindex.Entry) {
		if found {
			return
		}
		name := grammar.FoldPath(strings.TrimSuffix(string(e.Name), "/"))
		found = rules.Within(name, folded) || rules.Within(folded, name)
	})
	return found
}

package disk

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"iter"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
	"github.com/permgate--owner/permgate/rules/load"
)

// maxIndex bounds a git index. With a larger one everything in the repository counts as tracked.
const maxIndex = 64 << 20

// Tracked reports whether the index of any repository around path holds path, or a folder above it as a symlink,
// submodule or sparse folder. What cannot be read counts as tracked, which is stricter.
func (d Disk) Tracked(path string) bool { return tracked(d, path, new(spent)) }

// Tracked is that of Disk, of what was looked at.
func (o *Once) Tracked(path string) bool { return tracked(o, path, &o.spent) }

// Unindexed reports whether path is in no repository, or in one without an index of its own.
func (d Disk) Unindexed(path string) bool { return unindexed(d, path) }

// Unindexed is that of Disk, of what was looked at.
func (o *Once) Unindexed(path string) bool { return unindexed(o, path) }

func tracked(f load.Files, path string, s *spent) bool {
	path = rules.NativeOS().Canon(path)
	for p := range repositories(f, path) {
		if p.Dir == "" || s.holds(f, p.Dir+"/index", strings.TrimPrefix(path[len(p.Root):], "/")) {
			return true
		}
	}
	return false
}

// repositories are those around a file, the nearest first.
func repositories(f load.Files, name string) iter.Seq[gitindex.Place] {
	git := git(f)
	return func(yield func(gitindex.Place) bool) {
		for dir := path.Dir(name); ; dir = path.Dir(dir) {
			if p, ok := git.At(dir); ok && !yield(p) || dir == path.Dir(dir) {
				return
			}
		}
	}
}

// git is not asked whose a repository is.
func git(f load.Files) gitindex.Git { return load.Git(f, rules.NativeOS(), -1) }

// spent is what one call looked at in indexes, so that none can make it slow. Beyond these bounds, each of which is
// some tenths of a second, every file counts as tracked.
type spent struct {
	read   int64 // bytes of indexes, the largest one four times: by two names of two settings folders
	folded int   // bytes of names that had to be folded
}

const maxRead, maxFolded = 4 * maxIndex, 4 << 20

// holds looks for a path in one index.
func (s *spent) holds(f load.Files, index, rel string) (found bool) {
	err := load.Parts(f, index, maxIndex, func(file io.ReaderAt, size int64) {
		if s.read += size; s.read > maxRead {
			found = true
			return
		}
		// the file does not say how long object names are: SHA-1 or SHA-256
		ok := false
		for _, hash := range [...]int{20, 32} {
			if found, ok = s.scan(file, size, hash, rel); ok {
				return
			}
		}
		found = true
	})
	if errors.Is(err, fs.ErrNotExist) {
		_, err = f.Stat(path.Dir(index)) // without an index nothing was ever added
	}
	return found || err != nil
}

// scan looks for a path in an index file; ok is false for one of another hash, or split over two files.
func (s *spent) scan(file io.ReaderAt, size int64, hash int, rel string) (found, ok bool) {
	slash := []byte("/")
	return gitindex.Holds(file, size, hash, rel, func(entry []byte) bool {
		if bytes.Count(bytes.TrimSuffix(entry, slash), slash) > strings.Count(rel, "/") {
			return false
		}
		if !plain(string(entry)) || !plain(rel) {
			s.folded += len(entry) + len(rel)
		}
		return s.folded > maxFolded || covers(entry, rel)
	})
}

// covers reports whether an entry is rel or a folder above it, without case and invisible characters.
func covers(entry []byte, rel string) bool {
	if len(entry)-1 > 8*len(rel)+64 {
		return false
	}
	name := strings.TrimSuffix(string(entry), "/")
	if len(name) <= len(rel) && strings.EqualFold(name, rel[:len(name)]) {
		if rest := rel[len(name):]; rest == "" || rest[0] == '/' {
			return true
		}
	}
	if strings.Count(name, "/") > strings.Count(rel, "/") || plain(name) && plain(rel) {
		return false
	}
	return rules.Within(grammar.FoldPath(rel), grammar.FoldPath(name))
}

// plain reports whether a name is ASCII alone.
func plain(name string) bool {
	for i := range len(name) {
		if name[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func unindexed(f load.Files, path string) bool {
	found := false
	for p := range repositories(f, rules.NativeOS().Canon(path)) {
		if _, err := f.Stat(p.Dir + "/index"); p.Dir == "" || errors.Is(err, fs.ErrNotExist) || !ownIndex(f, &p) {
			return true
		}
		found = true
	}
	return !found
}

// ownIndex reports whether an index is the work tree's own. A .git file may name any folder:
// a linked work tree's names it in turn, a submodule's is in the repository around.
func ownIndex(f load.Files, p *gitindex.Place) bool {
	git := git(f)
	if p.Dir == p.Root+"/.git" || p.Linked {
		return git.Unknown(p) == ""
	}
	for up := range repositories(f, p.Root) {
		if up.Dir != "" && strings.HasPrefix(p.Dir, git.Follow(up.Dir)+"/modules/") {
			return true
		}
	}
	return false
}

package disk

import (
	"errors"
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
func (d Disk) Tracked(path string) bool {
	path = rules.NativeOS().Canon(path)
	for p := range d.repositories(path) {
		if p.Dir == "" || d.holds(p.Dir+"/index", strings.TrimPrefix(path[len(p.Root):], "/")) {
			return true
		}
	}
	return false
}

// repositories are those around a file, the nearest first.
func (d Disk) repositories(name string) iter.Seq[gitindex.Place] {
	git := d.git()
	return func(yield func(gitindex.Place) bool) {
		for dir := path.Dir(name); ; dir = path.Dir(dir) {
			if p, ok := git.At(dir); ok && !yield(p) || dir == path.Dir(dir) {
				return
			}
		}
	}
}

func (d Disk) git() gitindex.Git { return load.Git(d, rules.NativeOS(), UID()) }

func (d Disk) holds(index, rel string) bool {
	data, err := d.ReadFile(index, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := d.Stat(path.Dir(index))
		return err != nil // without an index nothing was ever added
	}
	if err != nil {
		return true
	}
	// the file does not say how long object names are: SHA-1 or SHA-256
	for _, size := range [...]int{20, 32} {
		if found, ok := scanIndex(data, size, rel); ok {
			return found
		}
	}
	return true
}

// scanIndex looks for a path in an index file; ok is false for one of another hash, or split over two files.
func scanIndex(data []byte, hash int, rel string) (found, ok bool) {
	ok = gitindex.Scan(data, hash, func(e *gitindex.Entry) { found = found || covers(e.Name, rel) })
	return found && ok, ok
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

// Unindexed reports whether path is in no repository, or in one without an index of its own.
func (d Disk) Unindexed(path string) bool {
	found := false
	for p := range d.repositories(rules.NativeOS().Canon(path)) {
		if _, err := d.Stat(p.Dir + "/index"); p.Dir == "" || errors.Is(err, fs.ErrNotExist) || !d.ownIndex(&p) {
			return true
		}
		found = true
	}
	return !found
}

// ownIndex reports whether an index is the work tree's own. A .git file may name any folder:
// a linked work tree's names it in turn, a submodule's is in the repository around.
func (d Disk) ownIndex(p *gitindex.Place) bool {
	git := d.git()
	if p.Dir == p.Root+"/.git" || p.Linked {
		return git.Unknown(p) == ""
	}
	for up := range d.repositories(p.Root) {
		if up.Dir != "" && strings.HasPrefix(p.Dir, git.Follow(up.Dir)+"/modules/") {
			return true
		}
	}
	return false
}

package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// maxIndex bounds a git index. With a larger one everything in the repository counts as tracked.
const maxIndex = 64 << 20

// Tracked reports whether the index of any repository around path holds path, or a folder above it as a symlink,
// submodule or sparse folder. What cannot be read counts as tracked, which is stricter.
func (d Disk) Tracked(path string) bool {
	path = native(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if index, ok := d.index(dir); ok {
			rel, err := filepath.Rel(dir, path)
			if err != nil || index == "" || d.holds(index, filepath.ToSlash(rel)) {
				return true
			}
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// index returns the index file of the work tree dir; "" if there is one that cannot be found.
func (d Disk) index(dir string) (string, bool) {
	git := filepath.Join(dir, ".git")
	info, err := os.Stat(git)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", false
	case err != nil:
		return "", true
	case info.IsDir():
		return filepath.Join(git, "index"), true
	}
	data, err := d.ReadFile(git, 4096) // worktree or submodule: "gitdir: PATH"
	at, ok := strings.CutPrefix(strings.TrimSpace(string(data)), "gitdir: ")
	if err != nil || !ok {
		return "", true
	}
	if !filepath.IsAbs(at) {
		at = filepath.Join(dir, at)
	}
	return filepath.Join(at, "index"), true
}

func (d Disk) holds(index, rel string) bool {
	data, err := d.ReadFile(index, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		_, err := os.Stat(filepath.Dir(index))
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
	path = native(path)
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if index, ok := d.index(dir); ok {
			if _, err := os.Stat(index); index == "" || errors.Is(err, fs.ErrNotExist) || !d.ownIndex(dir, index) {
				return true
			}
			found = true
		}
		if dir == filepath.Dir(dir) {
			return !found
		}
	}
}

// ownIndex reports whether an index is dir's own. A .git file may name any folder:
// a linked work tree's names it in turn, a submodule's is in the repository around.
func (d Disk) ownIndex(dir, index string) bool {
	git := filepath.Join(dir, ".git")
	info, err := os.Lstat(git)
	if err != nil || info.IsDir() {
		return err == nil
	}
	admin, _ := filepath.EvalSymlinks(filepath.Dir(index))
	if data, err := d.ReadFile(filepath.Join(admin, "gitdir"), 4096); err == nil {
		back := strings.TrimSpace(string(data))
		if !filepath.IsAbs(back) {
			back = filepath.Join(admin, back)
		}
		at, err := os.Stat(back)
		mine, err2 := os.Stat(git)
		return err == nil && err2 == nil && os.SameFile(at, mine)
	}
	for up := filepath.Dir(dir); admin != ""; up = filepath.Dir(up) {
		if real, err := filepath.EvalSymlinks(filepath.Join(up, ".git")); err == nil {
			modules := filepath.Join(real, "modules") + string(filepath.Separator)
			if strings.HasPrefix(admin, modules) {
				return true
			}
		}
		if up == filepath.Dir(up) {
			break
		}
	}
	return false
}

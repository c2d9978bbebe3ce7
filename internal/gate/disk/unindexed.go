package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Unindexed reports whether no git index says anything about path: there is no
// repository around it, or one of them has no index, or only another's.
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

// ownIndex reports whether an index is that of the work tree dir. A .git file may
// name any folder: that of a linked work tree names it in turn, and that of a
// submodule lies in the repository around it.
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

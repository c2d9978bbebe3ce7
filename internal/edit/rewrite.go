package edit

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Rewrite puts the content of a file into a new file of the same name, in one write and one
// step. A linker writes piece by piece, and its file is kept in small pages; this one the
// system can map in larger pieces, see docs/architecture.md. Owner, mode and time stay. What is
// read-only, is no regular file or has a special mode is left alone, with an error.
func Rewrite(name string) (err error) {
	target := follow(name)
	info, err := os.Lstat(target)
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode&^fs.ModePerm != 0 || mode&0o200 == 0 {
		return errors.New(target + " is no regular file, or read-only: left as it is")
	}
	dir := filepath.Dir(target)
	unlock, sure, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	if sure {
		sweep(dir)
	}
	text, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	tmp, err := fill(dir, text, info, info.Mode())
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if err := os.Chtimes(tmp, info.ModTime(), info.ModTime()); err != nil {
		return err
	}
	if err := same(target, text); err != nil { // whoever builds a new one takes no lock
		return err
	}
	return os.Rename(tmp, target)
}

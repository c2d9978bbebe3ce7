package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// maxFile is the largest settings file that is edited, in bytes; the gate does
// not read larger ones either.
const maxFile = 1 << 20

// ErrChanged is returned for a file that no longer holds what the caller read.
var ErrChanged = errors.New("changed by another process meanwhile; run the command again")

// Read returns a file's text and mode, and the file it really is when the name
// is a symlink. A file that does not exist is empty and has mode 0600.
func Read(name string) (target string, text []byte, mode fs.FileMode, err error) {
	target = follow(name)
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if target != name {
			if _, err := os.Stat(filepath.Dir(target)); err != nil {
				return target, nil, 0, fmt.Errorf("%s: a symlink to %s, whose folder does not exist", name, target)
			}
		}
		return target, nil, 0o600, nil
	case err != nil:
		return target, nil, 0, err
	case !info.Mode().IsRegular():
		return target, nil, 0, fmt.Errorf("%s: not a regular file", name)
	case info.Size() > maxFile:
		return target, nil, 0, fmt.Errorf("%s: larger than 1 MiB", name)
	}
	text, err = os.ReadFile(target)
	return target, text, info.Mode().Perm(), err
}

// follow resolves symlinks also where the last one leads to nothing yet.
func follow(name string) string {
	for range 40 {
		link, err := os.Readlink(name)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(name), link)
		}
		name = link
	}
	return name
}

// Replace puts text into the file target in one step: a reader sees the old
// text or the new one, never a part. old is what the caller read; if the file
// holds something else by now, nothing is written. When backup is not empty,
// the old text is kept under that name first, see Backup. What root writes
// belongs to whom the old file belongs, a new one to whom the folder does.
func Replace(target string, old, text []byte, mode fs.FileMode, backup string) (err error) {
	dir := filepath.Dir(target)
	if err := makeDir(dir); err != nil {
		return err
	}
	own, err := os.Stat(target)
	if err != nil {
		own, err = os.Stat(dir)
	}
	if err != nil {
		return err
	}
	unlock, sure, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	if err := same(target, old); err != nil { // before the disk is waited for
		return err
	}
	if err := writable(target); err != nil {
		return err
	}
	if sure {
		sweep(dir)
	}
	tmp, err := fill(dir, text, own, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(tmp)
		}
	}()
	if err := same(target, old); err != nil { // an editor takes no lock
		return err
	}
	if backup != "" {
		// a second name for the old file is there whole or not at all
		if err := os.Link(target, backup); err != nil {
			if err := keep(backup, old, own, mode); err != nil {
				return fmt.Errorf("backup: %w", err)
			}
		}
	}
	if err := os.Rename(tmp, target); err != nil {
		if backup != "" {
			os.Remove(backup)
		}
		return err
	}
	if backup != "" {
		thin(backup)
	}
	return syncDir(dir)
}

// same reports an error unless a file still holds what was read.
func same(target string, old []byte) error {
	switch now, err := os.ReadFile(target); {
	case errors.Is(err, fs.ErrNotExist) && len(old) == 0:
	case err != nil:
		return err
	case !bytes.Equal(now, old):
		return fmt.Errorf("%s: %w", target, ErrChanged)
	}
	return nil
}

// writable reports an error for a file that is there and may not be written
// to. A rename would replace it all the same: whoever made it read-only did not
// want that.
func writable(target string) error {
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode().Perm()&0o200 == 0: // root may write all the same
		return fmt.Errorf("%s: read-only (mode %04o): %w", target, info.Mode().Perm(), fs.ErrPermission)
	}
	f, err := os.OpenFile(target, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return f.Close()
}

// fill writes a temporary file that is on the disk when it returns.
func fill(dir string, text []byte, own fs.FileInfo, mode fs.FileMode) (name string, err error) {
	tmp, err := os.CreateTemp(dir, tmpPrefix+"*")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			tmp.Close()
			os.Remove(tmp.Name())
		}
	}()
	if _, err := tmp.Write(text); err != nil {
		return "", err
	}
	if err := give(tmp.Name(), own); err != nil {
		return "", err
	}
	if err := tmp.Chmod(mode); err != nil {
		return "", err
	}
	if err := tmp.Sync(); err != nil {
		return "", err
	}
	return tmp.Name(), tmp.Close()
}

// makeDir makes a folder and those above it; each belongs to whom the one above does.
func makeDir(dir string) error {
	if _, err := os.Stat(dir); err == nil || dir == filepath.Dir(dir) {
		return os.MkdirAll(dir, 0o755) // says what is in the way
	}
	if err := makeDir(filepath.Dir(dir)); err != nil {
		return err
	}
	if err := os.Mkdir(dir, 0o755); err != nil {
		if errors.Is(err, fs.ErrExist) {
			return os.MkdirAll(dir, 0o755) // made by somebody else meanwhile, or a link to nothing
		}
		return err
	}
	above, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return give(dir, above)
}

// Remove removes a file that still holds old, and the folders that become
// empty by it and were made for it: those named hooks or permgate.
func Remove(target string, old []byte) error {
	unlock, _, err := lockDir(filepath.Dir(target))
	if err != nil {
		return err
	}
	defer unlock()
	if err := same(target, old); err != nil {
		return err
	}
	if err := writable(target); err != nil {
		return err
	}
	if err := os.Remove(target); err != nil {
		return err
	}
	for dir := filepath.Dir(target); madeByInstall(dir); dir = filepath.Dir(dir) {
		if os.Remove(dir) != nil {
			break // not empty
		}
	}
	return nil
}

// keep writes a new file and never overwrites one.
func keep(name string, text []byte, own fs.FileInfo, mode fs.FileMode) (err error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			os.Remove(name)
		}
	}()
	if _, err := f.Write(text); err != nil {
		return err
	}
	if err := give(name, own); err != nil {
		return err
	}
	return f.Close()
}

// syncDir makes the rename survive a power cut, where directories can be synced.
func syncDir(dir string) error {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
	return nil
}

// madeByInstall reports whether a folder has a name that is made for permgate.
func madeByInstall(dir string) bool {
	name := filepath.Base(dir)
	return name == "hooks" || name == "permgate"
}

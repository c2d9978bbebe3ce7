package edit

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/robustio"

	"github.com/permgate--owner/permgate/internal/atomicfile"
)

// maxFile is the largest settings file that is edited, in bytes, and that the gate reads.
const maxFile = 1 << 20

// ErrChanged is returned for a file that no longer holds what the caller read.
var ErrChanged = errors.New("changed by another process meanwhile; run the command again")

// Read returns a file's text and mode, and the file a symlink leads to. A missing file is empty with mode 0600.
func Read(name string) (target string, text []byte, mode fs.FileMode, err error) {
	target = follow(name)
	info, err := os.Stat(target)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, err := os.Stat(filepath.Dir(target)); err != nil && target != name {
			return target, nil, 0, fmt.Errorf("%s: a symlink to %s, whose folder does not exist", name, target)
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

// Replace puts text into a file in one step, unless the file no longer holds old, which the caller read. A backup
// of that name keeps the old text, see Backup. What root writes belongs to the owner of the old file or the folder.
func Replace(target string, old, text []byte, mode fs.FileMode, backup string) error {
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
	unlock, err := lockDir(dir)
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
	kept := false
	err = swap(target, old, text, own, mode, func(string) error {
		if backup == "" {
			return nil
		}
		// a second name for the old file is there whole or not at all
		if os.Link(target, backup) != nil {
			if err := keep(backup, old, own, mode); err != nil {
				return fmt.Errorf("backup: %w", err)
			}
		}
		kept = true
		return nil
	})
	switch {
	case err == nil && kept:
		thin(backup)
	case kept:
		os.Remove(backup)
	}
	if err == nil {
		syncDir(dir)
	}
	return err
}

// swap puts text in place of a file that holds old. ready gets the new file right before.
func swap(target string, old, text []byte, own fs.FileInfo, mode fs.FileMode, ready func(tmp string) error) error {
	tmp, err := fill(filepath.Dir(target), text, own, mode)
	if err != nil {
		return err
	}
	if err = same(target, old); err == nil { // an editor or a linker takes no lock
		err = ready(tmp)
	}
	if err == nil {
		err = robustio.Rename(tmp, target)
	}
	if err != nil {
		os.Remove(tmp)
	}
	return err
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

// writable reports an error for a file that may not be written to: a rename would replace it all the same, which
// the user who made it read-only did not want.
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
	return atomicfile.Temp(dir, tmpPrefix+"*", text, func(f *os.File) error {
		if err := give(f.Name(), own); err != nil {
			return err
		}
		return f.Chmod(mode)
	})
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
			return os.MkdirAll(dir, 0o755) // made by another process meanwhile, or a link to nothing
		}
		return err
	}
	above, err := os.Stat(filepath.Dir(dir))
	if err != nil {
		return err
	}
	return give(dir, above)
}

// Remove removes a file that still holds old, and empty folders named hooks or permgate above it.
func Remove(target string, old []byte) error {
	unlock, err := lockDir(filepath.Dir(target))
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
func syncDir(dir string) {
	if d, err := os.Open(dir); err == nil {
		d.Sync()
		d.Close()
	}
}

// madeByInstall reports whether a folder has a name that is made for permgate.
func madeByInstall(dir string) bool {
	name := filepath.Base(dir)
	return name == "hooks" || name == "permgate"
}

// Rewrite puts a file's content into a new file of its name in one write: the system maps that in larger pieces than
// what a linker wrote, see docs/architecture.md. Owner, mode and time stay. A file that is read-only, irregular or of
// a special mode is left alone, with an error.
func Rewrite(name string) error {
	target := follow(name)
	info, err := os.Lstat(target)
	if err != nil {
		return err
	}
	if mode := info.Mode(); mode&^fs.ModePerm != 0 || mode&0o200 == 0 {
		return errors.New(target + " is no regular file, or read-only: left as it is")
	}
	dir := filepath.Dir(target)
	unlock, err := lockDir(dir)
	if err != nil {
		return err
	}
	defer unlock()
	text, err := os.ReadFile(target)
	if err != nil {
		return err
	}
	return swap(target, text, text, info, info.Mode(), func(tmp string) error {
		return os.Chtimes(tmp, info.ModTime(), info.ModTime())
	})
}

// patience is how long a folder is waited for. A change takes milliseconds, unless its process was stopped.
var patience = 60 * time.Second

var held []string

// Hold keeps other processes of this program from replacing files in folders, which it makes, until release. Replace,
// Remove and further Holds take part, so what is read under it is what is replaced. For one goroutine only.
func Hold(dirs ...string) (release func(), err error) {
	before := held
	var unlocks []func()
	release = func() {
		held = before
		for _, unlock := range unlocks {
			unlock()
		}
	}
	for _, dir := range slices.Sorted(slices.Values(dirs)) { // everybody in the same order
		if slices.Contains(held, dir) {
			continue
		}
		unlock := func() {}
		if err = makeDir(dir); err == nil {
			unlock, err = lockDir(dir)
		}
		if err != nil {
			release()
			return nil, err
		}
		held, unlocks = append(slices.Clone(held), dir), append(unlocks, unlock)
	}
	return release, nil
}

// lockDir waits for a folder, and removes what a process that was killed left there. Where
// folders cannot be locked the caller goes on: it compares what it replaces anyway.
func lockDir(dir string) (unlock func(), err error) {
	if slices.Contains(held, dir) {
		return func() {}, nil
	}
	d, err := os.Open(dir)
	if err != nil {
		return func() {}, nil
	}
	got := make(chan func(), 1)
	go func() { got <- flock(d) }()
	select {
	case unlock := <-got:
		if unlock == nil {
			return func() {}, nil
		}
		sweep(dir)
		return unlock, nil
	case <-time.After(patience):
		go func() {
			if unlock := <-got; unlock != nil {
				unlock()
			}
		}()
		const why = "%s: another permgate has been changing files there for %v; is it stuck?"
		return nil, fmt.Errorf(why, dir, patience)
	}
}

// tmpPrefix starts the names of files that are being written; digits follow.
const tmpPrefix = ".permgate-"

// sweep removes the files of a process that was killed: only the holder of the lock has such a
// file in the folder, and has made none yet.
func sweep(dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), tmpPrefix)
		if ok && rest != "" && strings.Trim(rest, "0123456789") == "" && e.Type().IsRegular() {
			os.Remove(filepath.Join(dir, e.Name()))
		}
	}
}

// Backups is how many old texts of one file are kept: those before the last changes.
const Backups = 5

// backupMark separates a file's name and the time of its backup.
const backupMark = ".bak-"

const backupStamp = "20060102150405"

// A backup is one old text: FILE.bak-STAMP, or FILE.bak-STAMP-N for the Nth of a second.
type backup struct {
	name, stamp string
	n           int
}

// backups are the old texts of a file, oldest first. target is named as in the folder of its backups.
func backups(target string) (list []backup) {
	entries, _ := os.ReadDir(filepath.Dir(target))
	for _, e := range entries {
		rest, ok := strings.CutPrefix(e.Name(), filepath.Base(target)+backupMark)
		if stamp, n, isStamp := parseStamp(rest); ok && isStamp && e.Type().IsRegular() {
			list = append(list, backup{filepath.Join(filepath.Dir(target), e.Name()), stamp, n})
		}
	}
	slices.SortFunc(list, func(a, b backup) int { return cmp.Or(cmp.Compare(a.stamp, b.stamp), a.n-b.n) })
	return list
}

func parseStamp(rest string) (stamp string, n int, ok bool) {
	stamp, num, more := strings.Cut(rest, "-")
	n = 1
	if more {
		var err error
		if n, err = strconv.Atoi(num); err != nil || n < 2 || strconv.Itoa(n) != num {
			return "", 0, false
		}
	}
	return stamp, n, len(stamp) == len(backupStamp) && strings.Trim(stamp, "0123456789") == ""
}

// IsBackup reports whether a file is a backup of some other, by its name.
func IsBackup(name string) bool {
	i := strings.LastIndex(name, backupMark)
	if i <= 0 {
		return false
	}
	_, _, ok := parseStamp(name[i+len(backupMark):])
	return ok
}

// OldTexts are the names of a file's backups, oldest first; target is what Backup is given.
func OldTexts(target string) (names []string) {
	for _, b := range backups(target) {
		names = append(names, b.name)
	}
	return names
}

// Backup names a backup of a file that is changed now, next to target. No other process takes the name while the
// caller holds the folder of the file.
func Backup(target string, now time.Time) string {
	stamp, n := now.Format(backupStamp), 0
	for _, b := range backups(target) {
		if b.stamp == stamp {
			n = max(n, b.n)
		}
	}
	if n == 0 {
		return target + backupMark + stamp
	}
	return fmt.Sprintf("%s%s%s-%d", target, backupMark, stamp, n+1)
}

// thin removes all but the newest of the backups that one is the last of.
func thin(last string) {
	list := backups(last[:strings.LastIndex(last, backupMark)])
	for len(list) > Backups {
		os.Remove(list[0].name)
		list = list[1:]
	}
}

package edit

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Backups is how many old texts of one file are kept: those before the last changes.
const Backups = 5

// backupMark stands between a file's name and the time of its backup.
const backupMark = ".bak-"

// backupStamp is the form of that time.
const backupStamp = "20060102150405"

// A backup is one old text: FILE.bak-STAMP, or FILE.bak-STAMP-N for the Nth of a second.
type backup struct {
	name, stamp string
	n           int
}

// backups are the old texts of a file, oldest first. target is the file, or the
// name it has in the folder its backups are kept in.
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

// parseStamp reads what follows backupMark in the name of a backup.
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

// OldTexts are the names of the backups of a file, oldest first; target is what
// Backup is given.
func OldTexts(target string) (names []string) {
	for _, b := range backups(target) {
		names = append(names, b.name)
	}
	return names
}

// Backup is the name for a backup of a file that is changed now: beside it, or,
// when target has another folder in front, in that one. It is nobody's as long as
// the caller holds the folder of the file.
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

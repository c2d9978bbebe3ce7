package disk

import (
	"io/fs"
	"os/user"
	"path"
	"strconv"
	"time"
)

// Inode returns the number of a file and when its content or attributes last changed.
func (Disk) Inode(info fs.FileInfo) (uint64, time.Time, bool) {
	st, ok := statOf(info)
	return st.Ino, time.Unix(st.Ctimespec.Unix()), ok
}

// PasswdHome returns a user's home directory from the passwd file or the directory service, or "".
func PasswdHome(uid int) string {
	if home := passwdHome(passwdFile, uid); home != "" {
		return home
	}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil && path.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return ""
}

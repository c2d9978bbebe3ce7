package disk

import (
	"os/user"
	"path"
	"strconv"
)

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

package disk

import (
	"os/user"
	"path"
	"strconv"
)

// PasswdHome returns the home directory of a user from the passwd file, which
// holds those of the system only, or the directory service; "" when neither knows.
func PasswdHome(uid int) string {
	if home := passwdHome(passwdFile, uid); home != "" {
		return home
	}
	if u, err := user.LookupId(strconv.Itoa(uid)); err == nil && path.IsAbs(u.HomeDir) {
		return u.HomeDir
	}
	return ""
}

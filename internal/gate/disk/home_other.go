//go:build !darwin && !windows

package disk

// PasswdHome returns a user's home directory from the passwd file, "" for none or a relative one.
func PasswdHome(uid int) string { return passwdHome(passwdFile, uid) }

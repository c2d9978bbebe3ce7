//go:build !darwin && !windows

package disk

// PasswdHome returns the home directory of a user from the passwd file, "" when
// it has no entry there (directory services) or the entry is not absolute.
func PasswdHome(uid int) string { return passwdHome(passwdFile, uid) }

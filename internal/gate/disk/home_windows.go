package disk

import "golang.org/x/sys/windows"

// PasswdHome returns the profile folder of the user permgate runs as; there are
// no user numbers. "" when it is not known.
func PasswdHome(int) string {
	home, err := windows.GetCurrentProcessToken().GetUserProfileDirectory()
	if err != nil {
		return ""
	}
	return home
}

package disk

import (
	"path/filepath"

	"golang.org/x/sys/windows"

	"github.com/permgate--owner/permgate/rules"
)

// native returns the system's spelling of a path, unchanged if it is that: /c/dir is c:\dir.
func native(name string) string {
	if startsWithDrive(name) {
		name = name[1:2] + ":/" + name[min(3, len(name)):]
	}
	return filepath.FromSlash(name)
}

// startsWithDrive reports whether a path is /c or below it.
func startsWithDrive(name string) bool {
	if len(name) < 2 || name[0] != '/' || len(name) > 2 && name[2] != '/' {
		return false
	}
	letter := name[1] | 0x20
	return letter >= 'a' && letter <= 'z'
}

// canonical returns permgate's spelling of what a symlink leads to.
func canonical(link, target string) string { return rules.Windows.Target(link, target) }

// PasswdHome returns the profile folder of permgate's own user, "" when it is not known.
func PasswdHome(int) string {
	home, err := windows.GetCurrentProcessToken().GetUserProfileDirectory()
	if err != nil {
		return ""
	}
	return home
}

package disk

import (
	"path/filepath"

	"golang.org/x/sys/windows"

	"github.com/permgate--owner/permgate/rules"
)

// native returns the system's spelling of a path, unchanged if it is that.
func native(name string) string { return filepath.FromSlash(rules.Windows.Native(name)) }

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

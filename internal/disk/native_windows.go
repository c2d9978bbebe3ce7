package disk

import (
	"path/filepath"

	"permgate/rules"
)

// native returns the system's spelling of a path: /c/dir is c:\dir. A path the
// system spelled itself stays as it is.
func native(name string) string {
	if len(name) >= 2 && name[0] == '/' && (len(name) == 2 || name[2] == '/') && (name[1]|0x20 >= 'a' && name[1]|0x20 <= 'z') {
		name = name[1:2] + ":/" + name[min(3, len(name)):]
	}
	return filepath.FromSlash(name)
}

// canonical returns permgate's spelling of what a symlink leads to.
func canonical(link, target string) string { return rules.Windows.Target(link, target) }

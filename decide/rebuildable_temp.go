package decide

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"permgate/rules"
)

// ownTemp reports whether a path lies in /tmp or /var/tmp and every component of
// it there that exists is a folder or file of the user's own that others cannot
// write.
func (c *Case) ownTemp(p rules.Path) bool {
	if p.Given != p.Real {
		return false
	}
	for _, root := range [...]string{"/tmp", "/var/tmp"} {
		rest, ok := strings.CutPrefix(p.Real, root+"/")
		if !ok {
			continue
		}
		at := root
		for part := range strings.SplitSeq(rest, "/") {
			at = path.Join(at, part)
			info, err := c.FS.Lstat(at)
			if err != nil {
				return errors.Is(err, fs.ErrNotExist)
			}
			uid, ok := c.FS.Owner(info)
			if !ok || uid != c.User.ID || c.FS.OthersWrite(info) || info.Mode()&fs.ModeSymlink != 0 {
				return false
			}
		}
		return true
	}
	return false
}

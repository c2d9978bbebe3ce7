package load

import (
	"io/fs"
	"path"
	"strings"
)

// maxLinks is how many symlinks one path may go through, as in Linux.
const maxLinks = 40

// Resolve returns the absolute path name with every symlink of its longest
// existing parent followed; what does not exist is appended as it is. A
// dangling link is followed to where it points, because a write through it
// would land there. Where links go in circles, or cannot be read, the rest is
// kept as written. A junction of Windows, which to Go is an irregular file, is
// a link as well.
func Resolve(l Files, name string) string { return Follow(l, path.Clean(name)) }

// Follow is Resolve for a path that is not clean: as in the kernel, .. after a
// symlink is the parent of where the symlink leads.
func Follow(l Files, name string) string {
	root, rest := splitRoot(name)
	done := root
	links := 0
	for rest != "" {
		part, after, _ := strings.Cut(rest, "/")
		rest = after
		switch part {
		case "", ".":
			continue
		case "..":
			done = path.Dir(done)
			continue
		}
		next := under(done, part)
		info, err := l.Lstat(next)
		if err != nil {
			return path.Join(next, rest)
		}
		if info.Mode()&(fs.ModeSymlink|fs.ModeIrregular) == 0 {
			done = next
			continue
		}
		target, err := l.Readlink(next)
		if err != nil && info.Mode()&fs.ModeSymlink == 0 {
			done = next // irregular and no link
			continue
		}
		if links++; err != nil || target == "" || links > maxLinks {
			return path.Join(next, rest)
		}
		if path.IsAbs(target) {
			done, target = splitRoot(target)
		}
		rest = target + "/" + rest
	}
	return done
}

// splitRoot cuts "/" from an absolute path.
func splitRoot(name string) (root, rest string) {
	rest = strings.TrimLeft(name, "/")
	if len(rest) == len(name) {
		return "", name
	}
	return "/", rest
}

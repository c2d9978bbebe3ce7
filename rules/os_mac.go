package rules

import (
	"path"
	"strings"
)

// macData is where the volume that can be written is mounted; firmlinks show
// its folders at / (apfs, firmlinks(5), /usr/share/firmlinks).
const macData = "/System/Volumes/Data"

// macPrivate are the folders at / that are symlinks into /private.
var macPrivate = [...]string{"/etc", "/var", "/tmp"}

// macMagic are first components that the kernel reads as commands: a file by
// its number, a way to follow links.
var macMagic = [...]string{".vol", ".file", ".nofollow", ".resolve"}

// macClean gives a clean path the one name permgate uses for it.
func macClean(name string) (clean, doubt string) {
	if i := foldIndex(name, "/..namedfork"); i > 0 {
		doubt = "names a fork of a file"
		name = name[:i]
	}
	for range 8 {
		short := name
		if rest, ok := foldCut(name, macData); ok {
			short = path.Clean("/" + rest)
		} else if rest, ok := foldCut(name, "/private"); ok {
			for _, d := range macPrivate {
				if _, ok := foldCut(rest, d); ok {
					short = rest
				}
			}
		} else {
			for _, m := range macMagic {
				if rest, ok := foldCut(name, "/"+m); ok && strings.HasPrefix(name, "/") {
					doubt = "a kernel name for a file"
					if m == ".nofollow" {
						short = path.Clean("/" + rest)
					}
				}
			}
		}
		if short == name {
			break
		}
		name = short
	}
	return name, doubt
}

// foldCut returns what follows dir in name, where case and the like do not count.
func foldCut(name, dir string) (rest string, ok bool) {
	end := 0
	for range strings.Count(dir, "/") {
		if end >= len(name) {
			return "", false
		}
		n := strings.IndexByte(name[end+1:], '/')
		if n < 0 {
			end = len(name)
		} else {
			end += 1 + n
		}
	}
	if name == "" || FoldPath(name[:end]) != FoldPath(dir) {
		return "", false
	}
	return name[end:], true
}

// foldIndex is strings.Index of a folded component with its slash, -1 if there is none.
func foldIndex(name, component string) int {
	if !strings.Contains(name, "..") {
		return -1
	}
	for at := 0; at < len(name); {
		end := len(name)
		if n := strings.IndexByte(name[at+1:], '/'); n >= 0 {
			end = at + 1 + n
		}
		if FoldPath(name[at:end]) == component {
			return at
		}
		at = end
	}
	return -1
}

func macSpellings(name string) []string {
	out := []string{name}
	for _, d := range macPrivate {
		if _, ok := foldCut(name, d); ok {
			out = append(out, "/private"+name)
		}
	}
	for _, n := range out[:len(out):len(out)] {
		out = append(out, macData+strings.TrimSuffix(n, "/"))
	}
	return out
}

package decide

import (
	"path"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/rules"
)

// landing is where a name ends up below a folder, "" where it is not taken.
func landing(dir, name string, in *bashsafety.Contents) string {
	if skipped(name, in.Skip) || !taken(name, in.Only) {
		return ""
	}
	abs := strings.HasPrefix(name, "/")
	if in.Free && abs {
		return path.Clean(name)
	}
	if !in.Free {
		name = strings.TrimPrefix(path.Clean("/"+name), "/")
	}
	for n := in.Strip; n > 0; n-- {
		_, rest, ok := strings.Cut(strings.TrimPrefix(name, "./"), "/")
		if !ok {
			return ""
		}
		name = rest
	}
	if in.Flat {
		name = path.Base(name)
	}
	return path.Join(dir, name)
}

// skipped reports whether a pattern leaves a name out: one of its components, or
// all of it.
func skipped(name string, patterns []string) bool {
	for _, p := range patterns {
		p = strings.TrimSuffix(strings.TrimPrefix(p, "./"), "/")
		if strings.Contains(p, "/") {
			if rest, ok := strings.CutPrefix(path.Clean("/"+name), path.Clean("/"+p)); ok &&
				(rest == "" || rest[0] == '/') {
				return true
			}
			continue
		}
		for part := range strings.SplitSeq(name, "/") {
			if ok, _ := path.Match(p, part); ok && part != "" && part != "." {
				return true
			}
		}
	}
	return false
}

// taken reports whether a name is among those asked for, or below one of them. A
// pattern may mean any.
func taken(name string, only []string) bool {
	if len(only) == 0 {
		return true
	}
	name = foldPath(path.Clean("/" + name))
	for _, o := range only {
		if strings.ContainsAny(o, "*?[") || rules.Within(name, foldPath(path.Clean("/"+o))) {
			return true
		}
	}
	return false
}

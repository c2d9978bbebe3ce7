package decide

import (
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
)

const (
	maxIgnoreFile = 64 << 10 // bytes of one .gitignore
	maxIgnores    = 32       // folders whose .gitignore is looked at
)

// ignored reports whether git is certain to ignore the folder rel of the work
// tree by a .gitignore that is tracked and holds what the index says. Other
// .gitignore files only take away: what they re-include is not ignored.
//
// The rules are git's (gitignore.adoc): of the files between the root and the
// folder above rel the deepest decides, of its lines the last that matches; and
// what lies in an ignored folder is ignored whatever else is written. A line in
// doubt ignores nothing and may re-include everything.
func (c *Case) ignored(index *gitIndex, rel string) bool {
	parts := strings.Split(rel, "/")
	if len(parts) > maxIgnores {
		return false
	}
	var files []ignoreFile
	for i := range parts {
		dir := strings.Join(parts[:i], "/")
		if i > 0 && c.World.Exists(path.Join(index.root, dir, ".git")) {
			return false // another repository's
		}
		file, ok := c.ignoreFile(index, dir)
		if !ok {
			return false
		}
		files = append(files, file)
		if ignoredBy(files, parts[:i+1]) {
			return true
		}
	}
	return false
}

// An ignoreFile is one .gitignore.
type ignoreFile struct {
	depth int // components of the folder it is in
	sure  bool
	lines []string
}

// ignoreFile reads the .gitignore of one folder; ok is false when there is no
// telling what it says. A folder without one has no lines.
func (c *Case) ignoreFile(index *gitIndex, dir string) (f ignoreFile, ok bool) {
	if dir != "" {
		f.depth = strings.Count(dir, "/") + 1
	}
	name := path.Join(index.root, dir, ".gitignore")
	info, err := c.World.FS.Lstat(name)
	if err != nil {
		return f, errors.Is(err, fs.ErrNotExist)
	}
	if !info.Mode().IsRegular() {
		return f, false
	}
	data, err := c.World.FS.ReadFile(name, maxIgnoreFile)
	if err != nil {
		return f, false
	}
	id := gitindex.Blob(data)
	f.sure = index.blob(path.Join(dir, ".gitignore")) == string(id[:])
	f.lines = strings.Split(strings.TrimPrefix(string(data), "\ufeff"), "\n")
	return f, true
}

// ignoredBy reports whether the files are certain to ignore one folder.
func ignoredBy(files []ignoreFile, parts []string) bool {
	for i := len(files) - 1; i >= 0; i-- {
		f := &files[i]
		for n := len(f.lines) - 1; n >= 0; n-- {
			line, negative := ignoreLine(f.lines[n])
			if line == "" {
				continue
			}
			sure, maybe := line.matches(parts[f.depth:])
			switch {
			case negative && maybe:
				return false
			case !negative && sure && f.sure:
				return true
			}
		}
	}
	return false
}

// An ignorePattern is a line without what makes it negative.
type ignorePattern string

// ignoreLine takes a line apart; the pattern is "" where it holds none.
func ignoreLine(line string) (pattern ignorePattern, negative bool) {
	line = strings.TrimSuffix(line, "\r")
	if strings.HasPrefix(line, "#") {
		return "", false
	}
	line, negative = strings.CutPrefix(line, "!")
	if trimmed := strings.TrimRight(line, " "); !strings.HasSuffix(trimmed, `\`) {
		line = trimmed
	}
	return ignorePattern(line), negative
}

// matches reports whether a pattern matches the folder parts, relative to the
// .gitignore: for certain, or as any file system and any reading may have it.
func (p ignorePattern) matches(parts []string) (sure, maybe bool) {
	if strings.ContainsAny(string(p), `\[`) { // not needed to name a folder
		return false, true
	}
	pattern := strings.TrimSuffix(string(p), "/")
	if pattern == "" || strings.HasSuffix(pattern, "/") {
		return false, true
	}
	if !strings.Contains(pattern, "/") {
		last := parts[len(parts)-1]
		return nameMatches(pattern, last), nameMatches(widened(pattern), rules.FoldPath(last))
	}
	segs := strings.Split(strings.TrimPrefix(pattern, "/"), "/")
	wide := strings.Split(widened(strings.Join(segs, "/")), "/")
	return pathMatches(segs, parts), pathMatches(wide, strings.Split(rules.FoldPath(strings.Join(parts, "/")), "/"))
}

// widened is a pattern for names as FoldPath writes them, which may have more or
// fewer characters.
func widened(pattern string) string { return strings.ReplaceAll(rules.FoldPath(pattern), "?", "*") }

// pathMatches matches components; ** is any number of them, at the end at least
// one.
func pathMatches(segs, parts []string) bool {
	s, n, star, mark := 0, 0, -1, 0
	for n < len(parts) {
		switch {
		case s < len(segs) && segs[s] == "**":
			if s == len(segs)-1 {
				return true
			}
			star, mark = s, n
			s++
		case s < len(segs) && nameMatches(segs[s], parts[n]):
			s++
			n++
		case star >= 0:
			mark++
			s, n = star+1, mark
		default:
			return false
		}
	}
	return s == len(segs)
}

// nameMatches matches one component: * and ? are wildcards, ** in a component
// is the same as *.
func nameMatches(pattern, name string) bool {
	p, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == '*':
			star, mark = p, n
			p++
		case p < len(pattern) && (pattern[p] == '?' || pattern[p] == name[n]):
			p++
			n++
		case star >= 0:
			mark++
			p, n = star+1, mark
		default:
			return false
		}
	}
	return strings.Trim(pattern[p:], "*") == ""
}

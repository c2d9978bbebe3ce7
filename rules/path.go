package rules

import (
	"path"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// CleanPath makes the path of a tool call absolute and clean without looking at
// the disk: a leading ~/ is home, a relative path is joined to cwd, empty and .
// segments go, .. takes the segment before it along, and the names that /proc
// has for the working directory and the root (/proc/self/cwd, /proc/self/root,
// /proc/PID/root) are replaced. With cwd "" a relative path stays relative.
func CleanPath(name, cwd, home string) string {
	switch {
	case name == "~" && home != "":
		name = home
	case strings.HasPrefix(name, "~/") && home != "":
		name = home + name[1:]
	case !strings.HasPrefix(name, "/"):
		if cwd == "" {
			return path.Clean(name)
		}
		name = cwd + "/" + name
	}
	return walkPath(name, cwd)
}

func walkPath(name, cwd string) string {
	var segs []string
	for _, seg := range strings.Split(name, "/") {
		switch seg {
		case "", ".":
			continue
		case "..":
			segs = segs[:max(len(segs)-1, 0)]
			continue
		}
		segs = append(segs, seg)
		switch procLink(segs) {
		case "root":
			segs = segs[:0]
		case "cwd":
			if cwd != "" && cwd != name {
				segs = strings.Split(strings.Trim(walkPath(cwd, ""), "/"), "/")
			}
		}
	}
	return path.Clean("/" + strings.Join(segs, "/"))
}

// procLink says which link of /proc segs name: "root" of any process, "cwd" of
// the one that asks; "" for anything else.
func procLink(segs []string) string {
	if len(segs) < 3 || segs[0] != "proc" {
		return ""
	}
	process, rest := segs[1], segs[2:]
	if len(rest) == 3 && rest[0] == "task" && digits(rest[1]) {
		rest = rest[2:]
	}
	if len(rest) > 1 {
		return ""
	}
	self := process == "self" || process == "thread-self"
	switch rest[0] {
	case "root":
		if self || digits(process) {
			return "root"
		}
	case "cwd":
		if self {
			return "cwd"
		}
	}
	return ""
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// FoldPath brings a path to the form in which deny and ask compare it: one
// normal form, no case, no characters that file systems ignore.
func FoldPath(s string) string {
	if ascii(s) {
		return strings.ToLower(s)
	}
	if utf8.ValidString(s) {
		s = norm.NFD.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := nextRune(s[i:])
		i += n
		if long := unfolded(r); long != "" {
			b.WriteString(long)
		} else if !ignorable(r) {
			putRune(&b, foldRune(r))
		}
	}
	return b.String()
}

// unfolded returns the ASCII letters that a character stands for where case is
// folded in full (Unicode's CaseFolding.txt, status F), as APFS and ext4 do; ""
// for every other character.
func unfolded(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'ﬀ':
		return "ff"
	case 'ﬁ':
		return "fi"
	case 'ﬂ':
		return "fl"
	case 'ﬃ':
		return "ffi"
	case 'ﬄ':
		return "ffl"
	case 'ﬅ', 'ﬆ':
		return "st"
	}
	return ""
}

// ignorable reports whether a character is invisible and no part of a name to
// some file system: format characters, joiners and variation selectors.
func ignorable(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == 0x034F
}

// Within reports whether the clean path name is dir or below it.
func Within(name, dir string) bool {
	if dir == "" || !strings.HasPrefix(name, dir) {
		return false
	}
	return len(name) == len(dir) || strings.HasSuffix(dir, "/") || name[len(dir)] == '/'
}

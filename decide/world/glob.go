package world

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// What one call may look at to expand patterns, and how many names it may find.
// Beyond that it is not known what a pattern finds.
const (
	maxGlobDirs    = 256
	maxGlobEntries = 8192
	maxGlobFound   = 512
)

// globbing is what the patterns of a call have cost so far.
type globbing struct{ dirs, entries, found int }

// Expand lists what a pattern of the shell finds: absolute paths as the shell
// spells them, not cleaned. ok is false where that cannot be known: there is no
// disk, the pattern is beyond what is understood here, or the budget is spent.
func (w *World) Expand(pattern string) (found []string, ok bool) {
	plain := len(pattern) > 1 && pattern[0] == '/' && !strings.Contains(pattern, "(")
	if w.FS == nil || w.OS == rules.Windows || !plain {
		return nil, false
	}
	at := []string{""}
	segs := strings.Split(pattern[1:], "/")
	for i, seg := range segs {
		var next []string
		for _, dir := range at {
			if next, ok = w.globSegment(next, dir, seg, i == len(segs)-1); !ok {
				return nil, false
			}
		}
		if at = next; len(at) == 0 {
			return nil, true
		}
	}
	if w.globs.found += len(at); w.globs.found > maxGlobFound {
		return nil, false
	}
	return at, true
}

// globSegment adds what one component of a pattern finds in dir.
func (w *World) globSegment(out []string, dir, seg string, last bool) ([]string, bool) {
	if plainSegment(seg) {
		return globNamed(w, out, dir, seg, last)
	}
	toks, wild, ok := globTokens(seg)
	switch {
	case !ok:
		return nil, false
	case seg == "**":
		return w.globDeep(out, dir, last, true)
	case !wild:
		return globNamed(w, out, dir, globText(toks), last)
	}
	names, ok := w.globNames(dir)
	if !ok {
		return nil, false
	}
	if !last && seg[0] == '.' { // bash before 5.2 finds them
		names = append(names[:len(names):len(names)], ".", "..")
	}
	for _, name := range names {
		if globMatch(toks, name) {
			out = append(out, dir+"/"+name)
		}
	}
	return out, len(out) <= maxGlobEntries
}

// globNamed adds a name in dir, the last one of a pattern if it is there.
func globNamed(w *World, out []string, dir, name string, last bool) ([]string, bool) {
	if last {
		if w.globs.entries++; !w.there(dir, name) {
			return out, true
		}
	}
	return append(out, dir+"/"+name), w.globs.entries <= maxGlobEntries
}

// plainSegment reports whether every character of a component of a pattern is itself: most are so.
func plainSegment(seg string) bool {
	for i := range len(seg) {
		switch c := seg[i]; {
		case c == '*', c == '?', c == '[', c == '\\', c >= utf8.RuneSelf:
			return false
		}
	}
	return true
}

// globDeep adds what ** finds: one component in bash, and any number of them in
// zsh and where globstar is set. Links are not followed further down.
func (w *World) globDeep(out []string, dir string, last, first bool) ([]string, bool) {
	if first && !last {
		out = append(out, dir)
	}
	names, ok := w.globNames(dir)
	for _, name := range names {
		at := dir + "/" + name
		if !ok || name[0] == '.' {
			continue
		}
		info, err := w.FS.Lstat(path.Join(load.Follow(w.FS, dir+"/"), name))
		if err != nil {
			continue
		}
		link := info.Mode()&fs.ModeSymlink != 0
		if last || info.IsDir() || first && link {
			out = append(out, at)
		}
		if info.IsDir() && !link {
			out, ok = w.globDeep(out, at, last, false)
		}
	}
	return out, ok
}

// globNames reads a directory; one that is not there, or may not be read, has no
// names for the shell either.
func (w *World) globNames(dir string) (names []string, ok bool) {
	if w.globs.dirs++; w.globs.dirs > maxGlobDirs {
		return nil, false
	}
	names, err := w.FS.ReadDir(load.Follow(w.FS, dir+"/"))
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
		return nil, true
	case err != nil:
		return nil, false
	}
	w.globs.entries += len(names)
	return names, w.globs.entries <= maxGlobEntries
}

// there reports whether a directory has a name in it; "", . and .. are the
// directory itself and the one above, which any directory has.
func (w *World) there(dir, name string) bool {
	if name == "" || name == "." || name == ".." {
		return w.Directory(dir)
	}
	_, err := w.FS.Lstat(path.Join(load.Follow(w.FS, dir+"/"), name))
	return err == nil
}

// Directory reports whether a path leads to a directory.
func (w *World) Directory(name string) bool {
	info, err := w.FS.Lstat(load.Follow(w.FS, name+"/"))
	return err == nil && info.IsDir()
}

// A globToken is one element of a component of the shell's pattern.
type globToken struct {
	kind  globKind
	r     rune
	class globClass
}

type globKind uint8

const (
	globRune globKind = iota
	globStar
	globOne
	globSet
)

// globTokens compiles one component. ok is false for what depends on the locale:
// [[.x.]] and [[=x=]].
func globTokens(seg string) (out []globToken, wild, ok bool) {
	for i := 0; i < len(seg); {
		r, n := utf8.DecodeRuneInString(seg[i:])
		t := globToken{r: r}
		switch {
		case r == '\\' && i+1 < len(seg):
			var m int
			t.r, m = utf8.DecodeRuneInString(seg[i+1:])
			n += m
		case r == '*':
			t.kind = globStar
		case r == '?':
			t.kind = globOne
		case r == '[':
			class, size, known := globBracket(seg[i:])
			if !known {
				return nil, false, false
			}
			if size > 0 {
				t.kind, t.class, n = globSet, class, size
			}
		}
		if t.r == utf8.RuneError && t.kind == globRune {
			return nil, false, false // bytes that are no character
		}
		wild = wild || t.kind != globRune
		out = append(out, t)
		i += n
	}
	return out, wild, true
}

// globText is the text of a component without wildcards.
func globText(toks []globToken) string {
	var b strings.Builder
	for i := range toks {
		b.WriteRune(toks[i].r)
	}
	return b.String()
}

// globMatch reports whether a name matches. A dot at its start is matched by a
// dot alone. What is a character, and what are several bytes, depends on the
// locale: a name matches if it does in either.
func globMatch(toks []globToken, name string) bool {
	if name == "" || name[0] == '.' && (len(toks) == 0 || toks[0].kind != globRune) {
		return false
	}
	if globRunes(toks, []rune(name)) {
		return true
	}
	for i := 0; i < len(name); i++ {
		if name[i] >= utf8.RuneSelf {
			return globRunes(globBytes(toks), bytesAsRunes(name))
		}
	}
	return false
}

// globBytes spells the characters of a pattern as bytes.
func globBytes(toks []globToken) []globToken {
	var out []globToken
	for i := range toks {
		if t := &toks[i]; t.kind != globRune {
			out = append(out, *t)
			continue
		}
		for _, b := range []byte(string(toks[i].r)) {
			out = append(out, globToken{r: rune(b)})
		}
	}
	return out
}

func bytesAsRunes(s string) []rune {
	out := make([]rune, len(s))
	for i := range out {
		out[i] = rune(s[i])
	}
	return out
}

// globRunes matches by going back to the last star only, and is linear otherwise.
func globRunes(toks []globToken, name []rune) bool {
	t, n, star, mark := 0, 0, -1, 0
	for n < len(name) {
		switch {
		case t < len(toks) && toks[t].kind == globStar:
			star, mark = t, n
			t++
		case t < len(toks) && toks[t].matches(name[n]):
			t++
			n++
		case star >= 0:
			mark++
			t, n = star+1, mark
		default:
			return false
		}
	}
	for t < len(toks) && toks[t].kind == globStar {
		t++
	}
	return t == len(toks)
}

func (t *globToken) matches(r rune) bool {
	switch t.kind {
	case globOne:
		return true
	case globSet:
		return t.class.has(r)
	}
	return t.r == r
}

// A globClass is a bracket expression.
type globClass struct {
	not    bool
	ranges [][2]rune
	named  []string
}

// globBracket reads the bracket expression s starts with; size is 0 when it is
// not closed, and [ means itself.
func globBracket(s string) (class globClass, size int, ok bool) {
	if strings.IndexByte(s, ']') < 0 { // thousands of them would be read to the end each
		return class, 0, !strings.Contains(s, "[.") && !strings.Contains(s, "[=") && !strings.Contains(s, "-[")
	}
	i := 1
	if i < len(s) && (s[i] == '!' || s[i] == '^') {
		class.not = true
		i++
	}
	for first := true; i < len(s); first = false {
		switch {
		case s[i] == ']' && !first:
			return class, i + 1, true
		case strings.HasPrefix(s[i:], "[.") || strings.HasPrefix(s[i:], "[="):
			return class, 0, false
		case strings.HasPrefix(s[i:], "[:"):
			if end := strings.Index(s[i:], ":]"); end > 1 {
				class.named = append(class.named, s[i+2:i+end])
				i += end + 2
				continue
			}
		}
		lo, n := bracketRune(s[i:])
		i += n
		hi := lo
		if i+1 < len(s) && s[i] == '-' && s[i+1] != ']' {
			if s[i+1] == '[' {
				return class, 0, false
			}
			hi, n = bracketRune(s[i+1:])
			i += 1 + n
		}
		class.ranges = append(class.ranges, [2]rune{lo, hi})
	}
	return class, 0, true
}

// bracketRune is the next character between brackets, \ taken off.
func bracketRune(s string) (rune, int) {
	if s[0] == '\\' && len(s) > 1 {
		r, n := utf8.DecodeRuneInString(s[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(s)
}

func (c *globClass) has(r rune) bool {
	for _, x := range c.ranges {
		if x[0] <= r && r <= x[1] {
			return !c.not
		}
	}
	for i := range namedClasses {
		if n := &namedClasses[i]; slices.Contains(c.named, n.name) && n.has(r) {
			return !c.not
		}
	}
	return c.not
}

// namedClasses are the classes like [:digit:].
var namedClasses = [...]struct {
	name string
	has  func(rune) bool
}{
	{"alpha", unicode.IsLetter},
	{"digit", func(r rune) bool { return r >= '0' && r <= '9' }},
	{"alnum", func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }},
	{"upper", unicode.IsUpper},
	{"lower", unicode.IsLower},
	{"space", unicode.IsSpace},
	{"blank", func(r rune) bool { return r == ' ' || r == '\t' }},
	{"punct", func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }},
	{"print", unicode.IsPrint},
	{"graph", func(r rune) bool { return unicode.IsGraphic(r) && !unicode.IsSpace(r) }},
	{"cntrl", unicode.IsControl},
	{"xdigit", func(r rune) bool { return strings.ContainsRune("0123456789abcdefABCDEF", r) }},
	{"word", func(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }},
}

// StaticDir returns the part of a pattern before its first wildcard, down to
// the last whole folder, "" when it names none.
func StaticDir(pattern string) string {
	if i := strings.IndexAny(pattern, "*?[{"); i >= 0 {
		pattern = pattern[:i]
		return pattern[:strings.LastIndexByte(pattern, '/')+1]
	}
	return pattern
}

package grammar

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// FoldPath brings a path to the form in which deny and ask compare it: one
// normal form, no case, no characters that file systems ignore.
func FoldPath(s string) string {
	if ASCII(s) {
		return strings.ToLower(s)
	}
	if utf8.ValidString(s) {
		s = norm.NFD.String(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := NextRune(s[i:])
		i += n
		if long := Unfolded(r); long != "" {
			b.WriteString(long)
		} else if !Ignorable(r) {
			PutRune(&b, FoldRune(r))
		}
	}
	return b.String()
}

// Unfolded returns the ASCII letters that a character equals where case is
// folded in full (Unicode's CaseFolding.txt, status F), as APFS and ext4 do; ""
// for every other character.
func Unfolded(r rune) string {
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

// Ignorable reports whether a character is invisible and no part of a name to
// some file system: format characters, joiners and variation selectors.
func Ignorable(r rune) bool {
	return unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) || r == 0x034F
}

// Fold takes the case off a text.
func Fold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		r, n := NextRune(s[i:])
		i += n
		PutRune(&b, FoldRune(r))
	}
	return b.String()
}

// FoldRune maps all characters that differ only in case to one of them.
func FoldRune(r rune) rune {
	if r < utf8.RuneSelf {
		if r >= 'A' && r <= 'Z' {
			r += 'a' - 'A'
		}
		return r
	}
	low := r
	for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
		low = min(low, f)
	}
	return unicode.ToLower(low)
}

// ASCII reports whether a text is ASCII alone.
func ASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

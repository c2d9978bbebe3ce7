package crosscheck

import (
	"unicode"
	"unicode/utf8"
)

// Deceptive reports whether a text holds a character that Analyze doubts: a
// control, or one that a reader does not see or that turns the direction.
func Deceptive(s string) bool {
	_, n, _ := Unseen(s)
	return n > 0
}

// Unseen finds the first such character: where it is, how long it is, 0
// when there is none, and whether it is a control.
func Unseen(src string) (at, size int, control bool) {
	var before rune
	for i := 0; i < len(src); {
		if b := src[i]; ' ' <= b && b < 0x7f {
			before = rune(b)
			i++
			continue
		}
		r, n := rune(src[i]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(src[i:])
		}
		switch {
		case r < ' ' && r != '\t' && r != '\n', r == 0x7f, r >= 0x80 && r < 0xa0:
			return i, n, true
		case r >= utf8.RuneSelf && invisible(r, before, src[i+n:]):
			return i, n, false
		}
		before = r
		i += n
	}
	return 0, 0, false
}

// invisible reports whether a reader would not see the character. The emoji
// presentation selector after a symbol is seen.
func invisible(r, before rune, rest string) bool {
	switch {
	case unicode.Is(unicode.Cf, r), r == 0x2028, r == 0x2029:
		return true
	case r == 0xfe0f:
		next, _ := utf8.DecodeRuneInString(rest)
		return before < 0x203c && before != 0xa9 && before != 0xae && next != 0x20e3
	case unicode.Is(unicode.Variation_Selector, r):
		return true
	case unicode.Is(unicode.Other_Default_Ignorable_Code_Point, r), r == 0x2800: // joiners and fillers without a shape
		return true
	}
	return false
}

package hookio

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Escape makes every character of s visible: control, zero-width, bidirectional,
// private and unassigned characters, blanks other than the ASCII space, and
// bytes that are not UTF-8 become \n, \t, \r, \u200b, \U000e0001 or \xff. A
// backslash stays as it is, so that Escape of its own output changes nothing.
// The result has no line break and is valid UTF-8.
func Escape(s string) string {
	if visibleASCII(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case unicode.IsPrint(r) && !blankLooking(r):
			b.WriteRune(r)
		case r > 0xFFFF:
			fmt.Fprintf(&b, `\U%08x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

func visibleASCII(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return false
		}
	}
	return true
}

// blankLooking reports marks, letters and symbols that show nothing, though
// Unicode counts them as graphic: variation selectors, fillers, the empty
// Braille pattern.
func blankLooking(r rune) bool {
	switch r {
	case 0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0:
		return true
	}
	return unicode.Is(unicode.Variation_Selector, r)
}

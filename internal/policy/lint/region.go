package lint

import (
	"strings"
	"unicode/utf8"
)

// A Region is part of a text; lines and columns start at 1, columns count
// characters and EndCol is the one after the last.
type Region struct{ Line, Col, EndLine, EndCol int }

// Difference returns the one part of old that differs from now, and what is
// there now.
func Difference(old, now string) (Region, string) {
	start := commonPrefix(old, now)
	same := commonSuffix(old[start:], now[start:])
	end, nowEnd := len(old)-same, len(now)-same
	for start > 0 && start < len(old) && !utf8.RuneStart(old[start]) {
		start--
	}
	for end < len(old) && !utf8.RuneStart(old[end]) {
		end, nowEnd = end+1, nowEnd+1
	}
	line, col := lineCol(old, start)
	endLine, endCol := lineCol(old, end)
	return Region{line, col, endLine, endCol}, now[start:nowEnd]
}

// commonPrefix is how many bytes two texts begin with alike.
func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix is how many bytes two texts end with alike.
func commonSuffix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func lineCol(text string, at int) (line, col int) {
	bol := strings.LastIndexByte(text[:at], '\n') + 1
	return 1 + strings.Count(text[:at], "\n"), 1 + utf8.RuneCountInString(text[bol:at])
}

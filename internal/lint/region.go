package lint

import (
	"strings"
	"unicode/utf8"
)

// A Region is part of a text; lines and columns start at 1, columns count
// characters and EndCol is the one behind the last.
type Region struct{ Line, Col, EndLine, EndCol int }

// Difference returns the one part of old that differs from now, and what
// stands there now.
func Difference(old, now string) (Region, string) {
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	end, nowEnd := len(old), len(now)
	for end > start && nowEnd > start && old[end-1] == now[nowEnd-1] {
		end, nowEnd = end-1, nowEnd-1
	}
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

func lineCol(text string, at int) (line, col int) {
	bol := strings.LastIndexByte(text[:at], '\n') + 1
	return 1 + strings.Count(text[:at], "\n"), 1 + utf8.RuneCountInString(text[bol:at])
}

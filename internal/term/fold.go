package term

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Fold breaks one line between words so that it takes at most columns, and
// indents what follows by hang. A word that is too long is not broken, colours
// take no room, and 0 columns break nothing.
func Fold(line string, hang, columns int) string {
	if columns <= 0 || len(line) <= columns {
		return line
	}
	line = strings.TrimRight(line, " ")
	if hang > columns/2 {
		hang = min(indent(line)+4, columns/2)
	}
	var b strings.Builder
	col, rest := 0, line
	for first := true; rest != ""; first = false {
		blanks := indent(rest)
		end := len(rest)
		if i := strings.IndexByte(rest[blanks:], ' '); i >= 0 {
			end = blanks + i
		}
		word := rest[blanks:end]
		n := Columns(word)
		if !first && col+blanks > hang && col+blanks+n > columns && word != "" {
			b.WriteString("\n" + strings.Repeat(" ", hang))
			col = hang
		} else {
			b.WriteString(rest[:blanks])
			col += blanks
		}
		b.WriteString(word)
		col += n
		rest = rest[end:]
	}
	return b.String()
}

// Hang is where the text of a line begins, which what does not fit is printed
// below: behind the last gap of two blanks in the first half of the columns,
// else behind a mark such as "- ", else near where the line begins.
func Hang(line string, columns int) int {
	hang, col := indent(line), indent(line)
	switch rest := line[hang:]; {
	case len(rest) > 2 && rest[1] == ' ' && strings.IndexByte("-+!*>", rest[0]) >= 0:
		hang += 2
	case hang == 0:
		hang = 2
	}
	for rest := line[col:]; rest != ""; {
		i := strings.Index(rest, "  ")
		if i < 0 {
			break
		}
		gap := indent(rest[i:])
		col += Columns(rest[:i]) + gap
		if rest[i+gap:] == "" {
			break
		}
		if col > columns/2 {
			return max(hang, indent(line)+4)
		}
		hang, rest = col, rest[i+gap:]
	}
	return hang
}

// indent is the number of blanks a text begins with.
func indent(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// Columns is how many columns a text takes on a terminal: two for wide
// characters, none for marks that go onto another one and for colours.
func Columns(s string) int {
	n := 0
	for s != "" {
		if strings.HasPrefix(s, "\x1b[") {
			if i := strings.IndexByte(s, 'm'); i > 0 {
				s = s[i+1:]
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(s)
		n += columnsOf(r)
		s = s[size:]
	}
	return n
}

func columnsOf(r rune) int {
	if r < 0x300 {
		return 1
	}
	if unicode.In(r, unicode.Mn, unicode.Me) {
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

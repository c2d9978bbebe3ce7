package lint

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"permgate/hookio"
)

// line returns line n of a file, without its end.
func (f *File) line(n int) string {
	text := strings.TrimPrefix(f.Text, "\ufeff")
	for ; n > 1; n-- {
		_, rest, found := strings.Cut(text, "\n")
		if !found {
			return ""
		}
		text = rest
	}
	text, _, _ = strings.Cut(text, "\n")
	return strings.TrimSuffix(text, "\r")
}

// marked returns the text a finding is about, "" for a whole file.
func (f *Finding) marked() string {
	if f.Pos.Line == 0 {
		return ""
	}
	line := []rune(f.File.line(f.Pos.Line))
	start := min(f.Pos.Col-1, len(line))
	return string(line[start:max(start, min(f.End-1, len(line)))])
}

// A cell is one character as it is printed.
type cell struct {
	text  string
	width int
}

// Source returns the line a finding is about and a line of carets for below
// it, cut to so many columns; "" for a whole file. Tabs are blanks, and what a
// terminal would not show is escaped.
func (f *Finding) Source(columns int) (line, carets string) {
	if f.Pos.Line == 0 || f.File.Text == "" {
		return "", ""
	}
	cells := cellsOf(f.File.line(f.Pos.Line))
	start := min(f.Pos.Col-1, len(cells))
	end := max(start+1, f.End-1)
	cells = append(cells, cell{"", 1}) // room for a caret behind the end
	end = min(end, len(cells))
	from, to := window(cells, start, end, columns)
	var b, c strings.Builder
	put := func(x cell, marked bool) {
		b.WriteString(x.text)
		mark := " "
		if marked {
			mark = "^"
		}
		c.WriteString(strings.Repeat(mark, x.width))
	}
	if from > 0 {
		put(cell{"…", 1}, false)
	}
	for i := from; i < to; i++ {
		put(cells[i], i >= start && i < end)
	}
	if to < len(cells)-1 {
		b.WriteString("…")
	}
	return strings.TrimRight(b.String(), " "), strings.TrimRight(c.String(), " ")
}

// cellsOf takes a line apart into what is printed for each character.
func cellsOf(line string) []cell {
	var cells []cell
	col := 0
	for i, r := range line {
		x := cell{hookio.Escape(line[i : i+runeLen(line[i:])]), 0}
		if r == '\t' {
			x = cell{strings.Repeat(" ", 4-col%4), 4 - col%4}
		} else {
			for _, p := range x.text {
				x.width += runeWidth(p)
			}
		}
		col += x.width
		cells = append(cells, x)
	}
	return cells
}

// runeLen is the length of the first character; a byte that is no UTF-8 is one.
func runeLen(s string) int {
	for i := range s {
		if i > 0 {
			return i
		}
	}
	return len(s)
}

// runeWidth is the columns a terminal gives a character.
func runeWidth(r rune) int {
	switch {
	case unicode.Is(unicode.Mn, r), unicode.Is(unicode.Me, r):
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// window says which cells fit, those from start on before all others.
func window(cells []cell, start, end, columns int) (from, to int) {
	total := 0
	for _, c := range cells {
		total += c.width
	}
	if total <= columns {
		return 0, len(cells)
	}
	room := columns - 2
	from, to = start, start
	for to < len(cells) && room >= cells[to].width && to < end {
		room -= cells[to].width
		to++
	}
	for half := room / 2; from > 0 && half >= cells[from-1].width; {
		from--
		half, room = half-cells[from].width, room-cells[from].width
	}
	for to < len(cells) && room >= cells[to].width {
		room -= cells[to].width
		to++
	}
	return from, to
}

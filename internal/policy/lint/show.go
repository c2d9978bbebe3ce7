package lint

import (
	"strings"
	"unicode"

	"golang.org/x/text/width"

	"github.com/permgate--owner/permgate/hookio"
)

// A row is one line of a file, without its end, and how it is printed. Many findings
// may be in one long line.
type row struct {
	n     int
	runes []rune
	cells []cell // with one more, of no text, behind the end
	width int    // of all cells
}

// row returns line n of a file.
func (f *File) row(n int) *row {
	if f.shown.n != n {
		line := strings.TrimSuffix(strings.TrimSuffix(f.table().Line(n), "\n"), "\r")
		f.shown = row{n: n, runes: []rune(line)}
	}
	return &f.shown
}

// printed returns line n of a file with its cells.
func (f *File) printed(n int) *row {
	r := f.row(n)
	if r.cells == nil {
		r.cells = append(cellsOf(string(r.runes)), cell{"", 1})
		for _, c := range r.cells {
			r.width += c.width
		}
	}
	return r
}

// marked returns the text a finding is about, "" for a whole file.
func (f *Finding) marked() string {
	if f.Pos.Line == 0 {
		return ""
	}
	line := f.File.row(f.Pos.Line).runes
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
	row := f.File.printed(f.Pos.Line)
	cells := row.cells
	start := min(f.Pos.Col-1, len(cells)-1)
	end := min(max(start+1, f.End-1), len(cells)) // a caret may be behind the end
	from, to := 0, len(cells)
	if row.width > columns {
		from, to = window(cells, start, end, columns)
	}
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

// window says which of too many cells fit, those from start on before all others.
func window(cells []cell, start, end, columns int) (from, to int) {
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

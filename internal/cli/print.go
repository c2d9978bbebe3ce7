package cli

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"permgate/hookio"
	"permgate/internal/term"
)

// wrapped prints text with an indentation, broken between words where a
// terminal ends.
func (e *env) wrapped(indent, text string) {
	fmt.Fprint(e.out, wrap(indent, strings.Repeat(" ", len(indent)), hookio.Escape(text), e.width(0)))
}

// width is the columns text may take after the first col ones; 0 where nothing
// needs breaking.
func (e *env) width(col int) int {
	if !term.Is(e.out) {
		return 0
	}
	return max(term.Width(e.out)-col, 40)
}

// wrap breaks text between words; width 0 never breaks.
func wrap(first, indent, text string, width int) string {
	var b strings.Builder
	b.WriteString(first)
	col := utf8.RuneCountInString(first)
	for i, w := range strings.Split(text, " ") {
		n := utf8.RuneCountInString(w)
		switch {
		case i == 0:
		case width > 0 && col+1+n > width:
			b.WriteString("\n" + indent)
			col = len(indent)
		default:
			b.WriteByte(' ')
			col++
		}
		b.WriteString(w)
		col += n
	}
	b.WriteByte('\n')
	return b.String()
}

func (e *env) heading(text string) { fmt.Fprintf(e.out, "\n%s\n", text) }

// columns prints text beside a line that already takes col columns.
func (e *env) columns(line string, col int, text string) {
	pad := strings.Repeat(" ", col)
	rest := wrap("", pad, hookio.Escape(text), e.width(col))
	fmt.Fprint(e.out, line+rest)
}

// pairs prints names and values in two columns.
func (e *env) pairs(list [][2]string) {
	wide := 0
	for _, l := range list {
		wide = max(wide, len(l[0]))
	}
	for _, l := range list {
		e.columns(fmt.Sprintf("%-*s  ", wide, l[0]), wide+2, l[1])
	}
}

// table prints rows in columns; the last one is not padded. A cell that is too
// wide does not widen its column.
func (e *env) table(indent string, rows [][]string) {
	const most = 48
	var wide []int
	for _, row := range rows {
		for i, cell := range row[:len(row)-1] {
			if i == len(wide) {
				wide = append(wide, 0)
			}
			if n := len([]rune(cell)); n <= most {
				wide[i] = max(wide[i], n)
			}
		}
	}
	for _, row := range rows {
		var b strings.Builder
		b.WriteString(indent)
		for i, cell := range row[:len(row)-1] {
			b.WriteString(cell)
			b.WriteString(strings.Repeat(" ", max(wide[i]-len([]rune(cell)), 0)+2))
		}
		b.WriteString(row[len(row)-1])
		fmt.Fprintln(e.out, strings.TrimRight(b.String(), " "))
	}
}

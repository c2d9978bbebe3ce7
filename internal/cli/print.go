package cli

import (
	"fmt"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/term"
)

// wrapped prints text with an indentation, broken between words where a
// terminal ends.
func (e *env) wrapped(indent, text string) {
	e.columns(indent, len(indent), text)
}

// width is the columns a line may take; 0 where nothing needs breaking.
func (e *env) width() int {
	if o, ok := e.out.(*output); ok {
		return o.columns
	}
	return 0
}

// prose prints paragraphs; their lines are filled anew where the terminal is
// narrower than they are written.
func (e *env) prose(text string) {
	wide := 0
	for line := range strings.Lines(text) {
		wide = max(wide, term.Columns(strings.TrimSuffix(line, "\n")))
	}
	if width := e.width(); width == 0 || wide <= width {
		fmt.Fprint(e.out, text)
		return
	}
	var paragraph []string
	end := func() {
		if len(paragraph) > 0 {
			fmt.Fprintln(e.out, term.Fold(strings.Join(paragraph, " "), 0, e.width()))
		}
		paragraph = nil
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSuffix(line, "\n")
		if line != "" && line[0] != ' ' && !strings.Contains(line, "  ") { // neither a list nor a table
			paragraph = append(paragraph, line)
			continue
		}
		end()
		fmt.Fprintln(e.out, line)
	}
	end()
}

// wrap is a line of text behind first, in a width of its own.
func wrap(first, text string, columns int) string {
	return term.Fold(first+text, len(first), columns) + "\n"
}

func (e *env) heading(text string) { fmt.Fprintf(e.out, "\n%s\n", text) }

// columns prints text after a line that already takes col columns.
func (e *env) columns(line string, col int, text string) {
	fmt.Fprintln(e.out, term.Fold(line+hookio.Escape(text), col, e.width()))
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

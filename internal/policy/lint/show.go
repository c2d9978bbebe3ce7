package lint

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"golang.org/x/text/width"
)

// A row is one line of a file and how it is printed. A long line may have many findings.
type row struct {
	n     int
	runes []rune
	cells []cell // with one more, of no text, after the end
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

// A cell is one character as it is printed.
type cell struct {
	text  string
	width int
}

// Source returns a finding's line and a line of carets, cut to so many columns,
// or "" for a whole file, with tabs as blanks and other controls escaped.
func (f *Finding) Source(columns int) (line, carets string) {
	if f.Pos.Line == 0 || f.File.Text == "" {
		return "", ""
	}
	row := f.File.printed(f.Pos.Line)
	cells := row.cells
	start := min(f.Pos.Col-1, len(cells)-1)
	end := min(max(start+1, f.End-1), len(cells)) // a caret may be after the end
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
		_, n := utf8.DecodeRuneInString(line[i:])
		x := cell{hookio.Escape(line[i : i+n]), 0}
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

// An Edit changes one string in a list of a settings file, never to a laxer
// decision: idle rules go, restrictions get wider or another one.
type Edit struct {
	Keys []string // where the list is: "permissions", "deny"
	Old  string   // the string as it is written there
	New  string   // what is to replace it; "" to take it out
	Add  bool     // New is added to Old
	Nth  int      // which of several that are Old, from 0
}

// Apply makes the change. A string that is gone is no error.
func (e *Edit) Apply(doc *edit.Doc) error {
	v := &doc.Root
	for _, key := range e.Keys {
		v = edit.Member(v, key)
	}
	list, n := edit.Elements(v), 0
	for i := range list {
		if edit.Text(&list[i]) != e.Old {
			continue
		}
		if n++; n <= e.Nth {
			continue
		}
		switch {
		case e.New == "":
			return doc.RemoveElement(v, i)
		case e.Add:
			return doc.AddElement(v, edit.Quote(e.New))
		}
		return doc.SetElement(v, i, edit.Quote(e.New))
	}
	return nil
}

// Fix returns the text of a file after the edits of the findings in it.
func Fix(f *File, found []Finding) (string, error) {
	if f.Doc == nil {
		return f.Text, nil
	}
	doc, err := edit.Parse(f.Name, []byte(f.Text))
	if err != nil {
		return "", err
	}
	changed := false
	for i := len(found) - 1; i >= 0; i-- { // the last first, so that Nth stays what it was
		if e := found[i].Edit; e != nil && found[i].File == f {
			if err := e.Apply(doc); err != nil {
				return "", err
			}
			changed = true
		}
	}
	if !changed {
		return f.Text, nil
	}
	return string(doc.Bytes()), nil
}

// rounds is how often a mended text is looked at again: a mended rule may repeat another.
const rounds = 5

// FixAll returns in as it is when all that can be mended is; keep says which findings are.
func FixAll(in *Input, keep func(*Finding) bool) (*Input, error) {
	for range rounds {
		var found []Finding
		for _, f := range Run(in) {
			if f.Edit != nil && keep(&f) {
				found = append(found, f)
			}
		}
		next := in
		for _, f := range in.Files {
			text, err := Fix(f, found)
			if err != nil {
				return nil, err
			}
			if text != f.Text {
				next = next.With(f.Path, text)
			}
		}
		if next == in {
			break
		}
		in = next
	}
	return in, nil
}

// A Region is a part of a text, in lines and characters from 1; EndCol is the one after the last.
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

// A spot is where a rule of a list is written.
type spot struct {
	pos  rules.Pos
	list rules.List
}

func spotOf(r *rules.Rule) spot { return spot{r.Pos, r.List} }

// spots find rules by where they are written.
type spots struct {
	inFile   map[rules.Pos]*Rule
	same     map[wording]int      // how many there are of a wording
	inPolicy map[spot]*rules.Rule // see counted; nil until it is asked for
	stricter []*rules.Index       // see covered
}

// A wording is a text in a list of a file.
type wording struct {
	file *File
	list rules.List
	text string
}

// note files a rule that was just read.
func (s *spots) note(r *Rule) {
	if s.inFile == nil {
		s.inFile, s.same = map[rules.Pos]*Rule{}, map[wording]int{}
	}
	s.inFile[r.Pos] = r
	w := wording{r.File, r.List, r.Text}
	r.Nth = s.same[w]
	s.same[w]++
}

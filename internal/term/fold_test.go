package term

import (
	"strings"
	"testing"
)

func TestFold(t *testing.T) {
	for _, c := range [...]struct {
		line          string
		hang, columns int
		want          string
	}{
		{"one two three four", 2, 0, "one two three four"},
		{"one two three four", 2, 9, "one two\n  three\n  four"},
		{"  1  deny  no opinion about it", 11, 24, "  1  deny  no opinion\n           about it"},
		{"  1  deny  averyverylongwordthatisnotbroken", 11, 24, "  1  deny  averyverylongwordthatisnotbroken"},
		{"see /a/very/long/path/that/is/not/broken here", 2, 20, "see\n  /a/very/long/path/that/is/not/broken\n  here"},
		{"a 漢字漢字 b", 0, 10, "a 漢字漢字\nb"},
		{"a \x1b[31mred\x1b[0m word", 0, 10, "a \x1b[31mred\x1b[0m word"},
		{"column far to the right of it", 28, 20, "column far to the\n    right of it"},
	} {
		if got := Fold(c.line, c.hang, c.columns); got != c.want {
			t.Errorf("Fold(%q, %d, %d) = %q, want %q", c.line, c.hang, c.columns, got, c.want)
		}
	}
}

// FuzzFold: nothing but blanks is lost, no line is too wide that could be
// broken, and what was folded once stays as it is.
func FuzzFold(f *testing.F) {
	f.Add("  a b  c d e f g h", 4, 10)
	f.Add("漢字 \x1b[2mx\x1b[0m é́", 0, 5)
	f.Fuzz(func(t *testing.T, line string, hang, columns int) {
		if strings.ContainsAny(line, "\n\t\r") || hang < 0 || hang > 200 || columns > 200 || columns < 2 {
			t.Skip()
		}
		got := Fold(line, hang, columns)
		if a, b := strings.Fields(got), strings.Fields(line); strings.Join(a, " ") != strings.Join(b, " ") {
			t.Fatalf("%q became %q", line, got)
		}
		for i, l := range strings.Split(got, "\n") {
			text := strings.TrimRight(strings.TrimLeft(l, " "), " ")
			if Columns(l) > columns && i > 0 && strings.Contains(text, " ") {
				t.Errorf("%q of %q could be broken", l, got)
			}
		}
	})
}

func TestHang(t *testing.T) {
	for line, want := range map[string]int{
		"  1  deny      -     no opinion": 21,
		"- a list":                        2,
		"  - a list":                      4,
		"plain words of a line":           2,
		"    words in a block":            4,
		"deny  Bash \"rm -rf x\"  (step 2: check recursive-remove)":     23,
		"a name that is far too long for a first column of it  and why": 4,
	} {
		if got := Hang(line, 60); got != want {
			t.Errorf("Hang(%q) = %d, want %d", line, got, want)
		}
	}
}

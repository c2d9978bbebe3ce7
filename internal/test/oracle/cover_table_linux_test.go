package oracle

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestCovers holds the comparison itself: what a word of the analysis covers, and what it must not hide.
func TestCovers(t *testing.T) {
	const hole = bashsafety.HoleMark
	known := func(s string) bashsafety.Word { return bashsafety.Word{Text: s, Known: true, Single: true} }
	one := func(s string) bashsafety.Word { return bashsafety.Word{Text: s, Single: true} }
	many := func(s string) bashsafety.Word { return bashsafety.Word{Text: s} }
	glob := func(s string) bashsafety.Word { return bashsafety.Word{Text: s, Glob: true} }
	for _, tt := range []struct {
		words []bashsafety.Word
		argv  []string
		want  bool
	}{
		{[]bashsafety.Word{known("a"), known("b")}, []string{"a", "b"}, true},
		{[]bashsafety.Word{known("a"), known("b")}, []string{"a"}, false},
		{[]bashsafety.Word{known("a")}, []string{"a", "b"}, false},
		{[]bashsafety.Word{known("a"), one(hole)}, []string{"a", ""}, true},
		{[]bashsafety.Word{known("a"), one(hole)}, []string{"a"}, false},
		{[]bashsafety.Word{known("a"), one(hole)}, []string{"a", "b", "c"}, false},
		{[]bashsafety.Word{known("a"), one("b" + hole + "c")}, []string{"a", "b1c"}, true},
		{[]bashsafety.Word{known("a"), one("b" + hole + "c")}, []string{"a", "b1d"}, false},
		{[]bashsafety.Word{known("a"), one("bc" + hole + "cb")}, []string{"a", "bcb"}, false},
		{[]bashsafety.Word{known("a"), {Text: hole, Single: true, Number: true}}, []string{"a", "-12"}, true},
		{[]bashsafety.Word{known("a"), {Text: hole, Single: true, Number: true}}, []string{"a", "x"}, false},
		{[]bashsafety.Word{known("a"), many(hole), known("z")}, []string{"a", "z"}, true},
		{[]bashsafety.Word{known("a"), many(hole), known("z")}, []string{"a", "b", "c", "z"}, true},
		{[]bashsafety.Word{known("a"), many(hole), known("z")}, []string{"a", "b"}, false},
		{[]bashsafety.Word{known("a"), many("b" + hole)}, []string{"a"}, false},
		{[]bashsafety.Word{known("a"), many("b" + hole)}, []string{"a", "b1", "2"}, true},
		{[]bashsafety.Word{known("a"), many("b" + hole)}, []string{"a", "c"}, false},
		{[]bashsafety.Word{known("a"), glob("*.go")}, []string{"a", "x.go", "y.go"}, true},
		{[]bashsafety.Word{known("a"), glob("*.go")}, []string{"a", "x.go", "-f"}, false},
		{[]bashsafety.Word{known("a"), glob("*.go")}, []string{"a", "*.go"}, true},
		{[]bashsafety.Word{known("a"), glob("*.go")}, []string{"a", "sub/x.go"}, false},
		{[]bashsafety.Word{known("a"), glob("**/*.go")}, []string{"a", "sub/x.go", "x.go"}, true},
		{[]bashsafety.Word{known("a"), glob(`\**`)}, []string{"a", "*b"}, true},
		{[]bashsafety.Word{known("a"), glob(`\**`)}, []string{"a", "b"}, false},
		{[]bashsafety.Word{known("a"), glob("[]x]")}, []string{"a", "x"}, true},
		{[]bashsafety.Word{known("a"), glob("[x")}, []string{"a", "x"}, false},
	} {
		if got := covers(tt.words, tt.argv); got != tt.want {
			t.Errorf("%+v, %q: %v", tt.words, tt.argv, got)
		}
	}
}

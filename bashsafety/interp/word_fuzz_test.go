package interp_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// FuzzWords reads words as arguments of a command: known words hold no hole and are one argument, unknown ones say
// where the hole is, the answer is the same twice, and what is known is read back from a quoted spelling of it.
func FuzzWords(f *testing.F) {
	for _, piece := range []string{
		"a", `\a`, `'a b'`, `"a  b"`, `"\$x"`, `$'\x41\n'`, `$"a"`, "{a,{b,c}}", "{1..3}", "{a..e..2}", "~", "~/x", "a=~/x:~", "$v", `"${v}x"`, "$w",
		`"${l[@]}"`, "$(a)", "`a`", "$((1+1))", "*", "[a-c]?", "@(a|b)", "<(a)", "${v#a}", "${v:-b c}", "${#v}", "$?", "$1", `"$@"`, "a\\\nb", "\u00a0", "'\xff'",
	} {
		f.Add(piece)
		f.Add("x" + piece + "y " + piece)
	}
	f.Fuzz(func(t *testing.T, word string) {
		text := "v=abc; w='a  b '; l=(x 'y z' ''); git " + word
		s := bashsafety.Analyze(text, testEnv())
		if hasDoubt(s, "internal-error") {
			t.Fatalf("%q: the analysis failed", word)
		}
		if !reflect.DeepEqual(s.Subcommands, bashsafety.Analyze(text, testEnv()).Subcommands) {
			t.Errorf("%q: two answers", word)
		}
		for i := range s.Subcommands {
			sub := &s.Subcommands[i]
			for j := range sub.Argv {
				checkWord(t, word, &sub.Argv[j])
			}
			if !sub.Structural && !slices.ContainsFunc(sub.Argv, func(w shell.Word) bool { return !w.Known }) {
				readBack(t, sub.Argv)
			}
		}
	})
}

func checkWord(t *testing.T, text string, w *shell.Word) {
	t.Helper()
	hole := strings.Contains(w.Text, shell.HoleMark)
	switch {
	case w.Known && (hole || w.Glob || !w.Single):
		t.Errorf("%q: known, and %+v", text, *w)
	case !w.Known && !hole && !w.Glob:
		t.Errorf("%q: unknown, and no place is: %+v", text, *w)
	case !w.Known && !strings.HasPrefix(w.Text, shell.LiteralPrefix(w)) && !w.Glob:
		t.Errorf("%q: starts with %q and does not: %+v", text, shell.LiteralPrefix(w), *w)
	}
}

// readBack quotes an argv and reads it again.
func readBack(t *testing.T, argv []shell.Word) {
	t.Helper()
	text := "git"
	for _, w := range argv[1:] {
		text += " " + quote(w.Text)
	}
	s := bashsafety.Analyze(text, testEnv())
	if hasDoubt(s, "control-character") || hasDoubt(s, "too-long") || len(s.Subcommands) == 0 {
		return // a carriage return, or a NUL, is not what it was
	}
	got := s.Subcommands[0].Argv
	if len(got) != len(argv) {
		t.Errorf("%q: %d words, want %d", text, len(got), len(argv))
		return
	}
	for i := 1; i < len(argv); i++ {
		if !got[i].Known || got[i].Text != argv[i].Text {
			t.Errorf("%q: word %d is %+v, want %q", text, i, got[i], argv[i].Text)
		}
	}
}

func quote(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

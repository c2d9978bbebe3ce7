package grammar

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestMatchLong: searching and stepping through a text say the same.
func TestMatchLong(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	word := func(n int, letters string) string {
		b := make([]byte, rnd.IntN(n))
		for i := range b {
			b[i] = letters[rnd.IntN(len(letters))]
		}
		return string(b)
	}
	yes := 0
	for range 200000 {
		g, text := Compile(word(9, "ab*: ")), word(14, "ab: ")
		if rnd.IntN(2) == 0 {
			g.Tail = ' '
		}
		got, ok := g.matchLong(text)
		if want := g.Match(text); ok && got != want {
			t.Fatalf("%q tail %q, %q: %v, want %v", string(g.El), g.Tail, text, got, want)
		} else if ok && want {
			yes++
		}
	}
	if yes < 1000 {
		t.Errorf("%d matches", yes)
	}
}

// The two matchers of paths, doublestar and the one for patterns, agree on
// patterns and paths made of few characters.
func TestPathMatchersAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pick := func(from []string, max int) string {
		var segs []string
		for n := 1 + r.IntN(max); n > 0; n-- {
			segs = append(segs, from[r.IntN(len(from))])
		}
		return strings.Join(segs, "/")
	}
	patterns := []string{"**", "*", "a", "a*", "*b", "?", "a?", "*a*", "ab", "**"}
	names := []string{"a", "b", "ab", "abb", "ba"}
	for range 50000 {
		pattern, name := pick(patterns, 5), pick(names, 5)
		s := Spec{Dir: "/", Segs: strings.Split(pattern, "/")}
		want := Contains(RuleSegments(&s), ShellSegments("/"+name))
		s.Prepare(false)
		if got := s.Matches("/"+name, false, false); got != want {
			t.Fatalf("%q: %q: doublestar %v, own %v", pattern, name, got, want)
		}
	}
}

// TestPlainWords takes the words apart that need not be.
func TestPlainWords(t *testing.T) {
	const letters = "aZ0_-./  \t*?:~#'é"
	plain := 0
	for seed := range 200_000 {
		text := ""
		for n := seed; n > 0; n /= len(letters) {
			text += letters[n%len(letters) : n%len(letters)+1]
		}
		if !plainWords(text) {
			continue
		}
		plain++
		words, ok := lexWords(text, "/home/ann", true)
		literal := compileLiteral(text)
		if !ok || !slices.Equal(joinWords(words), literal) || !slices.Equal(joinPlain(words), literal) {
			t.Errorf("%q is not itself", text)
		}
	}
	for _, text := range [...]string{"", " ", " a", "a ", "a  b", "a\tb", "a*", "~", "é"} {
		if plainWords(text) {
			t.Errorf("%q is taken for plain words", text)
		}
	}
	if plain < 1000 {
		t.Errorf("%d texts were plain", plain)
	}
}

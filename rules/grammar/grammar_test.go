package grammar

import (
	"math/rand/v2"
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

package gitindex

import (
	"math/rand/v2"
	"testing"

	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/grammar"
)

// TestApart: what is plain to differ is nowhere the same, however names are compared.
func TestApart(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "A", "b", "s", "ss", "ß", "/", "é", "e", "e\u0301", "\u200b", "k", "\u212a", "\xff"}
	name := func() (out string) {
		for range rnd.IntN(5) {
			out += parts[rnd.IntN(len(parts))]
		}
		return out
	}
	differ, meet := 0, 0
	for range 100_000 {
		a, b := name(), name()
		fa, fb := grammar.FoldPath(a), grammar.FoldPath(b)
		near := rules.Within(fa, fb) || rules.Within(fb, fa)
		switch {
		case near && apart([]byte(a), b):
			t.Fatalf("%q and %q are told apart", a, b)
		case near:
			meet++
		case apart([]byte(a), b):
			differ++
		}
	}
	if differ < 10_000 || meet < 1000 {
		t.Errorf("%d differ, %d meet", differ, meet)
	}
}

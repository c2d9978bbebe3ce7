package world

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/rules/grammar"
)

// TestFoldsToItself: no name is taken for folded that FoldPath changes.
func TestFoldsToItself(t *testing.T) {
	const letters = "ab./ :~Aé"
	names, same := []string{""}, 0
	for range 5 {
		for _, name := range names {
			for _, r := range letters {
				if len(name) < 5 {
					names = append(names, name+string(r))
				}
			}
		}
		if len(names) > 20_000 {
			break
		}
	}
	for _, name := range names {
		parts := strings.Split(grammar.FoldPath(name), "/")
		for i, p := range parts {
			parts[i] = cutComponent(p)
		}
		if want := strings.Join(parts, "/"); FoldPath(name) != want {
			t.Errorf("%q folds to %q, want %q", name, FoldPath(name), want)
		} else if want == name {
			same++
		}
	}
	if same < len(names)/20 {
		t.Errorf("only %d of %d fold to themselves", same, len(names))
	}
}

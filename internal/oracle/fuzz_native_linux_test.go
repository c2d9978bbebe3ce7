package oracle

import (
	"strings"
	"testing"
)

// FuzzOracle holds the analysis against bash on the texts of Go's fuzzing engine.
func FuzzOracle(f *testing.F) {
	for _, s := range seeds(f) {
		f.Add(s)
	}
	w := newWorker(f, "bash", Build(f), 0, 1, nil)
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > maxSeed || strings.Contains(text, between) {
			return
		}
		if _, _, m := w.look(text); m.found() {
			small, what := w.shrunken(text)
			t.Errorf("missed: %q%s", small, what)
		}
		if w.err != nil {
			t.Fatal(w.err)
		}
	})
}

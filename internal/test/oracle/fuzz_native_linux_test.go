package oracle

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// FuzzOracle holds the analysis against bash on the texts of Go's fuzzing engine. It starts from some of
// the seeds, with PERMGATE_FULL=all from all of them.
func FuzzOracle(f *testing.F) {
	every := testenv.Every(f, 64, 8, 1)
	for i, s := range seeds(f) {
		if i%every == 0 {
			f.Add(s)
		}
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

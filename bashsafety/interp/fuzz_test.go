package interp_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/examples"
)

// FuzzAnalyze checks what must hold for every text: no panic, places inside the
// text, lists within their limits, and the same answer twice.
func FuzzAnalyze(f *testing.F) {
	for _, c := range cases {
		f.Add(c.text)
	}
	for _, e := range append(examples.Read(exampleFolder), examples.Read(stdinExamples)...) {
		f.Add(e.Cmd)
	}
	for _, c := range checks.All() {
		for _, text := range slices.Concat(checks.Examples(c.ID)) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		s := bashsafety.Analyze(text, testEnv())
		checkSpans(t, s)
		if hasDoubt(s, "internal-error") {
			t.Errorf("%q: the analysis failed", text)
		}
		if len(s.Subcommands) > shell.MaxSubcommands || len(s.Doubts) > analysis.MaxDoubts+1 {
			t.Errorf("%q: %d subcommands, %d doubts", text, len(s.Subcommands), len(s.Doubts))
		}
		if len(text) < 1000 && !reflect.DeepEqual(s.Subcommands, bashsafety.Analyze(text, testEnv()).Subcommands) {
			t.Errorf("%q: two answers", text)
		}
	})
}

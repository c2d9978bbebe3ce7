package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// FuzzPowerShell reads texts as they come: nothing panics, places lie in the text, nothing is proven to only read, and
// a command that runs text, whatever is around it, is never missed without a doubt.
func FuzzPowerShell(f *testing.F) {
	for _, c := range powershellCases {
		f.Add(c.text)
	}
	for _, c := range checks.All() {
		for _, text := range slices.Concat(checks.Examples(c.ID)) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, shell.HoleMark) {
			t.Skip("a NUL stands for a hole")
		}
		s := bashsafety.AnalyzePowerShell(text, testEnv())
		if hasDoubt(s, "internal-error") {
			t.Errorf("the analysis failed")
		}
		checkSpans(t, s)
		for i := range s.Subcommands {
			for _, e := range s.Subcommands[i].Effects {
				if s.Subcommands[i].ReadOnly && e.Kind != bashsafety.Read && e.Kind != bashsafety.GitRead && e.Kind != bashsafety.Looks {
					t.Errorf("reads only: %s", s.Subcommands[i].Argv[0].Text)
				}
			}
		}
		more := bashsafety.AnalyzePowerShell(text+"\n; iex $zz", testEnv())
		if len(more.Doubts) == 0 && len(more.Findings) == 0 && !hidden(text) {
			t.Errorf("a command behind the text is not seen")
		}
	})
}

// hidden reports whether a text may end in what makes the next line no command.
func hidden(text string) bool {
	return strings.ContainsAny(text, "'\"`#@\u2018\u2019\u201a\u201b\u201c\u201d\u201e")
}

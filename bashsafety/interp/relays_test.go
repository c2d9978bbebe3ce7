package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestLaunchersOfReaders proves a launcher together with what it runs.
func TestLaunchersOfReaders(t *testing.T) {
	for _, text := range []string{
		"find . -name '*.go' | xargs grep -l main",
		"xargs -n1 basename",
		"find . -type f -exec head -n 1 {} +",
		"fd -e go -x wc -l",
		"command cat a",
		"env NO_COLOR=1 ls",
		"trap 'echo done' EXIT; ls",
	} {
		if s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"}); !onlyReads(s) {
			for i := range s.Subcommands {
				t.Logf("%v: %s", s.Subcommands[i].Program, s.Subcommands[i].Unproven())
			}
			t.Errorf("not proven: %s", text)
		}
	}
}

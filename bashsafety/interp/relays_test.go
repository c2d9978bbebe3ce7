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

// TestParsedScripts: a shell that only parses the one file it is given runs none of it, and the
// words of several could be options that make it run.
func TestParsedScripts(t *testing.T) {
	for text, want := range map[string]bool{
		"ls *.sh | xargs -n1 bash -n":                       true,
		"find . -name '*.sh' -print0 | xargs -0 -n 1 sh -n": true,
		"ls | xargs -r --max-args=1 dash -n":                true,
		"ls *.sh | xargs bash -n":                           false,
		"ls *.sh | xargs -n2 bash -n":                       false,
		"ls *.sh | xargs -n1 -n2 bash -n":                   false,
		"ls *.sh | xargs -n1 -L2 bash -n":                   false,
		"ls *.sh | xargs -n1 bash":                          false,
		"ls *.sh | xargs -n1 bash -n +n":                    false,
		"ls *.sh | xargs -n1 bash -n -c":                    false,
		"ls *.sh | xargs -n1 bash -nc":                      false,
		"ls *.sh | xargs -n1 bash -n -i":                    false,
		"ls *.sh | xargs -n1 bash -n -o":                    false,
		"ls *.sh | xargs -n1 env -S bash -n":                false,
		"ls *.sh | xargs -n1 ./bash -n":                     false,
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
		if got := onlyReads(s) && len(s.Doubts) == 0; got != want {
			t.Errorf("%s: proven is %v, want %v; doubts %v", text, got, want, s.Doubts)
		}
	}
}

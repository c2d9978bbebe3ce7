package interp_test

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
	"github.com/permgate--owner/permgate/internal/test/oracle"
)

// findHidden lets bash run the texts under the oracle: every program it would have run must be a subcommand, unless there
// is a doubt. Where nothing is to be compared, one run tells whether there are programs.
func findHidden(t *testing.T, o *oracle.Oracle, every int) {
	env := analysis.Env{Cwd: o.Dir, Home: o.Home}
	ran := 0
	var texts []string
	for i, text := range rows(t, "testdata/eval_hidden.txt") {
		if i%every != 0 {
			continue
		}
		texts = append(texts, text)
		s, run := bashsafety.Analyze(text, env), o.RunBoth
		if len(s.Doubts) > 0 {
			run = o.Run
		}
		r, err := run(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if len(r.Execs) > 0 {
			ran++
		}
		if hidden, _ := oracle.Unexplained(argLists(s), r.Execs); len(s.Doubts) == 0 && len(hidden) > 0 {
			t.Errorf("%q: bash runs %q\nseen %s", text, hidden, show(s))
		}
	}
	if ran < len(texts)/2 {
		t.Errorf("only %d of %d texts ran a program: they prove nothing", ran, len(texts))
	}
	t.Logf("%d of %d texts ran a program", ran, len(texts))
}

// argLists are the argument lists of the subcommands, as the oracle compares them.
func argLists(s *analysis.Analysis) [][]string {
	var out [][]string
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		for _, words := range append([][]shell.Word{sub.Argv, sub.Outer}, sub.Alt...) {
			var argv []string
			for _, w := range words {
				text := w.Text
				if !w.Known || strings.Contains(text, shell.HoleMark) {
					text = oracle.Hole
				}
				argv = append(argv, text)
			}
			if len(argv) > 0 {
				out = append(out, argv)
			}
		}
	}
	return out
}

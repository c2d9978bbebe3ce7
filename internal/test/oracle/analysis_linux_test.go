package oracle

import (
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestAnalysisAgainstBash holds the gate's own analysis against bash. Where the tree is wrong there must be
// a doubt, which asks; where there is none, every program bash runs must be a subcommand.
func TestAnalysisAgainstBash(t *testing.T) {
	o := New(t)
	for _, tt := range differ {
		if hidden, s := overlooked(t, o, tt.text); len(hidden) > 0 {
			t.Errorf("%s: %q: bash runs %q; no doubt, subcommands %q", tt.name, tt.text, hidden, argvs(s))
		}
	}
	doubts := 0
	for _, text := range agree {
		hidden, s := overlooked(t, o, text)
		if len(hidden) > 0 {
			t.Errorf("%q: bash runs %q; no doubt, subcommands %q", text, hidden, argvs(s))
		}
		if len(s.Doubts) > 0 {
			doubts++
			t.Logf("%q: doubt %s", text, s.Doubts[0].ID)
		}
	}
	t.Logf("%d differences and %d ordinary texts; doubts about %d of the ordinary ones", len(differ), len(agree), doubts)
}

// overlooked returns what bash runs and the analysis neither names nor doubts.
func overlooked(t *testing.T, o *Oracle, text string) ([][]string, *bashsafety.Analysis) {
	t.Helper()
	s := bashsafety.Analyze(text, bashsafety.Env{Cwd: o.Dir, Home: o.Home})
	if len(s.Doubts) > 0 {
		return nil, s
	}
	r, err := o.RunBoth(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	hidden, _ := Unexplained(argvs(s), r.Execs)
	return hidden, s
}

// argvs returns the argument lists of the subcommands, with and without stripped wrappers.
func argvs(s *bashsafety.Analysis) [][]string {
	var out [][]string
	for _, c := range s.Subcommands {
		for _, words := range append([][]bashsafety.Word{c.Argv, c.Outer}, c.Alt...) {
			var argv []string
			for _, w := range words {
				if !w.Known || strings.Contains(w.Text, bashsafety.HoleMark) {
					w.Text = Hole
				}
				argv = append(argv, w.Text)
			}
			if len(argv) > 0 {
				out = append(out, argv)
			}
		}
	}
	return out
}

package interp_test

import (
	"bufio"
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestNothingHereOnlyReads holds the tables against commands that change, run
// or reach something: a proof of reading for one of them is a hole.
func TestNothingHereOnlyReads(t *testing.T) {
	file, err := os.Open("testdata/changes.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	n := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		text := lines.Text()
		if text == "" || strings.HasPrefix(text, "# ") {
			continue
		}
		n++
		if s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"}); onlyReads(s) {
			t.Errorf("proven to only read: %s", text)
		}
	}
	t.Logf("%d commands", n)
}

// onlyReads is the proof as far as this package makes it.
func onlyReads(s *analysis.Analysis) bool {
	if len(s.Doubts) > 0 || len(s.Findings) > 0 {
		return false
	}
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
		if !sub.Structural && (!sub.ReadOnly || !sub.Here() || len(sub.PatternBlockers) > 0) {
			return false
		}
		for k := range sub.Effects {
			if kind := sub.Effects[k].Kind; kind == shell.Write || kind == shell.Delete {
				return false
			}
		}
	}
	return true
}

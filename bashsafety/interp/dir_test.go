package interp_test

import (
	"fmt"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestDir: a text that starts in another folder does what it does after a cd
// to that folder; where the folder is not known, so are its files.
func TestDir(t *testing.T) {
	effects := func(s *analysis.Analysis) (out []string) {
		for i := range s.Subcommands {
			if s.Subcommands[i].Program == "cd" {
				continue
			}
			for _, e := range s.Subcommands[i].Effects {
				out = append(out, fmt.Sprint(e.Kind, e.Path, e.Known))
			}
		}
		return out
	}
	for _, text := range []string{"touch a", "cat a ../b", "git commit -m x", "cd c && rm -r d", "echo x > y; source z", "make"} {
		env := testEnv()
		want := effects(bashsafety.Analyze("cd /other/x && { "+text+"; }", env))
		env.Dir = "/other/x/."
		if got := effects(bashsafety.Analyze(text, env)); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, after cd %v", text, got, want)
		}
	}
	env := testEnv()
	env.Dir = `D:\x`
	if got := effects(bashsafety.Analyze("touch a", env)); fmt.Sprint(got) == fmt.Sprint(effects(bashsafety.Analyze("touch a", testEnv()))) {
		t.Errorf("in a folder that is not known: %v", got)
	}
}

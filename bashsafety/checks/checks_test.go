package checks_test

import (
	"path"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

var checkEnv = analysis.Env{Cwd: "/w/project", Home: "/home/u", Secret: func(e *shell.Effect) bool {
	name := path.Base(e.Path)
	return name == ".env" || name == "id_rsa" || name == "server.key" || strings.HasPrefix(e.Path+"/", "/home/u/.ssh/")
}}

// TestChecks runs every example written with a check.
func TestChecks(t *testing.T) {
	seen := make(map[string]bool)
	for _, c := range checks.All() {
		t.Run(c.ID, func(t *testing.T) {
			if seen[c.ID] {
				t.Errorf("two checks are called %q", c.ID)
			}
			seen[c.ID] = true
			if c.Title == "" || utf8.RuneCountInString(c.Title) > 60 || c.Why == "" {
				t.Errorf("Title must be 1 to 60 runes and Why must be set")
			}
			if c.Severity == 0 {
				t.Errorf("needs a Severity")
			}
			reported, passed := checks.Examples(c.ID)
			if len(reported) == 0 || len(passed) == 0 {
				t.Errorf("needs at least one command that is reported and one that is passed in examples.tsv")
			}
			analyse := bashsafety.Analyze
			if strings.HasPrefix(c.ID, "powershell-") {
				analyse = func(text string, _ analysis.Env) *analysis.Analysis {
					return bashsafety.AnalyzePowerShell(text, checkEnv)
				}
			}
			for _, cmd := range reported {
				if !fired(analyse(cmd, checkEnv), c) {
					t.Errorf("did not report: %s", cmd)
				}
			}
			for _, cmd := range passed {
				if fired(analyse(cmd, checkEnv), c) {
					t.Errorf("reported: %s", cmd)
				}
			}
		})
	}
}

func fired(s *analysis.Analysis, c *analysis.Check) bool {
	for _, f := range s.Findings {
		if f.Check == c {
			return true
		}
	}
	return false
}

package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/interp"
)

// TestTokens: what a program prints that prints tokens only cannot be an option;
// everything else may be.
func TestTokens(t *testing.T) {
	for _, tt := range []struct {
		text string
		safe bool
	}{
		{"git diff $(git merge-base origin/main HEAD)", true},
		{"git diff $(git merge-base origin/main HEAD)..HEAD", true},
		{`git diff "$(git merge-base a b)" --stat`, true},
		{"git log $(git rev-parse --short HEAD)", true},
		{"git log $(git rev-parse HEAD 2>/dev/null)..", true},
		{"git show $(git rev-list -n 1 HEAD)", true},
		{"git log v$(date +%Y)", true},
		{"git show $(date +%Y-%m-%d)", true},
		{"git diff `git merge-base a b`", true},
		{"git diff $(git merge-base a b)-x", false}, // nothing is printed: -x
		{"git diff $(git merge-base a b)$x", false}, // nothing is printed: $x
		{"git diff -$(git merge-base a b)", false},  // an option
		{"git diff $(git merge-base $a b)", false},  // not literal
		{"git diff $(git merge-base a b; echo --output=x)", false},
		{"git diff $(git merge-base a b || echo --output=x)", false},
		{"git diff $(git merge-base a b | sed s/^/--/)", false},
		{"git diff $(git merge-base a b <x)", false},
		{"git diff $(! git merge-base a b)", false},
		{"git diff $(A=1 git merge-base a b)", false},
		{"git diff $(./git merge-base a b)", false},
		{"git diff $(git -c a=b merge-base a b)", false},
		{"git diff $(git rev-parse -- --output=x)", false}, // repeated
		{"git diff $(git rev-parse --sq-quote --output=x)", false},
		{"git diff $(git rev-parse --abbrev-ref HEAD)", false}, // a name git would refuse to make may be there
		{"git diff $(git branch --show-current)", false},
		{"git diff $(git rev-list --boundary a...b)", false}, // - in front of a hash
		{"git diff $(git rev-list --format=%s HEAD)", false},
		{"git diff $(git log -1 --format=%s)", false},
		{"git diff $(date +-%Y)", false},
		{"git diff $(date +%z)", false},
		{"git diff $(date '+%Y %z')", false},
		{"git diff $(cat x)", false},
		{"x=$(git merge-base a b); git diff $x", true},
	} {
		s := bashsafety.Analyze(tt.text, interp.Env{Cwd: "/w", Home: "/home/u"})
		safe := false
		for i := range s.Subcommands {
			if sub := &s.Subcommands[i]; len(sub.Via) == 0 && sub.Program == "git" && len(sub.Argv) > 1 {
				safe = sub.ReadOnly && len(sub.PatternBlockers) == 0
			}
		}
		if safe != tt.safe {
			t.Errorf("%s: safe %v, want %v", tt.text, safe, tt.safe)
		}
	}
}

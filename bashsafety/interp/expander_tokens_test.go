package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestTokens: what a program prints that prints tokens only cannot be an option; everything else may be.
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
		{"x=$(git merge-base a b); y=$x..HEAD; git diff $y $x", true},
		{"x=$(git merge-base a b)\\ -x; git diff $x", false},
		{"x=-$(git merge-base a b); git diff $x", false},
		{"x=$(cat f)$(git merge-base a b); git diff a$x", false},
		{"IFS=a; git diff $(git merge-base a b)", false},
		{"git log a$(git merge-base a b)$(git rev-parse HEAD)", true},
		{"git log $(git rev-parse HEAD)$((1-2))", false}, // where nothing is printed: -1
		{"git log a$(git rev-parse HEAD)~$((RANDOM))", true},
		{"git log --since=$(date +%F)", true},
		{"git log -n $(nproc) HEAD", true},
		{"git log -n $(nproc) --output=x", false}, // where nothing is printed, what follows is another word
		{"git show $(git log -1 --format=%H)", true},
		{"git show $(git log -1 --format=%an)", false},
		{"git log a$(uname -m) b$(id -u)", true},
		{"git log a$(uname -v)", false},
		{"git log a$(whoami)", false},
		{"git log a$(nproc --help)", false},
		{"git log a$(seq 3)", true},
		{"git log a$(seq -3 3)", false},
		{"git log $(go list ./...)", true},
		{"git log $(go list -f '{{.Dir}}' ./...)", false},
		{"git log $(docker ps -aq) $(docker images -q)", true},
		{"git log $(docker ps -q --format x)", false},
		{"git log $(docker ps)", false},
		{"git log $(kubectl get pods -o name)", true},
		{"git log $(kubectl get pods)", false},
		{"git log $(git rev-parse --show-toplevel)", false}, // a folder may hold blanks
		{"git log $(git ls-files '*.go')", false},
		{"git log $(git diff --name-only)", false},
		{"git log $(pwd)", true}, // which is known
		{"for i in $(seq 3); do git log a$i; done", true},
		{"for i in a b c d e f g h i j; do git log $i; done", true},
		{"for i in a b c d e f g h i -x; do git log $i; done", false},
		{"for i in *.go; do git log a$i; done", false}, // a name may hold a blank
	} {
		s := bashsafety.Analyze(tt.text, analysis.Env{Cwd: "/w", Home: "/home/u"})
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

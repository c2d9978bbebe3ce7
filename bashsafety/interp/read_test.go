package interp_test

import (
	"slices"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestLineRead: what read puts into its variable is known where it is certain, and only there.
func TestLineRead(t *testing.T) {
	for text, known := range map[string]bool{
		"read -r x <<< a; cat $x": true, "if read -r x <<< a; then cat $x; fi": true, "f() { local -a y; read -r x <<< a; cat $x; }; f": true,
		"while read -r x; do :; done <<< a; cat $x": false, "until read -r x <<< a; do :; done; cat $x": false, "for i in 1 2; do read -r x <<< a; done; cat $x": false,
		"(read -r x <<< a); cat $x": false, "echo a | read -r x; cat $x": false, "IFS=b; read -r x <<< a; cat $x": false, "IFS=b read -r x <<< a; cat $x": false, "read x <<< 'a\\'; cat $x": false,
		"x=a; f() { read -r x <<< b; }; f; cat $x": false, "f() { mapfile -C set -c 1 y; cat \"$2\"; }; f b a": false, "f() { mapfile -t y; cat \"$2\"; }; f b a": true,
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
		got := len(s.Doubts) == 0 && slices.ContainsFunc(s.Subcommands, func(c analysis.Subcommand) bool {
			return c.Program == "cat" && c.Argv[1].Known && c.Argv[1].Text == "a"
		})
		if got != known {
			t.Errorf("%s: known %v, want %v", text, got, known)
		}
	}
}

package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

func TestUnlists(t *testing.T) {
	for text, want := range map[string]bool{
		"git rm --cached x": true, "git rm -r --cached .": true, "git reset HEAD~1": true, "git reset": true, "git read-tree --empty": true,
		"git update-index --force-remove x": true, "git restore --staged --source=HEAD~1 .": true, "git apply --cached x.patch": true,
		"git -C . rm --cached x": true, "git some-alias": true, "git filter-branch x": true, `git "$x"`: true, "git -c a=b reset": true,
		"git status": false, "git add -A": false, "git commit -m x": false, "git push": false, "git log": false, "git switch main": false, "ls": false,
		"git diff --cached": false, "git apply --stat x.patch": false, "git merge x": false,
	} {
		s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/home/u"})
		got := false
		for i := range s.Subcommands {
			got = got || s.Subcommands[i].Unlists()
		}
		if got != want {
			t.Errorf("%s: %v, want %v", text, got, want)
		}
	}
}

package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
)

// TestBash32 holds what bash 3.2 reads otherwise, found with a real 3.2.48, and the everyday texts in which that
// changes nothing.
func TestBash32(t *testing.T) {
	for _, c := range [...]struct {
		doubt bool
		text  string
	}{
		{true, "git log $(cat <<E\n)\ntouch x\nE\n)"},
		{true, "git log $(cat <<'E'\n) ; touch x #\nE\n)"},
		{true, "git log $(#)\ntouch x\n)"},
		{true, "git log \"$(#)\ntouch x\n)\""},
		{true, "git log \"$(true # it's\n)\" 'a)\"; touch x #'"},
		{true, "git log $(true ;# '\n); touch 'x)'"},
		{true, "git log $(case x in a) touch x;; esac)"},
		{true, "git log \"$(case x in a) touch x;; esac)\""},
		{true, "git log $(echo ${y%%)*})"},
		{true, "git log \"$(cat <<'E'\na\\\nE\ncat <<'F'\nE\ntouch x\nF\n)\""},
		{true, "git log \"$(cat <<'EOF'\nEO\\\nF\ntouch x\nEOF\n)\""},
		{true, "git log \"$(cat <<'E'\n$'\\nE\\ntouch x #'\nE\n)\""},
		{true, "git log \"$(sh <<'E'\nrm -rf ./a:)b\nE\n)\""},
		{true, "git log \"$(cat <<'E'\n:) $HOME\nE\n)\""},
		{true, "git commit -m \"$(cat <<'EOF'\ndon't\nEOF\n)\" && echo 'x)' && touch \"z\""},
		{true, "diff <(cat {a,b}) c"},
		{true, "git log \"$(echo \"{a,b}\")\""},
		{true, "git rm {v}>x a"},
		{true, "m['[']=1"},

		{false, "git commit -m \"$(cat <<'EOF'\nfix: don't (x) it\n\nit's \"done\", isn't it\nEOF\n)\""},
		{false, "git commit -m \"$(cat <<'EOF'\nfix: don't\nEOF\n)\""},
		{false, "git commit -m \"$(cat <<'EOF'\nfix (core: parse\nEOF\n)\""},
		{false, "git commit -m \"$(cat <<'EOF'\nnice :) smile\nEOF\n)\""},
		{false, "git commit -m \"$(cat <<'EOF'\ncurl \\\n  x\n\nCo-Authored-By: A <a@b>\nEOF\n)\" && git push"},
		{false, "gh pr create --title x --body \"$(cat <<'EOF'\n## Summary\n- a (b)\n- `c`\nEOF\n)\""},
		{false, "x=$(git rev-parse HEAD # now\n); echo \"$x\""},
		{false, "echo \"$(git log --format='%h (%an)' | head -1)\""},
		{false, "echo $(( (1 + 2) * 3 )) \"$((x))\" ${x:-\"a b\"}"},
		{false, "n=$(grep -c 'a)' f); m=$(grep -c \"it's\" f)"},
		{false, "for i in {1..3} {a..c}; do echo \"$i\"; done"},
		{false, "for i in {01..10}; do echo \"$i\"; done"},
		{false, "diff <(sort a) <(awk '{print $1, $2}' b)"},
		{false, "x=\"$(jq -n --arg a \"$b\" '{a: $a, c: 1}')\""},
		{false, "x=\"$(echo \"${a},${b}\")\""},
		{false, "exec {lock}>f; flock \"$lock\""},
		{false, "arr[${#arr[@]}]=x; m[\"$k\"]=$((m[$k] + 1))"},
	} {
		if s := bashsafety.Analyze(c.text, testEnv()); len(s.Doubts) > 0 != c.doubt {
			t.Errorf("%q: %s", c.text, show(s))
		}
	}
}

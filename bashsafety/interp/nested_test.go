package interp_test

import (
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
)

// TestNestedSubstitution: a substitution inside another one is no doubt where all
// shells find the same ends, comments, case, here-documents and quotes included.
func TestNestedSubstitution(t *testing.T) {
	for _, text := range []string{
		`echo "$(basename "$(pwd)")"`,
		"echo $(basename $(pwd))",
		"for c in $(git log $(git merge-base a b)..c); do echo $c; done",
		`d=$(dirname $(dirname "$f")); ls "$d"`,
		`f=$(find "$(go env GOMODCACHE)" -path '*x/v2*/tea.go' 2>/dev/null | head -1)`,
		`m=$(grep -n x "$f" | while IFS=: read -r ln rest; do n=$(sed -n "$((ln+1)),$((ln+5))p" "$f" | wc -l || true); [ "$n" -eq 0 ] && echo "$ln"; done)`,
		`echo "$(a "$(b "$(c ')' "it's" \( '#')")" ${#x} $#)"`,
		`x=$(if a; then b "$(c)"; fi)`,
		`x=$(a <<< "$(b)")`,
		`ls $(dirname "$(command -v go)")`,
		`ls "$(dirname $(command -v go))"`,
		`cd "$(dirname "$(git rev-parse --git-dir)")" && ls`,
		`sh -c 'echo "$(a $(b))"'`,
		"echo \"$(sh -c 'a $(b) # )')\"",
		`echo "$(a)$(b # c
)"`,
		"echo $(a $(b))",
		`echo $(a "$(b $(c))")`,
		`for f in $(a $(b)); do c "$f"; done`,
		"echo $(sh -c 'a $(b)')",
		"echo $(a $(b) # )\n)",
		"echo $(a $(b # )\n))",
		"echo $(# it's\na $(b))",
		"echo $(case $(b) in (x) c;; esac)",
		"echo $(a $(case b in (x) c;; esac))",
		"echo $(a <<-E\n$(b)\nE\n)",
		"x=$(git commit -m \"$(cat <<'E'\na: b (c)\n\n- don't\nE\n)\" 2>&1 | tail -1)",
		"git commit -m \"$(cat <<E\na `b` $(c)\nE\n)\"",
		"git commit -m \"$(cat <<'EOF'\na: IFS=$'\\n' and $'it\\'s' (b)\nEOF\n)\"",
		"echo `a $(b)`",
		"echo $(a `b`)",
		`echo $(a "$(b $'\'')")`,
		"echo $(sh -c 'a $(b)' `c`)",
	} {
		if s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/h"}); len(s.Doubts) > 0 {
			t.Errorf("%s: %v, want no doubt", text, s.Doubts)
		}
	}
	for _, text := range []string{
		"echo $($(a $(b)))",
		"echo $(case $(b) in x) c;; esac)",
		"echo $(a $(case b in x) c;; esac))",
		"echo $(a $(b <<E\n)\nE\n))",
		"echo $(a <<E\n'\nE\nb $(c))",
		"echo $(a $(b <<'E'\n$'\\n'\nE\n))",
		"echo \"$(cat <<'E'\na $'\\nE\\nb\\n'\nE\n)\"",
		"echo \"$(cat <<'E'\na $'\\n\\105\\nb\\n'\nE\n)\"",
		"echo \"$(cat <<E\na $'\\\\\\$(b)'\nE\n)\"",
		"echo `a \\`b\\``",
		`echo $(a $"b" $(c))`,
	} {
		if s := bashsafety.Analyze(text, analysis.Env{Cwd: "/w", Home: "/h"}); len(s.Doubts) == 0 {
			t.Errorf("%q: no doubt, want one", text)
		}
	}
}

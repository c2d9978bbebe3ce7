package interp_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// TestApplyPatch looks at what a patch in a shell text is taken to change.
func TestApplyPatch(t *testing.T) {
	const patch = "*** Begin Patch\n*** Update File: a.go\n@@\n-x\n+y\n*** End Patch\n"
	for _, tt := range []struct{ text, want string }{
		{"apply_patch <<'EOF'\n" + patch + "EOF\n", "/w/a.go"},
		{"applypatch <<EOF\n" + patch + "EOF\n", "/w/a.go"},
		{"cd sub && apply_patch <<'EOF'\n" + patch + "EOF\n", "/w/sub/a.go"},
		{"cat <<'EOF' | apply_patch\n" + patch + "EOF\n", "/w/a.go"},
		{"apply_patch <<< '" + patch + "'", "/w/a.go"},
		{"apply_patch '" + patch + "'", "/w/a.go"},
		{"bash -lc \"apply_patch <<'EOF'\n" + patch + "EOF\n\"", "/w/a.go"},
		{"apply_patch <<'EOF'\r\n" + strings.ReplaceAll(patch, "\n", "\r\n") + "EOF\r\n", "/w/a.go"},
		{"apply_patch <<'EOF'\n" + strings.ReplaceAll(patch, "\n", "\r\n") + "EOF\n", "/w/a.go"},
		{"apply_patch <<'EOF'\n  *** Add File: /etc/x\r*** Delete File: ~/y\nEOF\n", "/etc/x /w/~/y"},
		{"apply_patch <<EOF\n" + patch + "$MORE\nEOF\n", "/w/a.go ?"},
		{"apply_patch <<'EOF'\n" + patch + "*** Copy File: x\nEOF\n", "/w/a.go ?"},
		{"apply_patch <<EOF\n*** Begin Patch\n*** Add File: a.go\n+x\\\n*** Add File: b.go\n+y\n*** End Patch\nEOF\n", "/w/a.go /w/b.go"}, // \ joins lines for a shell only
		{"a='*** Add'; apply_patch <<EOF\n*** Begin Patch\n*** Add File: a.go\n$a File: b.go\nEOF\n", "/w/a.go /w/b.go"},
		{"apply_patch < x.patch", "?"},
		{"curl https://x.y | apply_patch", "?"},
		{"apply_patch", "?"},
		{"apply_patch <<'EOF'\nEOF\n", "?"},
	} {
		s := bashsafety.Analyze(tt.text, analysis.Env{Cwd: "/w", Home: "/home/u"})
		var got []string
		for _, sub := range s.Subcommands {
			for _, e := range sub.Effects {
				if e.Kind != shell.Write && e.Kind != shell.Delete {
					continue
				}
				name := e.Path
				if strings.Contains(e.Path, shell.HoleMark) {
					name = "?"
				}
				got = append(got, name)
			}
			if strings.HasPrefix(sub.Program, "apply") && sub.ReadOnly {
				t.Errorf("%q: read-only", tt.text)
			}
		}
		slices.Sort(got)
		got = slices.Compact(got)
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

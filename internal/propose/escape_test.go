package propose_test

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/test/conformance"
	"github.com/permgate--owner/permgate/rules"
)

// A rule for a .claude file is written as it is read there.
func TestEscapes(t *testing.T) {
	for _, tt := range []struct{ command, plain, claude string }{
		{`grep 'a\(b' x`, `Bash(grep 'a\(b' x)`, `Bash(grep 'a\\\(b' x)`},
		{`grep 'a\\b' x`, `Bash(grep 'a\\b' x)`, `Bash(grep 'a\\\\b' x)`},
		{`grep 'a(b' x`, `Bash(grep 'a(b' x)`, `Bash(grep 'a(b' x)`},
	} {
		s := bash(tt.command)
		c, v, err := conformance.Call(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range places(rules.Allow) {
			want := tt.plain
			if p.into.Claude {
				want = tt.claude
			}
			got, refusal := propose.For(c, v, p.into)
			if refusal != nil || len(got) != 1 || got[0].Rule != want {
				t.Errorf("%s for %s: %+v %v, want %s", tt.command, p.file, got, refusal, want)
				continue
			}
			works(t, &p, s, []string{want})
		}
	}
}

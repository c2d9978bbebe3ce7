package lint

import (
	"fmt"
	"strings"
	"testing"
)

// TestTired: of very many rules that begin alike not all are tried, which is said once
// and about the first of them; what was tried before is found as ever.
func TestTired(t *testing.T) {
	for _, row := range []struct {
		rules int
		skips bool
	}{{100, false}, {300, true}} {
		texts := []string{"Bash(python3 *)"}
		for i := range row.rules {
			texts = append(texts, fmt.Sprintf("Bash(a*%d)", i))
		}
		text := `{"permissions": {"allow": ["` + strings.Join(texts, "\",\n\"") + `"]}}`
		opens, skips := 0, 0
		in := exampleInput(&Example{File: ".claude/settings.local.json"}, text)
		in.most = 50_000
		for _, f := range Run(in) {
			switch {
			case f.Pos.Line == 1 && f.Exploit != "":
				opens++
			case f.Check == &settingsFault:
				skips++
				if f.Pos.Line < 2 || !strings.HasPrefix(f.Text, "too many rules") {
					t.Errorf("%d rules: %v %s", row.rules, f.Pos, f.Text)
				}
			}
		}
		if skipped := skips > 0; skipped != row.skips || skips > 1 || !skipped && opens != 1 {
			t.Errorf("%d rules: %d findings that rules were not tried, %d openings", row.rules, skips, opens)
		}
	}
}

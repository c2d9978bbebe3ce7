package lint

import (
	"fmt"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestPage$ -update

// TestPage writes the table of checks in docs/policy.md.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| check | | finds | for example | `--fix` |\n|---|---|---|---|---|\n")
	for _, c := range Checks() {
		fails, _ := c.Examples()
		x, fix := &fails[0], ""
		for i := range fails {
			if fails[i].Fixed != "" {
				fix = "yes"
			}
		}
		at := x.At
		if at == "" {
			at = x.Name()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %s |\n", c.ID, c.Severity, c.Title, strings.ReplaceAll(at, "|", `\|`), fix)
	}
	golden.Part(t, "../../../docs/policy.md", "<!-- checks: written by go generate -->", "<!-- end of checks -->", b.String())
}

// TestTable looks at the literals themselves: ids are unique and of one form,
// titles fit a line, nothing ends in a full stop that should not.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || c.ID == "" || strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("id %q", c.ID)
		}
		seen[c.ID] = true
		if Find(c.ID) != c {
			t.Errorf("%s is not found by its id", c.ID)
		}
		if len(c.Title) > 90 || strings.HasSuffix(c.Title, ".") || strings.HasSuffix(c.Fix, ".") || !strings.HasSuffix(c.Why, ".") {
			t.Errorf("%s: title, why or fix", c.ID)
		}
	}
	for s := Note; s <= Error; s++ {
		if got, ok := ParseSeverity(s.String()); !ok || got != s {
			t.Errorf("severity %v", s)
		}
	}
}

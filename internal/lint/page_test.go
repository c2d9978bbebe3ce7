package lint

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the table of docs/policy.md")

// TestPage checks the table of checks in docs/policy.md; -update rewrites it.
func TestPage(t *testing.T) {
	const (
		page  = "../../docs/policy.md"
		start = "<!-- written by go test ./internal/lint -run Page -update -->\n"
		end   = "<!-- end of checks -->\n"
	)
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), start)
	_, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatalf("%s has no place for the checks", page)
	}
	var b strings.Builder
	b.WriteString("| check | | finds | for example | `--fix` |\n|---|---|---|---|---|\n")
	for _, c := range Checks() {
		x, fix := &c.Fails[0], ""
		for i := range c.Fails {
			if c.Fails[i].Fixed != "" {
				fix = "yes"
			}
		}
		at := x.At
		if at == "" {
			at = x.Name()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %s |\n", c.ID, c.Severity, c.Title, strings.ReplaceAll(at, "|", `\|`), fix)
	}
	want := before + start + b.String() + end + after
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("%s is out of date: go test ./internal/lint -run Page -update", page)
	}
	if err := os.WriteFile(page, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
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

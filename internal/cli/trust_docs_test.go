package cli

import (
	"os"
	"strings"
	"testing"
)

// TestTrustDocs: what docs/policy.md shows of permgate trust is what the
// testscripts see.
func TestTrustDocs(t *testing.T) {
	doc, err := os.ReadFile("../../docs/policy.md")
	if err != nil {
		t.Fatal(err)
	}
	script, err := os.ReadFile("../../testdata/script/trust.txtar")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(doc), "\n## Trust\n")
	_, block, _ := strings.Cut(section, "```console\n")
	block, _, ok := strings.Cut(block, "```\n")
	if !ok {
		t.Fatal("the section on trust shows no session")
	}
	block, answer, _ := strings.Cut(strings.TrimPrefix(block, "$ permgate trust\n"), "trust this? [y/N] y\n")
	if !strings.Contains(string(script), "-- app/shown --\n"+block) {
		t.Errorf("docs/policy.md shows\n%s\nwhich trust.txtar does not expect", block)
	}
	for line := range strings.Lines(answer) {
		if pattern := "stdout '^" + strings.ReplaceAll(strings.TrimSpace(line), ".", `\.`) + "$'"; !strings.Contains(string(script), pattern) {
			t.Errorf("trust.txtar has no %s", pattern)
		}
	}
}

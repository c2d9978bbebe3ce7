package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestReplayPage$ -update

// TestReplayPage writes the table of formats in docs/replay.md.
func TestReplayPage(t *testing.T) {
	const heading = "| format | files | does not hold |\n|---|---|---|\n"
	name := filepath.Join("..", "..", "docs", "replay.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), heading)
	if !ok {
		t.Fatal("docs/replay.md has no table of formats")
	}
	for strings.HasPrefix(rest, "|") {
		_, rest, _ = strings.Cut(rest, "\n")
	}
	var b strings.Builder
	for _, f := range sessions.Formats() {
		files := ""
		for _, pattern := range f.Files {
			files += ", `" + strings.ReplaceAll(pattern, "|", `\|`) + "`"
		}
		b.WriteString("| " + f.Title + " (`" + f.Name + "`) | " + strings.TrimPrefix(files, ", ") + " | " + f.Lacks + " |\n")
	}
	golden.File(t, name, before+heading+b.String()+rest)
}

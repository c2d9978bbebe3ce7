package e2e

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestScriptsDoc runs the commands of docs/scripts.md under the settings it shows first; see TestTutorial.
func TestScriptsDoc(t *testing.T) {
	name := filepath.Join("docs", "scripts.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	settings, _, ok := fenced(string(page), "json")
	if !ok {
		t.Fatalf("%s shows no settings", name)
	}
	g := newTutorial(t)
	file := filepath.Join(g.home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(settings), 0o600); err != nil {
		t.Fatal(err)
	}
	golden.File(t, name, g.follow(string(page)))
}

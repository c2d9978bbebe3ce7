package e2e

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
)

// TestPackagesDoc checks that docs/architecture.md names every package.
func TestPackagesDoc(t *testing.T) {
	page, err := os.ReadFile("docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "\n## Packages\n")
	table, _, _ = strings.Cut(table, "\n## ")
	packages := map[string]bool{}
	err = fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || strings.HasPrefix(d.Name(), ".") && name != "."):
			return fs.SkipDir
		case path.Ext(name) == ".go" && path.Dir(name) != ".":
			packages[path.Dir(name)] = true
		}
		return nil
	})
	if err != nil || len(packages) < 20 {
		t.Fatalf("found %d packages, %v", len(packages), err)
	}
	for name := range packages {
		if !strings.Contains(table, "`"+name+"`") && !strings.Contains(table, "`"+path.Base(name)+"`") {
			t.Errorf("docs/architecture.md says nothing of %s", name)
		}
	}
}

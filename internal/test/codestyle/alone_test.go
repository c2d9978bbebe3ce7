package codestyle

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestStandsAlone: no Go file names a folder of corpora next to the repository. What is needed of one comes from
// the folder that PERMGATE_CORPUS names (internal/test/testenv), and a test does without where no one names any.
func TestStandsAlone(t *testing.T) {
	outside := regexp.MustCompile(`\.\./shared/(corpus|conformance|spec|oracle)\b|"\.\.", "shared"`)
	err := filepath.WalkDir("../../..", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() && d.Name() == ".git" {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" || d.IsDir() || d.Name() == "alone_test.go" {
			return nil
		}
		text, err := os.ReadFile(name)
		for i, line := range bytes.Split(text, []byte("\n")) {
			if outside.Match(line) {
				t.Errorf("%s:%d: %s", name, i+1, bytes.TrimSpace(line))
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

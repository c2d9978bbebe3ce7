package spec

import (
	"bytes"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSize: the specification can be read in one sitting, and shares nothing with what it specifies.
func TestSize(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += bytes.Count(data, []byte("\n"))
		f, err := parser.ParseFile(token.NewFileSet(), name, data, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			if path := strings.Trim(i.Path.Value, `"`); path != "slices" {
				t.Errorf("%s imports %s: the specification shares no code with the program", name, path)
			}
		}
	}
	t.Logf("%d lines", lines)
	if lines == 0 || lines > 400 {
		t.Errorf("the specification has %d lines, of at most 400", lines)
	}
}

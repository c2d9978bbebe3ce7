package complete_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"permgate/internal/cli"
	"permgate/internal/complete"
	"permgate/internal/gate"
)

var update = flag.Bool("update", false, "write docs/completions anew")

// copies are the names that packagers of the shells look for.
var copies = map[string]string{"bash": "permgate.bash", "zsh": "_permgate", "fish": "permgate.fish"}

// TestCopies checks that docs/completions is what "permgate completion" prints.
func TestCopies(t *testing.T) {
	for i := range complete.Shells {
		shell := complete.Shells[i].Name
		name := filepath.Join("..", "..", "docs", "completions", copies[shell])
		var out, stderr bytes.Buffer
		if code := cli.Main([]string{"completion", shell}, nil, &out, &stderr, gate.World{}); code != 0 || out.Len() == 0 {
			t.Fatalf("exit %d: %s", code, stderr.String())
		}
		if *update {
			if err := os.WriteFile(name, out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(name); err != nil || !bytes.Equal(got, out.Bytes()) {
			t.Errorf("%s is stale (%v): go test ./internal/complete -update", name, err)
		}
	}
}

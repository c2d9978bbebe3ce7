package complete_test

import (
	"bytes"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/cli"
	"github.com/permgate--owner/permgate/internal/complete"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

//go:generate go test . -run ^TestCopies$ -update

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
		golden.File(t, name, out.String())
	}
}

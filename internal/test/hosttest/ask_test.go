package hosttest

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// escapes are the codes that colour a terminal, and lines about the run that differ each time.
var escapes = regexp.MustCompile(`\x1b\[[0-9;?]*[a-zA-Z]|(?m)^(session id|WARNING|warning|tokens used)\b.*\n|(?m)^20\S+Z `)

// TestAskScreen holds testdata/hosts/NAME/screen.txt: what a program shows that cannot ask, where permgate would ask.
func TestAskScreen(t *testing.T) {
	for _, h := range []*Host{&Codex, &GeminiCLI, &Droid, &Opencode, &Kilo} {
		t.Run(h.Name, func(t *testing.T) {
			program := h.Install(t)
			s := NewSession(t, h, h.Shell("git push --force origin main"), h.Touch(".envrc"))
			s.InstallPermgate(t, BuildPermgate(t))
			out, err := s.Run(t, program)
			if n := len(s.API.Results()); n != 2 {
				t.Fatalf("%d tool results: %v\n%s", n, err, out)
			}
			text := strings.NewReplacer(s.Project, "~/app", s.Home, "~", "\r", "").Replace(escapes.ReplaceAllString(out, ""))
			for _, r := range s.API.Results() {
				if !strings.Contains(r.Text, "cannot ask you here") {
					t.Errorf("the model is not told that it could not be asked: %q", r.Text)
				}
			}
			golden.File(t, filepath.Join("..", "..", "..", "testdata", "hosts", h.Name, "screen.txt"), strings.TrimSpace(text)+"\n")
		})
	}
}

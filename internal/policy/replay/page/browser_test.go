package page

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/replay"
)

// playwright drives the browser. It comes without one.
const playwright = "playwright-core@1.65.1"

// TestBrowser looks at pages in Chromium, as testdata/browser.mjs says.
func TestBrowser(t *testing.T) {
	if os.Getenv("PERMGATE_BROWSER") == "" {
		t.Skip("PERMGATE_BROWSER=1 installs " + playwright + " from npm and looks at pages in chromium")
	}
	chromium := ""
	for _, name := range []string{"node", "npm", "chromium"} {
		var err error
		if chromium, err = exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	dir := t.TempDir()
	plain := sample(0) // compared with nothing
	plain.Other, plain.Changes, plain.More = "", nil, 0
	for name, r := range map[string]*replay.Report{
		"small.html": sample(260), "big.html": sample(50_000), "plain.html": plain, "empty.html": {},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(write(t, r)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	script, err := os.ReadFile("testdata/browser.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "browser.mjs"), script, 0o600); err != nil { // next to what it imports
		t.Fatal(err)
	}
	install := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", playwright)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm install %s: %v\n%s", playwright, err, out)
	}
	look := exec.Command("node", "browser.mjs", chromium, dir)
	look.Dir, look.Env = dir, append(os.Environ(), "TMPDIR="+dir)
	look.Stderr = os.Stderr
	out, err := look.Output()
	if err != nil {
		t.Error(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, line := range lines {
		name, wrong, failed := strings.Cut(line, "\t")
		t.Run(name, func(t *testing.T) {
			if failed {
				t.Error(wrong)
			}
		})
	}
	if lines[len(lines)-1] != "done" {
		t.Error("not all was looked at")
	}
}

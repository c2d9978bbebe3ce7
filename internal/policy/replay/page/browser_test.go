package page

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/policy/replay"
	"github.com/permgate--owner/permgate/internal/test/browser"
)

// TestBrowser looks at pages in Chromium, as testdata/browser.mjs says.
func TestBrowser(t *testing.T) {
	browser.Needed(t)
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
	browser.Run(t, dir, os.Getenv("PERMGATE_SCREENSHOTS"))
}

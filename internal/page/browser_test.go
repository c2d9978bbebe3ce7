package page

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/browser"
	"github.com/permgate--owner/permgate/internal/try"
)

// TestBrowser looks at pages of explain in Chromium, as testdata/browser.mjs says.
func TestBrowser(t *testing.T) {
	browser.Needed(t)
	dir := t.TempDir()
	for name, call := range map[string]string{
		"call.html":  `cd src && sudo rm -rf build; bash -c "curl x | sh" > out.txt`,
		"nasty.html": "echo '</script><script>alert(1)</script>' \u202e <img src=x onerror=alert(2)> {js} {data}",
	} {
		request, err := json.Marshal(try.Request{Text: call, Host: "claude", Policy: try.Policy{Settings: `{"permissions": {"allow": ["Bash(cd:*)"]}}`}})
		if err != nil {
			t.Fatal(err)
		}
		var text bytes.Buffer
		if err := Explain(&text, try.Answer(request)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	browser.Run(t, dir, os.Getenv("PERMGATE_SCREENSHOTS"))
}

// Package browser looks at pages in Chromium, for tests.
package browser

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// playwright drives the browser. It comes without one.
const playwright = "playwright-core@1.65.1"

//go:embed common.mjs
var common string

// Run runs the test's browser.mjs, which imports common.mjs, in a folder, with the folder and further arguments. Each
// line that it prints is a test. It is skipped unless PERMGATE_BROWSER is set, and without node, npm or chromium.
func Run(t *testing.T, dir string, args ...string) {
	t.Helper()
	chromium := Needed(t)
	script, err := os.ReadFile("testdata/browser.mjs")
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"browser.mjs": string(script), "common.mjs": common} { // next to what they import
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	install := exec.Command("npm", "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", playwright)
	if out, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm install %s: %v\n%s", playwright, err, out)
	}
	look := exec.Command("node", append([]string{"browser.mjs", dir}, args...)...)
	look.Dir, look.Env = dir, append(os.Environ(), "TMPDIR="+dir, "CHROMIUM="+chromium)
	look.Stderr = os.Stderr
	out, err := look.Output()
	if err != nil {
		t.Error(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	for _, line := range lines {
		name, wrong, failed := strings.Cut(line, "\t")
		if figures, said := strings.CutPrefix(name, "# "); said {
			t.Log(figures)
			continue
		}
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

// Needed skips a test that nothing was asked of, and returns where chromium is.
func Needed(t *testing.T) (chromium string) {
	t.Helper()
	if os.Getenv("PERMGATE_BROWSER") == "" {
		t.Skip("PERMGATE_BROWSER=1 installs " + playwright + " from npm and looks at pages in chromium")
	}
	for _, name := range []string{"node", "npm", "chromium"} {
		var err error
		if chromium, err = exec.LookPath(name); err != nil {
			t.Skip(err)
		}
	}
	return chromium
}

// Closed checks that a page allows its own style and script, by their hashes, and nothing else, and that it has nothing
// to load, nor ways to read a text as HTML or as a program.
func Closed(t *testing.T, page string) {
	t.Helper()
	style := regexp.MustCompile(`(?s)<style>(.*?)</style>`).FindAllStringSubmatch(page, -1)
	script := regexp.MustCompile(`(?s)<script>(.*?)</script>`).FindAllStringSubmatch(page, -1)
	if len(style) != 1 || len(script) != 1 {
		t.Fatalf("%d styles, %d scripts", len(style), len(script))
	}
	want := `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '` + hash(style[0][1]) +
		`'; script-src '` + hash(script[0][1]) + `'; base-uri 'none'; form-action 'none'">`
	if !strings.Contains(page, want) {
		t.Errorf("the page has to say\n%s", want)
	}
	bad := regexp.MustCompile(`(?i)https?:|//[a-z]|\bsrc=|<link|<iframe|@import|url\(|innerHTML|outerHTML|insertAdjacent|` +
		`document\.write|\beval|new Function|DOMParser|createContextualFragment|fetch\(|XMLHttp|WebSocket|import\(|localStorage|cookie|` +
		`\{css\}|\{js\}|\{data\}`)
	for _, found := range bad.FindAllString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg", ""), -1) {
		t.Errorf("the page holds %s", found)
	}
}

func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}

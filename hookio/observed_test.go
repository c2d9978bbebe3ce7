package hookio

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestObserved reads the payloads that real hosts sent. testdata/hosts/HOST/observed.tsv holds one a
// line: version, event as it was registered, what the call is ("TOOL primary-value", "-" where the event
// decides nothing), payload. A payload must be understood as it is, with --host and by its marks.
func TestObserved(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("..", "testdata", "hosts", "*", "observed.tsv"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no observed payloads: %v", err)
	}
	for _, file := range files {
		name := filepath.Base(filepath.Dir(file))
		h := Lookup(name)
		if h == nil {
			t.Logf("%s: no adapter yet", name)
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			if strings.HasPrefix(line, "#") {
				continue
			}
			f := strings.SplitN(line, "\t", 4)
			if len(f) != 4 {
				t.Fatalf("%s:%d: four columns are needed", file, i+1)
			}
			event, want, payload := f[1], f[2], f[3]
			for _, o := range []Options{{Host: name, Event: event}, {Event: event}} {
				c, err := Read(strings.NewReader(payload), o)
				if err != nil {
					t.Errorf("%s:%d: --host %q: %v", file, i+1, o.Host, err)
					continue
				}
				got := "-"
				if c.Event.Decides() {
					got = c.Tool + " " + primary(c)
				}
				if c.Host != h || got != want || c.Malformed != "" {
					t.Errorf("%s:%d: --host %q: host %s, call %q, want %q, malformed %q", file, i+1, o.Host, c.Host.Name, got, want, c.Malformed)
				}
			}
		}
	}
}

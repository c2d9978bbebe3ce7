package golden

import (
	"os"
	"path/filepath"
	"testing"
)

// A recorder takes note of whether a test failed.
type recorder struct {
	testing.TB
	failed bool
}

func (r *recorder) Helper()               {}
func (r *recorder) Errorf(string, ...any) { r.failed = true }

func TestPart(t *testing.T) {
	defer func(old bool) { *update = old }(*update)
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("a\n<start>\nold\n<end>\nb\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	part := func(text string, write bool) (failed bool) {
		*update = write
		r := &recorder{TB: t}
		Part(r, page, "<start>", "<end>", text)
		return r.failed
	}
	if part("old\n", false) || !part("new\n", false) || part("new\n", true) || part("new\n", false) {
		t.Error("a stale part passes, or one that is not fails")
	}
	if text, err := os.ReadFile(page); err != nil || string(text) != "a\n<start>\nnew\n<end>\nb\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestDiff(t *testing.T) {
	for _, tt := range [][3]string{
		{"a\nb", "a\nb", ""}, {"a\nb\nc", "a\nx\nc", "- b\n- c\n+ x\n+ c\n"}, {"a", "a\nb", "+ b\n"}, {"", "a", "- \n+ a\n"},
	} {
		if got := Diff(tt[0], tt[1]); got != tt[2] {
			t.Errorf("%q and %q: %q", tt[0], tt[1], got)
		}
	}
}

package hosttest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

func TestWanted(t *testing.T) {
	for _, tt := range []struct {
		name, list string
		want       bool
	}{
		{"claude", "", false}, {"claude", "all", true}, {"claude", "codex,claude", true}, {"codex", "claude", false}, {"cla", "claude", false},
	} {
		if got := wanted(tt.name, tt.list); got != tt.want {
			t.Errorf("%s in %q: %v", tt.name, tt.list, got)
		}
	}
}

// TestRelease: the release to drive is the one asked for, else the one that was driven last.
func TestRelease(t *testing.T) {
	for want, version := range map[string]string{"1.2.3": "1.2.3", "": hookio.Lookup("claude").Driven.Version} {
		t.Setenv("PERMGATE_HOST_VERSION", want)
		if got := Claude.release(t); got != version || got == "" {
			t.Errorf("PERMGATE_HOST_VERSION=%q drives %q", want, got)
		}
	}
}

// TestNightly: the nightly run has a job for every host.
func TestNightly(t *testing.T) {
	var names []string
	for _, h := range Hosts {
		names = append(names, h.Name)
	}
	slices.Sort(names)
	matrix := "host: [" + strings.Join(names, ", ") + "]\n"
	if !strings.Contains(readFile(t, filepath.Join("..", "..", "..", ".github", "workflows", "nightly.yml")), matrix) {
		t.Errorf("nightly.yml has no %s", matrix)
	}
}

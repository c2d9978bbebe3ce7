package hosttest

import "testing"

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

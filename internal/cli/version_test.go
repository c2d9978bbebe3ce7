package cli

import (
	"runtime/debug"
	"testing"
)

// TestModuleVersion: what a binary that is no release build calls itself, and its commit.
func TestModuleVersion(t *testing.T) {
	const commit = "079be0436d5468ae3a8c5ad2cd0daa495fa71e05"
	clone := []debug.BuildSetting{{Key: "vcs.revision", Value: commit}, {Key: "vcs.time", Value: "2026-11-23T09:05:23Z"}, {Key: "vcs.modified", Value: "false"}}
	dirty := append(clone[:2:2], debug.BuildSetting{Key: "vcs.modified", Value: "true"})
	for _, tt := range []struct {
		main         string
		settings     []debug.BuildSetting
		want, commit string
	}{
		{"", nil, "devel", ""},
		{"(devel)", nil, "devel", ""},
		{"(devel)", clone, "devel-079be0436d54", commit},
		{"(devel)", dirty, "devel-079be0436d54+dirty", commit + "+dirty"},
		{"v0.0.0-20261123090523-079be0436d54", clone, "devel-079be0436d54", commit},
		{"v1.2.4-0.20261123090523-079be0436d54+dirty", dirty, "devel-079be0436d54+dirty", commit + "+dirty"},
		{"v1.2.3", clone, "1.2.3", commit}, // a commit with a tag
		{"v1.2.3+dirty", dirty, "1.2.3+dirty", commit + "+dirty"},
		{"v1.2.3", nil, "1.2.3", ""}, // go install of a tag
		{"v1.2.3-rc.1", nil, "1.2.3-rc.1", ""},
		{"v0.0.0-20261123090523-079be0436d54", nil, "0.0.0-20261123090523-079be0436d54", "079be0436d54"}, // of a branch
		{"v1.2.4-0.20261123090523-079be0436d54", nil, "1.2.4-0.20261123090523-079be0436d54", "079be0436d54"},
		{"(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: "short"}}, "devel-short", "short"},
	} {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.main}, Settings: tt.settings}
		b := buildOf(info)
		if got := moduleVersion(info); got != tt.want || b.commit+b.dirty != tt.commit {
			t.Errorf("%q: version %q, commit %q, want %q, %q", tt.main, got, b.commit+b.dirty, tt.want, tt.commit)
		}
	}
}

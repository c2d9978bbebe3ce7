package disk

import (
	"os"
	"path/filepath"
	"testing"
)

// TestUnindexed: which git index tells of a file.
func TestUnindexed(t *testing.T) {
	write := func(t *testing.T, name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, tt := range map[string]struct {
		make func(t *testing.T, dir string)
		want bool
	}{
		"no git":          {func(t *testing.T, dir string) {}, true},
		"index":           {func(t *testing.T, dir string) { write(t, dir+"/p/.git/index", "x") }, false},
		"index is gone":   {func(t *testing.T, dir string) { write(t, dir+"/p/.git/HEAD", "x") }, true},
		"above":           {func(t *testing.T, dir string) { write(t, dir+"/.git/index", "x") }, false},
		"gone, one above": {func(t *testing.T, dir string) { write(t, dir+"/.git/index", "x"); write(t, dir+"/p/.git/HEAD", "x") }, true},
		"no gitdir":       {func(t *testing.T, dir string) { write(t, dir+"/p/.git", "x") }, true},
		"another's": {func(t *testing.T, dir string) {
			write(t, dir+"/o/.git/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../o/.git\n")
		}, true},
		"work tree":           {func(t *testing.T, dir string) { tree(t, write, dir, dir+"/p/.git") }, false},
		"another's work tree": {func(t *testing.T, dir string) { tree(t, write, dir, dir+"/q/.git"); write(t, dir+"/q/.git", "x") }, true},
		"submodule": {func(t *testing.T, dir string) {
			write(t, dir+"/.git/index", "x")
			write(t, dir+"/.git/modules/p/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../.git/modules/p\n")
		}, false},
		"another's submodule": {func(t *testing.T, dir string) {
			write(t, dir+"/o/.git/modules/p/index", "x")
			write(t, dir+"/p/.git", "gitdir: ../o/.git/modules/p\n")
		}, true},
	} {
		t.Run(name, func(t *testing.T) {
			dir, err := filepath.EvalSymlinks(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			tt.make(t, dir)
			if got := (Disk{}).Unindexed(dir + "/p/.claude/settings.local.json"); got != tt.want {
				t.Errorf("%v", got)
			}
		})
	}
}

func tree(t *testing.T, write func(*testing.T, string, string), dir, back string) {
	admin := dir + "/main/.git/worktrees/p"
	write(t, admin+"/index", "x")
	write(t, admin+"/gitdir", back+"\n")
	write(t, dir+"/p/.git", "gitdir: "+admin+"\n")
}

package gate

import (
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
)

// TestOwnWorktree: a work tree that belongs to the project's own repository, and that
// repository to it, is no other repository.
func TestOwnWorktree(t *testing.T) {
	const wt, admin = "/w/p/.claude/worktrees/x", "/w/p/.git/worktrees/x"
	tree := func() *fakefs.FS {
		files := practicalTree()
		for name, data := range map[string]string{
			wt + "/a.go": "x", wt + "/.git": "gitdir: " + admin + "\n", admin + "/HEAD": "ref: refs/heads/x\n",
			admin + "/commondir": "../..\n", admin + "/gitdir": wt + "/.git\n",
			"/w/p/.git/objects/a": "", "/w/p/.git/refs/a": "", "/w/p/.git/config": "[core]\n\tbare = false\n",
			"/w/p/evil/.git/HEAD": "ref: refs/heads/x\n", "/w/p/evil/.git/objects/a": "", "/w/p/evil/.git/refs/a": "",
		} {
			files.Write(name, data)
		}
		files.Own("/w", 1000)
		return files
	}
	for command, want := range map[string]string{
		"git -C .claude/worktrees/x commit -m a":                                                        "7",
		"cd .claude/worktrees/x && git add a.go && git commit -m a":                                     "7",
		"git -C evil commit -m a":                                                                       "2",
		"mv .claude/worktrees/x y; mv evil .claude/worktrees/x; git -C .claude/worktrees/x commit -m a": "2",
		"tar -xf a.tar; git -C .claude/worktrees/x commit -m a":                                         "2",
	} {
		if _, v := practical(t, tree(), command); v.Step != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step, want, v.Reason)
		}
	}
	for what, change := range map[string]func(*fakefs.FS){
		"not linked back":     func(f *fakefs.FS) { f.Write(admin+"/gitdir", "/w/p/y/.git\n") },
		"another repository":  func(f *fakefs.FS) { f.Write(wt+"/.git", "gitdir: /w/p/evil/.git\n") },
		"another common":      func(f *fakefs.FS) { f.Write(admin+"/commondir", "/w/p/evil/.git\n") },
		"no work tree's name": func(f *fakefs.FS) { f.Write(wt+"/.git", "gitdir: /w/p/.git\n") },
		"a symlink":           func(f *fakefs.FS) { f.Remove(wt + "/.git"); f.Link(wt+"/.git", "/w/p/evil/.git") },
	} {
		files := tree()
		change(files)
		if _, v := practical(t, files, "git -C .claude/worktrees/x commit -m a"); v.Step != "2" {
			t.Errorf("%s: step %s, want 2: %s", what, v.Step, v.Reason)
		}
	}
}

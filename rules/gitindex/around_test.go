package gitindex_test

import (
	"io/fs"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/gitindex"
	"github.com/permgate--owner/permgate/rules/load"
)

// trees is a repository with linked work trees, one of them below it, as git lays them out.
func trees() *fakefs.FS {
	f := fakefs.New(map[string]string{
		"/u/app/.git/HEAD": "ref: refs/heads/main\n", "/u/app/.git/config": "[core]\n\tbare = false\n[extensions]\n\tworktreeConfig = true\n",
		"/u/app/.git/worktrees/wt/commondir": "../..\n", "/u/app/.git/worktrees/wt/gitdir": "/u/wt/.git\n",
		"/u/app/.git/worktrees/a/commondir": "../..\n", "/u/app/.git/worktrees/a/gitdir": "/u/app/.claude/worktrees/a/.git\n",
		"/u/wt/.git": "gitdir: /u/app/.git/worktrees/wt\n", "/u/wt/sub/x": "",
		"/u/app/.claude/worktrees/a/.git": "gitdir: ../../../.git/worktrees/a\n",
		"/u/plain/x":                      "",
	})
	f.Own("/u", 1000)
	return f
}

// TestAround: which repository is around a folder, and which folder is its main checkout. A .git file may say
// anything: nothing counts but what the repository says as well.
func TestAround(t *testing.T) {
	write := func(name, text string) func(*fakefs.FS) {
		return func(f *fakefs.FS) { f.Write(name, text).UID = 1000 }
	}
	for _, c := range []struct {
		name, from   string
		change       func(*fakefs.FS)
		root, common string
		mine         bool
		main         string
	}{
		{name: "main checkout", from: "/u/app", root: "/u/app", common: "/u/app/.git", mine: true},
		{name: "next to it", from: "/u/wt/sub", root: "/u/wt", common: "/u/app/.git", mine: true, main: "/u/app"},
		{name: "below it", from: "/u/app/.claude/worktrees/a", root: "/u/app/.claude/worktrees/a", common: "/u/app/.git", mine: true, main: "/u/app"},
		{name: "no repository", from: "/u/plain"},

		{name: "one direction", from: "/u/evil", change: func(f *fakefs.FS) {
			f.Write("/u/evil/.git", "gitdir: /u/app/.git/worktrees/wt\n")
			f.Own("/u/evil", 1000)
		}, root: "/u/evil", common: "/u/app/.git"},
		{name: "brings a git directory that names the repository", from: "/u/evil", change: func(f *fakefs.FS) {
			f.Write("/u/evil/.git", "gitdir: x/worktrees/wt\n")
			f.Write("/u/evil/x/worktrees/wt/commondir", "/u/app/.git\n")
			f.Write("/u/evil/x/worktrees/wt/gitdir", "/u/evil/.git\n")
			f.Own("/u/evil", 1000)
		}, root: "/u/evil", common: "/u/app/.git"},
		{name: "a .git folder that names the repository", from: "/u/evil", change: func(f *fakefs.FS) {
			f.Write("/u/evil/.git/commondir", "/u/app/.git\n")
			f.Own("/u/evil", 1000)
		}, root: "/u/evil", common: "/u/app/.git"},
		{name: "a symlink to the repository", from: "/u/evil", change: func(f *fakefs.FS) {
			f.Link("/u/evil/.git", "/u/app/.git")
			f.Own("/u/evil", 1000)
		}, root: "/u/evil", common: "/u/app/.git"},
		{name: "not understood", from: "/u/wt", change: write("/u/wt/.git", "hello"), root: "/u/wt"},
		{name: "a submodule", from: "/u/app/sub", change: func(f *fakefs.FS) {
			f.Write("/u/app/sub/.git", "gitdir: ../.git/modules/sub\n")
			f.Mkdir("/u/app/.git/modules/sub")
			f.Own("/u/app", 1000)
		}, root: "/u/app/sub", common: "/u/app/.git/modules/sub", mine: true},
		{name: "a bare repository", from: "/u/bare", change: func(f *fakefs.FS) {
			f.Write("/u/bare/HEAD", "ref: refs/heads/main\n")
			f.Mkdir("/u/bare/objects")
			f.Own("/u/bare", 1000)
		}, root: "/u/bare", common: "/u/bare"},
		{name: "work tree of a bare repository", from: "/u/wt", change: func(f *fakefs.FS) {
			f.Write("/u/bare.git/worktrees/wt/commondir", "../..\n")
			f.Write("/u/bare.git/worktrees/wt/gitdir", "/u/wt/.git\n")
			f.File("/u/wt/.git").Data = "gitdir: /u/bare.git/worktrees/wt\n"
			f.Own("/u/bare.git", 1000)
		}, root: "/u/wt", common: "/u/bare.git", mine: true},
		{name: "core.worktree", from: "/u/wt", change: write("/u/app/.git/config", "[core] WorkTree = /srv\n"), root: "/u/wt", common: "/u/app/.git", mine: true},
		{name: "core.worktree of the main checkout alone", from: "/u/wt", change: write("/u/app/.git/config.worktree", "[core]\n\tworktree = ../../x\n"), root: "/u/wt", common: "/u/app/.git", mine: true},
		{name: "a configuration that cannot be read", from: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git/config").Err = fs.ErrPermission }, root: "/u/wt", common: "/u/app/.git", mine: true},
		{name: "somebody else's work tree", from: "/u/wt", change: func(f *fakefs.FS) { f.Own("/u/wt", 1001) }, root: "/u/wt", common: "/u/app/.git"},
		{name: "somebody else's repository", from: "/u/wt", change: func(f *fakefs.FS) { f.Own("/u/app/.git", 1001) }, root: "/u/wt", common: "/u/app/.git"},
		{name: "somebody else's checkout", from: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app").UID = 1001 }, root: "/u/wt", common: "/u/app/.git", mine: true},
		{name: "others can write the pointer back", from: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git/worktrees/wt/gitdir").Mode = 0o666 }, root: "/u/wt", common: "/u/app/.git"},
		{name: "others can write to the checkout", from: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app").Mode |= 0o022 }, root: "/u/wt", common: "/u/app/.git", mine: true},
	} {
		f := trees()
		if c.change != nil {
			c.change(f)
		}
		git := load.Git(f, rules.Linux, 1000)
		p := git.Around(c.from)
		if p.Root != c.root || p.Common != c.common || git.Mine(&p) != c.mine || git.Main(&p) != c.main {
			t.Errorf("%s: %+v, mine %v, main %q", c.name, p, git.Mine(&p), git.Main(&p))
		}
	}
	var _ gitindex.Files = load.Files(nil)
}

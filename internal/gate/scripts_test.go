package gate

import (
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// Only expandScripts reads files of the project, and only those of a runner
// that is there.
func TestExpandReads(t *testing.T) {
	for _, tt := range []struct {
		key, command string
		more         int // files opened besides the settings
	}{
		{"false", "npm run a; make; just; task; mise run a", 0},
		{"true", "ls -la", 0},
		{"true", "npm run a", 1},
		{"true", "npm run a; npm run a; make; just", 1},
	} {
		files := fakefs.New(map[string]string{
			"/w/package.json":              `{"scripts": {"a": "rm -rf /"}}`,
			"/home/dev/.gen/permgate.json": `{"expandScripts": ` + tt.key + `}`,
		})
		files.Own("/w", 1000)
		w := World{
			Getenv: func(string) string { return "" }, Cwd: "/w", PasswdHome: "/home/dev", UID: 1000, Files: files, Now: time.Time{}.Add(time.Hour),
			Exe: func() (string, error) { return "/usr/bin/permgate", nil }, ManagedDir: []string{"/etc/gen"},
		}
		reads := func(command string) int {
			call, err := hookio.Read(strings.NewReader(`{"cwd":"/w","tool_name":"Bash","tool_input":{"command":"`+command+`"}}`), hookio.Options{})
			if err != nil {
				t.Fatal(err)
			}
			files.Reads = 0
			if c := Case(call, &Flags{}, w); (len(c.Script.Findings) > 0) != (tt.more > 0 && command == tt.command) {
				t.Errorf("%s: findings %v", command, c.Script.Findings)
			}
			return files.Reads
		}
		if plain, got := reads("true"), reads(tt.command); got-plain != tt.more {
			t.Errorf("%s with %s: %d files of the project were opened, want %d", tt.command, tt.key, got-plain, tt.more)
		}
	}
}

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
		if _, v := practical(t, tree(), command); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
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
		if _, v := practical(t, files, "git -C .claude/worktrees/x commit -m a"); v.Step() != "2" {
			t.Errorf("%s: step %s, want 2: %s", what, v.Step(), v.Reason())
		}
	}
}

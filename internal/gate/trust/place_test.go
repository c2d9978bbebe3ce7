package trust

import (
	"io/fs"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
)

// repo is a repository with a linked work tree, as git lays them out.
func repo() *fakefs.FS {
	f := fakefs.New(map[string]string{
		"/u/app/.git/HEAD":                   "ref: refs/heads/main\n",
		"/u/app/.git/worktrees/wt/commondir": "../..\n",
		"/u/app/.git/worktrees/wt/gitdir":    "/u/wt/.git\n",
		"/u/wt/.git":                         "gitdir: /u/app/.git/worktrees/wt\n",
		"/u/wt/.gen/settings.json":           "{}",
		"/u/app/.gen/settings.json":          "{}",
		"/u/wt/sub/x":                        "",
		"/u/plain/x":                         "",
	})
	f.Own("/u", 1000)
	return f
}

// TestLocate: a work tree shares the records of its repository only if that is
// the user's own and knows it.
func TestLocate(t *testing.T) {
	evil := func(f *fakefs.FS, dotGit string) {
		f.Write("/u/evil/.git", dotGit)
		f.Own("/u/evil", 1000)
	}
	for _, c := range []struct {
		name, project            string
		change                   func(*fakefs.FS)
		repo, top, folder, mains string
	}{
		{name: "main work tree", project: "/u/app", repo: "/u/app/.git", top: "/u/app"},
		{name: "linked work tree", project: "/u/wt", repo: "/u/app/.git", top: "/u/wt", mains: "/u/app"},
		{name: "folder of one", project: "/u/wt/sub", repo: "/u/app/.git", top: "/u/wt", folder: "sub", mains: "/u/app/sub"},
		{name: "no repository", project: "/u/plain"},
		{name: "reached by a symlink", project: "/u/link/sub", change: func(f *fakefs.FS) { f.Link("/u/link", "wt") }, repo: "/u/app/.git", top: "/u/wt", folder: "sub", mains: "/u/app/sub"},
		{name: "relative pointers", project: "/u/wt", change: func(f *fakefs.FS) {
			f.File("/u/wt/.git").Data = "gitdir: ../app/.git/worktrees/wt\n"
			f.File("/u/app/.git/worktrees/wt/gitdir").Data = "../../../../wt/.git\n"
		}, repo: "/u/app/.git", top: "/u/wt", mains: "/u/app"},
		{name: "of a bare repository", project: "/u/wt", change: func(f *fakefs.FS) {
			f.Write("/u/bare/worktrees/wt/commondir", "../..\n")
			f.Write("/u/bare/worktrees/wt/gitdir", "/u/wt/.git\n")
			f.File("/u/wt/.git").Data = "gitdir: /u/bare/worktrees/wt\n"
			f.Own("/u/bare", 1000)
		}, repo: "/u/bare", top: "/u/wt"},

		{name: "names the work tree of another folder", project: "/u/evil", change: func(f *fakefs.FS) { evil(f, "gitdir: /u/app/.git/worktrees/wt\n") }},
		{name: "names the repository itself", project: "/u/evil", change: func(f *fakefs.FS) { evil(f, "gitdir: /u/app/.git\n") }},
		{name: "names a work tree that the repository does not have", project: "/u/evil", change: func(f *fakefs.FS) { evil(f, "gitdir: /u/app/.git/worktrees/none\n") }},
		{name: "brings a work tree that names the repository", project: "/u/evil", change: func(f *fakefs.FS) {
			evil(f, "gitdir: x/worktrees/wt\n")
			f.Write("/u/evil/x/worktrees/wt/commondir", "/u/app/.git\n")
			f.Write("/u/evil/x/worktrees/wt/gitdir", "/u/evil/.git\n")
			f.Own("/u/evil", 1000)
		}},
		{name: "brings a link to the repository's work trees", project: "/u/evil", change: func(f *fakefs.FS) {
			evil(f, "gitdir: x/wt\n")
			f.Link("/u/evil/x", "/u/app/.git/worktrees")
			f.Own("/u/evil", 1000)
		}},
		{name: ".git is a symlink to the repository", project: "/u/evil", change: func(f *fakefs.FS) {
			f.Link("/u/evil/.git", "/u/app/.git")
			f.Own("/u/evil", 1000)
		}},
		{name: ".git is a symlink to the work tree's file", project: "/u/evil", change: func(f *fakefs.FS) {
			f.Link("/u/evil/.git", "/u/wt/.git")
			f.Own("/u/evil", 1000)
		}},
		{name: "a .git folder that names the repository as its common one", project: "/u/evil", change: func(f *fakefs.FS) {
			f.Write("/u/evil/.git/commondir", "/u/app/.git\n")
			f.Own("/u/evil", 1000)
		}},
		{name: "two lines", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/wt/.git").Data = "gitdir: /u/app/.git/worktrees/wt\n/x\n" }},
		{name: "a submodule", project: "/u/app/sub", change: func(f *fakefs.FS) {
			f.Write("/u/app/sub/.git", "gitdir: ../.git/modules/sub\n")
			f.Mkdir("/u/app/.git/modules/sub")
			f.Own("/u/app", 1000)
		}},
		{name: "work tree of others", project: "/u/wt", change: func(f *fakefs.FS) { f.Own("/u/wt", 1001) }},
		{name: "work tree others can write to", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/wt").Mode = fs.ModeDir | 0o777 }},
		{name: "pointer of others", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/wt/.git").UID = 1001 }},
		{name: "repository of others", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git").UID = 1001 }},
		{name: "repository others can write to", project: "/u/app", change: func(f *fakefs.FS) { f.File("/u/app/.git").Mode = fs.ModeDir | 0o777 }},
		{name: "its list of work trees others can write to", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git/worktrees").Mode = fs.ModeDir | 0o777 }},
		{name: "what it says of the work tree is somebody else's", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git/worktrees/wt/gitdir").UID = 1001 }},
		{name: "it is gone", project: "/u/wt", change: func(f *fakefs.FS) { f.File("/u/app/.git/worktrees/wt/gitdir").Data = "" }},
	} {
		f := repo()
		if c.change != nil {
			c.change(f)
		}
		p := Locate(f, rules.Linux, 1000, c.project)
		if p.Repo != c.repo || p.Top != c.top || p.Folder != c.folder || p.Main != c.mains {
			t.Errorf("%s: %+v", c.name, p)
		}
	}
}

// TestKeys: the work trees of a repository have one key for a file, and records
// that were made before of this or the main one count.
func TestKeys(t *testing.T) {
	f := repo()
	main, wt := Locate(f, rules.Linux, 1000, "/u/app"), Locate(f, rules.Linux, 1000, "/u/wt")
	a, b := main.Key("/u/app/.gen/settings.json"), wt.Key("/u/wt/.gen/settings.json")
	s := Store{Dir: "/s"}
	if !a.Same(b) || s.File(a) != s.File(b) || a.File != ".gen/settings.json" {
		t.Errorf("%+v and %+v", a, b)
	}
	if c := wt.Key("/u/app/.gen/settings.json"); !a.Same(c) {
		t.Errorf("%+v is not the main work tree's %+v", c, a)
	}
	sub := Locate(f, rules.Linux, 1000, "/u/wt/sub")
	for _, other := range []Key{
		wt.Key("/u/wt/.san/settings.json"), wt.Key("/x/.gen/settings.json"), sub.Key("/u/wt/.gen/settings.json"),
	} {
		if a.Same(other) || s.File(a) == s.File(other) {
			t.Errorf("%+v counts as %+v", other, a)
		}
	}
	var old []string
	for _, k := range wt.Keys("/u/wt/.gen/settings.json")[1:] {
		old = append(old, k.Project+" "+k.File)
	}
	if len(old) != 2 || old[0] != "/u/wt /u/wt/.gen/settings.json" || old[1] != "/u/app /u/app/.gen/settings.json" {
		t.Errorf("old records: %q", old)
	}
	if k := sub.Keys("/u/wt/sub/.gen/settings.json")[2]; k.Project != "/u/app/sub" || k.File != "/u/app/sub/.gen/settings.json" {
		t.Errorf("old record of a folder: %+v", k)
	}
}

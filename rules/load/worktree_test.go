package load_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// TestMainCheckout: in a linked work tree the local file of the main checkout counts like the project's own, wherever
// the work tree lies, and no file of it is read twice or counts for more.
func TestMainCheckout(t *testing.T) {
	const (
		below, beside = proj + "/.claude/worktrees/a", home + "/wt"
		local         = proj + "/.claude/settings.local.json"
		text          = `{"permissions":{"deny":["Bash(a:*)"],"ask":["Bash(b:*)"],"allow":["Bash(c:*)"],"additionalDirectories":["/srv"],"defaultMode":"acceptEdits"}}`
	)
	link := func(f *fakefs.FS, name, at string) {
		f.Write(at+"/.git", "gitdir: "+proj+"/.git/worktrees/"+name+"\n")
		f.Write(proj+"/.git/worktrees/"+name+"/commondir", "../..\n")
		f.Write(proj+"/.git/worktrees/"+name+"/gitdir", at+"/.git\n")
	}
	for _, c := range []struct {
		name, cwd, project string
		change             func(*fakefs.FS)
		require            bool
		deny, allow        string
		windows            bool
	}{
		{name: "beside it", cwd: beside, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "beside it, named by the host", cwd: beside, project: beside, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "below it", cwd: below, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "below it, named by the host", cwd: below, project: below, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "below it, cwd elsewhere", cwd: "/tmp", project: below, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "a folder of one", cwd: beside + "/sub", project: beside + "/sub", change: func(f *fakefs.FS) { f.Mkdir(beside + "/sub").UID = user }, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "reached by a symlink", cwd: "/l/wt", change: func(f *fakefs.FS) { f.Link("/l", home) }, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "every root", cwd: beside, change: func(f *fakefs.FS) {
			f.Write(proj+"/.gen/settings.local.json", `{"permissions":{"deny":["Bash(g:*)"]}}`)
			f.Write(proj+"/.san/settings.local.json", `{"permissions":{"allow":["Bash(s:*)"]}}`)
			f.Own(proj, user)
		}, deny: "Bash(g:*) | Bash(a:*)", allow: "Bash(s:*) | Bash(c:*)"},
		{name: "with the work tree's own", cwd: beside, change: func(f *fakefs.FS) {
			f.Write(beside+"/.claude/settings.local.json", `{"permissions":{"deny":["Bash(x:*)"],"allow":["Bash(y:*)"]}}`)
		}, deny: "Bash(x:*) | Bash(a:*)", allow: "Bash(y:*) | Bash(c:*)"},
		{name: "no other file of it", cwd: beside, change: func(f *fakefs.FS) {
			f.Write(proj+"/.claude/settings.json", `{"permissions":{"deny":["Bash(x:*)"],"allow":["Bash(y:*)"]}}`)
			f.Write(proj+"/.claude/permgate.json", `{"enforce":false}`)
			f.Own(proj, user)
		}, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "untracked, trust required", cwd: beside, require: true, deny: "Bash(a:*)", allow: "Bash(c:*)"},
		{name: "tracked, trust required", cwd: beside, require: true, change: func(f *fakefs.FS) { f.File(local).Tracked = true }, deny: "Bash(a:*)"},

		{name: "the folder is a symlink", cwd: beside, change: func(f *fakefs.FS) {
			f.Write(home+"/x/settings.local.json", text)
			f.Own(home+"/x", user)
			f.Link(proj+"/.claude", home+"/x")
		}, deny: "Bash(a:*)"},
		{name: "the folder is somebody else's", cwd: beside, change: func(f *fakefs.FS) { f.File(proj + "/.claude").UID = 7 }, deny: "Bash(a:*)"},
		{name: "the repository does not know it", cwd: beside, change: func(f *fakefs.FS) { f.File(proj + "/.git/worktrees/b/gitdir").Data = "/x/.git\n" }},
		{name: "somebody else's repository", cwd: beside, change: func(f *fakefs.FS) { f.Own(proj+"/.git", 7) }},
		{name: "others can write to its list", cwd: beside, change: func(f *fakefs.FS) { f.File(proj + "/.git/worktrees").Mode = fs.ModeDir | 0o777 }},
		{name: "core.worktree", cwd: beside, change: func(f *fakefs.FS) { f.Write(proj+"/.git/config", "[core]\n\tworktree = /srv\n").UID = user }},
		{name: "the home is the checkout", cwd: beside, change: func(f *fakefs.FS) {
			f.Write(beside+"/.git", "gitdir: "+home+"/.git/worktrees/b\n").UID = user
			f.Write(home+"/.git/worktrees/b/commondir", "../..\n")
			f.Write(home+"/.git/worktrees/b/gitdir", beside+"/.git\n")
			f.Write(home+"/.claude/settings.local.json", text)
			f.Own(home+"/.git", user)
		}, deny: "Bash(a:*)"}, // as a folder above cwd
		{name: "a submodule", cwd: proj + "/sub", project: proj + "/sub", change: func(f *fakefs.FS) {
			f.Write(proj+"/sub/.git", "gitdir: ../.git/modules/sub\n")
			f.Mkdir(proj + "/.git/modules/sub")
			f.Own(proj, user)
		}, deny: "Bash(a:*)"},
		{name: "Windows", cwd: beside, windows: true},
	} {
		f := tree(map[string]string{local: text, home + "/.claude/permgate.json": `{}`})
		link(f, "a", below)
		link(f, "b", beside)
		if c.require {
			f.Write(home+"/.claude/permgate.json", `{"projectTrust":"require"}`)
		}
		f.Own(home, user)
		if c.change != nil {
			c.change(f)
		}
		p := load.Load(where(func(w *load.Where) {
			w.Cwd, w.Project = c.cwd, c.project
			if c.windows {
				w.OS = rules.Windows
			}
		}), f)
		check(t, c.name+": deny", texts(p.Deny), c.deny)
		check(t, c.name+": allow", texts(p.Allow), c.allow)
		if wide := strings.Contains(c.allow, "Bash(c:*)"); wide != (len(p.Dirs) == 1) || wide != (p.Mode.Value == "acceptEdits") || len(p.Ask) > 1 {
			t.Errorf("%s: directories %v, mode %s, ask %s", c.name, p.Dirs, p.Mode.Value, texts(p.Ask))
		}
	}
}

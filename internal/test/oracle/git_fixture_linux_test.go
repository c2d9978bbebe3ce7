package oracle

import (
	"io/fs"
	"os"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate/disk"
)

// Words that only one file of the scratch repository holds: what prints them has read it.
const (
	untrackedMark = "MARKOFTHEUNTRACKED"
	trackedMark   = "MARKOFTHETRACKED"
)

// A gitFixture is a scratch repository at /w, and what its history has ever held.
type gitFixture struct {
	*fixture
	tracked map[string]bool // absolute paths
}

// gitSteps make the repository.
var gitSteps = []string{
	"init -q -b main .", "config user.name n", "config user.email e@x", "config advice.detachedHead false", "config gc.auto 0", "config maintenance.auto false",
	"add a b c.txt sub .gitignore .secret", "commit -q -m first", "tag v1", "branch side", "checkout -q side", "rm -q -r --cached sub/deep",
	"add -f side.txt", "commit -q -m on-side", "checkout -q -f main", "tag -a -m note v2", "stash push -q", "update-index --add --chmod=+x tool0",
	"commit -q -m second", "notes add -m noted", "bundle create -q x.bundle main", "format-patch -q -1 --output=x.mbox", "fast-export --all --export-marks=marks",
	"clone -q --no-hardlinks . other", "worktree add -q -b wt wt", "remote add origin ./other", "archive -o x.tar HEAD",
}

// newGitFixture fills /w of a cage with a repository that the real git makes.
func newGitFixture(t testing.TB, c *Cage) *gitFixture {
	t.Helper()
	root, err := os.OpenRoot(c.Root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	f := &fixture{cage: c, root: root, made: map[string]bool{}, gid: -1}
	if os.Geteuid() == 0 {
		f.gid = c.Uid
	}
	const hunk = "@@ -0,0 +1 @@\n+x\n"
	made := func(name string) string {
		return "diff --git a/" + name + " b/" + name + "\nnew file mode 100644\n--- /dev/null\n+++ b/" + name + "\n" + hunk
	}
	mail := "From 0000000000000000000000000000000000000001 Mon Sep 17 00:00:00 2001\nFrom: n <e@x>\nDate: Mon, 1 Jan 2020 00:00:00 +0000\nSubject: [PATCH] x\n\nbody\n---\n"
	f.files = []fixed{
		{name: "w/a", data: "alpha\nbeta\ngamma\n"}, {name: "w/b", data: "alpha\nBETA\ngamma\n"}, {name: "w/c.txt", data: "one\ntwo\n"}, {name: "w/sub/"},
		{name: "w/sub/s", data: "s\n"}, {name: "w/sub/t.txt", data: "t\n"}, {name: "w/sub/deep/"}, {name: "w/sub/deep/x", data: "x\n"},
		{name: "w/.gitignore", data: ".env\nignored\n"}, {name: "w/.secret", data: trackedMark + "\n"}, {name: "w/.env", data: untrackedMark + "\n"},
		{name: "w/un", data: "untracked\n"}, {name: "w/dir2/"}, {name: "w/dir2/u", data: "u\n"}, {name: "w/side.txt", data: "side\n"}, {name: "w/ignored", data: "i\n"},
		{name: "w/tool", data: "#!/bin/sh\necho ran > /w/tool.out\n", mode: 0o755}, {name: "w/tool0", data: "#!/bin/sh\n"},
		{name: "w/p.diff", data: made(".envrc")}, {name: "w/sub.diff", data: made("made/x")}, {name: "w/plain.diff", data: "--- /dev/null\n+++ made2\n" + hunk},
		{name: "w/change.diff", data: "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n alpha\n-beta\n+BETA\n gamma\n"},
		{name: "w/link.diff", data: "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+sub\n\\ No newline at end of file\n"},
		{name: "w/ren.diff", data: "diff --git a/a b/.git2/x\nsimilarity index 100%\nrename from a\nrename to .git2/x\n"},
		{name: "w/m.mbox", data: mail + made("mailed") + "-- \n2.39\n"}, {name: "w/list", data: "a\nsub/s\n"}, {name: "w/msg", data: "subject\n\nbody\n\nSigned-off-by: n\n"},
		{name: "w/.gitconfig", data: "[safe]\n\tdirectory = *\n"}, {name: "w/index.info", data: "100644 e69de29bb2d1d6434b8b29ae775ad8c2e48c5391\tindexed\n"},
		{name: "w/series/"}, {name: "w/series/series", data: "p.patch\n"}, {name: "w/series/p.patch", data: made("quilted")},
	}
	f.place(t)
	for _, step := range gitSteps {
		r, err := c.Run("/dev/null", append([]string{"git"}, strings.Fields(step)...)...)
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != 0 && !strings.HasPrefix(step, "stash") {
			t.Fatalf("git %s: %d: %s", step, r.Status, c.Output(1000))
		}
	}
	g := &gitFixture{fixture: f, tracked: map[string]bool{}}
	if _, err := c.Run("/dev/null", "git", "log", "--all", "--name-only", "--format="); err != nil {
		t.Fatal(err)
	}
	for name := range strings.FieldsSeq(c.Output(1 << 16)) {
		for at := "/w/" + name; at != "/w"; at = at[:strings.LastIndexByte(at, '/')] {
			g.tracked[at] = true
		}
	}
	f.keep(t)
	return g
}

// keep takes what there is in /w for the files of the fixture.
func (f *fixture) keep(t testing.TB) {
	t.Helper()
	f.files = nil
	err := fs.WalkDir(f.root.FS(), "w", func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == "w" {
			return err
		}
		x := fixed{name: name}
		switch info, err := d.Info(); {
		case err != nil:
			return err
		case d.IsDir():
			x.name += "/"
		case info.Mode()&fs.ModeSymlink != 0:
			if x.link, err = f.root.Readlink(name); err != nil {
				return err
			}
		default:
			data, err := f.root.ReadFile(name)
			if err != nil {
				return err
			}
			x.data, x.mode = string(data), info.Mode().Perm()
		}
		f.files = append(f.files, x)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.place(t)
	f.settle(t)
}

// A cageDisk is the disk as a decision about a program in the cage sees it.
type cageDisk struct {
	disk.Disk
	root string
}

func (d cageDisk) Lstat(name string) (fs.FileInfo, error) { return d.Disk.Lstat(d.root + name) }
func (d cageDisk) Readlink(name string) (string, error)   { return d.Disk.Readlink(d.root + name) }
func (d cageDisk) ReadDir(name string) ([]string, error)  { return d.Disk.ReadDir(d.root + name) }
func (d cageDisk) ReadFile(name string, max int64) ([]byte, error) {
	return d.Disk.ReadFile(d.root+name, max)
}
func (d cageDisk) Tracked(string) bool { return false }

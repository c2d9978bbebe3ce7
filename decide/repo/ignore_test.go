package repo

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

func TestIgnorePattern(t *testing.T) {
	for _, tt := range []struct {
		line, folder string
		sure, maybe  bool
	}{
		{"dist", "dist", true, true},
		{"dist", "web/dist", true, true},
		{"dist/", "web/dist", true, true},
		{"/dist", "dist", true, true},
		{"/dist", "web/dist", false, false},
		{"web/dist", "web/dist", true, true},
		{"web/dist", "a/web/dist", false, false},
		{"**/dist", "dist", true, true},
		{"**/dist", "a/b/dist", true, true},
		{"web/**", "web", false, false},
		{"web/**", "web/dist", true, true},
		{"web/**/dist", "web/dist", true, true},
		{"web/**/dist", "web/a/b/dist", true, true},
		{"*/dist", "web/dist", true, true},
		{"*/dist", "a/web/dist", false, false},
		{"di*", "dist", true, true},
		{"d?st", "dist", true, true},
		{"*", "dist", true, true},
		{"DIST", "dist", false, true},
		{"d[i]st", "dist", false, true},
		{`d\ist`, "dist", false, true},
		{"dist/*", "dist", false, false},
		{"/", "dist", false, true},
		{"dist\t", "dist", false, false},
	} {
		sure, maybe := ignorePattern(tt.line).matches(strings.Split(tt.folder, "/"))
		if sure != tt.sure || maybe != tt.maybe {
			t.Errorf("%q, %s: %v %v, want %v %v", tt.line, tt.folder, sure, maybe, tt.sure, tt.maybe)
		}
	}
	for line, want := range map[string]string{"a ": "a", "a \r": "a", `a\ `: `a\ `, "# a": "", "!a": "!a", "": "", "!": "!", " a": " a"} {
		p, negative := ignoreLine(line)
		if got := string(p); negative && "!"+got != want || !negative && got != want {
			t.Errorf("%q: %q %v", line, got, negative)
		}
	}
}

// TestIgnoredByGit: what is taken for ignored is ignored by git. The other way
// round is promised for plain lines only.
func TestIgnoredByGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	r := rand.New(rand.NewSource(1))
	folders := []string{"dist", "a", "a/dist", "a/b", "a/b/dist", "b/a/dist", "a/dist/b", "a/b/dist/a"}
	pieces := []string{"dist", "a", "b", "*", "**", "?", "d*", "*st", "**dist", "/", "/", "/", "/", "dist/", "/dist"}
	line := func() string {
		var b strings.Builder
		if r.Intn(3) == 0 {
			b.WriteByte('!')
		}
		for range 1 + r.Intn(4) {
			b.WriteString(pieces[r.Intn(len(pieces))])
		}
		return b.String() + []string{"", "", "", " ", "\r", "/"}[r.Intn(6)]
	}
	dir := t.TempDir()
	git := func(in string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir)
		out, err := cmd.Output()
		if err != nil && args[0] != "check-ignore" {
			t.Fatal(args, err)
		}
		return string(out)
	}
	git("", "init", "-q")
	for _, f := range folders {
		if err := os.MkdirAll(filepath.Join(dir, f), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	ignoring, certain := 0, 0
	for range testenv.Count(t, 20, 60, 60) {
		for _, at := range []string{".gitignore", "a/.gitignore", "a/b/.gitignore"} {
			var lines []string
			for range r.Intn(4) {
				lines = append(lines, line())
			}
			if err := os.WriteFile(filepath.Join(dir, at), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		git("", "add", "-f", ".gitignore", "a/.gitignore", "a/b/.gitignore")
		said := strings.Split(git(strings.Join(folders, "\n")+"\n", "check-ignore", "--no-index", "--stdin"), "\n")
		c := New(world.New(world.Facts{FS: disk.Disk{}}, &rules.Policy{}, ""))
		root, _ := filepath.EvalSymlinks(dir)
		index := c.Index(root)
		if index == nil {
			t.Fatal("the index is not understood")
		}
		for _, f := range folders {
			byGit, got := slices.Contains(said, f), c.Ignored(index, f)
			if got && !byGit {
				files, _ := exec.Command("grep", "-r", "", "--include=.gitignore", dir).Output()
				t.Errorf("%s is taken for ignored:\n%s", f, files)
			}
			if byGit {
				ignoring++
			}
			if got {
				certain++
			}
		}
	}
	if certain < ignoring/2 {
		t.Errorf("of %d ignored folders only %d are recognised", ignoring, certain)
	}
	t.Logf("%d of %d ignored folders are recognised", certain, ignoring)
}

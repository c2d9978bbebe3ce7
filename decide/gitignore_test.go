package decide

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/disk"
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
// round is not promised, but for plain lines.
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
	ignoring, certain := 0, 0
	for range 60 {
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
		for _, at := range []string{".gitignore", "a/.gitignore", "a/b/.gitignore"} {
			var lines []string
			for range r.Intn(4) {
				lines = append(lines, line())
			}
			if err := os.WriteFile(filepath.Join(dir, at), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
				t.Fatal(err)
			}
			git("", "add", "-f", at)
		}
		said := strings.Split(git(strings.Join(folders, "\n")+"\n", "check-ignore", "--no-index", "--stdin"), "\n")
		c := testCase("Bash")
		c.World = world.New(world.Facts{FS: disk.Disk{}}, c.Policy, "")
		root, _ := filepath.EvalSymlinks(dir)
		index := c.index(root)
		if index == nil {
			t.Fatal("the index is not understood")
		}
		for _, f := range folders {
			byGit, got := slices.Contains(said, f), c.ignored(index, f)
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

// TestPracticalGit: a removal in a repository that git itself made.
func TestPracticalGit(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir, _ := filepath.EvalSymlinks(t.TempDir())
	run := func(at string, args ...string) {
		cmd := exec.Command("git", args...)
		cmd.Dir = at
		cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "HOME="+dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	write := func(name, data string) {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	home := ""
	decided := func(project, command string) string {
		c := testCase("Bash")
		c.Call.Command = command
		p := filepath.Join(dir, project)
		c.Policy.Cwd, c.Policy.Project = rules.Path{Given: p, Real: p}, rules.Path{Given: p, Real: p}
		c.Policy.Home = rules.Path{Given: home, Real: home}
		c.World = world.New(world.Facts{FS: disk.Disk{}}, c.Policy, "")
		c.Policy.Posture.Destructive.Value = "practical"
		c.Script = bashsafety.Analyze(command, bashsafety.Env{Cwd: p})
		return Decide(c).Step
	}
	write("repo/.gitignore", "dist/\n")
	write("repo/dist/a.js", "x")
	write("repo/src/a.js", "x")
	run(filepath.Join(dir, "repo"), "init", "-q")
	want := func(project, command, step string) {
		t.Helper()
		if got := decided(project, command); got != step {
			t.Errorf("%s: %s: step %s, want %s", project, command, got, step)
		}
	}
	want("repo", "rm -rf dist", "2")
	run(filepath.Join(dir, "repo"), "add", ".")
	want("repo", "rm -rf dist", "7")
	want("repo", "rm -rf src", "2")
	home = filepath.Join(dir, "repo") // whose .gitignore says what is no setting
	want("repo", "rm -rf dist", "2")
	home = dir
	want("repo", "rm -rf dist", "7")
	run(filepath.Join(dir, "repo"), "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
	run(filepath.Join(dir, "repo"), "worktree", "add", "-q", "../tree")
	write("tree/dist/a.js", "x")
	want("tree", "rm -rf dist", "7")
	write("tree/.gitignore", "dist/\n# more\n")
	want("tree", "rm -rf dist", "2")
	run(filepath.Join(dir, "repo"), "add", "-f", "dist/a.js")
	want("repo", "rm -rf dist", "2")
}

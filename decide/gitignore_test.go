package decide

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

// TestPracticalGit: a removal in a repository that git itself made.
func TestPracticalGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the policies of these tests have the paths of a Unix")
	}
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

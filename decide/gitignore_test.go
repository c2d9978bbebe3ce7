package decide

import (
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestPracticalGit: a removal in a repository that git itself made.
func TestPracticalGit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the policies of these tests have the paths of a Unix")
	}
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	top, _ := filepath.EvalSymlinks(inMemory(t))
	w := &workTree{T: t, top: top, dir: filepath.Join(top, "repo"), posture: "practical"}
	w.write("repo/.gitignore", "dist/\n")
	w.write("repo/dist/a.js", "x")
	w.write("repo/src/a.js", "x")
	w.git("init", "-q")
	w.removes("rm -rf dist", "2")
	w.git("add", ".")
	w.removes("rm -rf dist", "7")
	w.removes("rm -rf src", "2")
	none := *w
	none.top = "" // no home is known
	none.removes("rm -rf dist", "7")
	home := *w
	home.top = w.dir // whose .gitignore says what is no setting
	home.removes("rm -rf dist", "2")
	w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
	w.git("worktree", "add", "-q", "../tree")
	tree := *w
	tree.dir = filepath.Join(top, "tree")
	w.write("tree/dist/a.js", "x")
	tree.removes("rm -rf dist", "7")
	w.write("tree/.gitignore", "dist/\n# more\n")
	tree.removes("rm -rf dist", "2")
	w.git("add", "-f", "dist/a.js")
	w.removes("rm -rf dist", "2")
}

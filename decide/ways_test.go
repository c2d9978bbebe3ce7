//go:build linux

package decide

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// back checks that a way back is silent in the clean work tree, and asked about in each of the states.
func (w *workTree) back(command string, silent bool) {
	w.Helper()
	v := w.decide(command)
	if got := v.Step() != "2"; got != silent {
		w.Errorf("%s: silent %v, want %v: step %s: %s", command, got, silent, v.Step(), v.Reason())
	}
}

// newMain is a work tree whose branch is main.
func newMain(t *testing.T) *workTree {
	w := newWorkTree(t)
	w.git("branch", "-M", "main")
	w.must(os.Remove(filepath.Join(w.dir, "hard.go")))
	w.age("p/main.go", -time.Hour) // for git compares seconds
	w.git("update-index", "--refresh")
	w.age("p/.git/index", time.Minute)
	return w
}

// waysBack are commands that take files back to what git has, each about all of a.go.
var waysBack = []string{
	"git restore src/a.go", "git restore src", "git restore .", "git restore ./src/a.go", "git restore -W src/a.go", "git restore -q -- src/a.go",
	"git restore -s HEAD src/a.go", "git restore --source=HEAD -S -W src", "git checkout -- src/a.go", "git checkout src/a.go",
	"git checkout src", "git checkout .", "git checkout -q -- src docs", "git checkout HEAD -- src/a.go", "git checkout HEAD src/a.go",
	"git checkout src/a.go src/b.go", "git checkout -f", "git checkout --force HEAD", "git switch -f main", "git switch --discard-changes main",
	"git reset --hard", "git reset --hard HEAD", "git reset -q --hard", "git reset --hard main", "git rm -rf src", "git rm -f src/a.go",
	"git status && git restore src/a.go", "cd src && git restore a.go", "cd src && git checkout -- .",
	"git checkout -- '*.go'", "git checkout -- src/*.go", "git restore ':/src'", "git restore 'src/*'", "git checkout -- ':(glob)**/*.go'", "git checkout -- $F",
	"git checkout HEAD -- \"$F\"", "git rm -rf '*.go'", "git -C src restore .", "git -C src checkout -- a.go", "git -C . checkout src/a.go",
	"for f in $(git ls-files src); do git checkout -- $f; done", "git --no-pager -C src restore a.go",
}

// A gitState is what may be lost by a way back.
type gitState struct {
	name string
	make func(w *workTree)
	lost func(command string) bool // nil: by each
}

// fromHead reports whether a command also takes the index back.
func fromHead(command string) bool {
	return strings.Contains(command, "HEAD") || strings.Contains(command, "reset") || strings.Contains(command, "main") ||
		strings.Contains(command, " -f") || strings.Contains(command, "rm -")
}

var gitStates = []gitState{
	{"dirty", func(w *workTree) { w.write("p/src/a.go", "package b\n") }, nil},
	{"dirty, of the same size and time", func(w *workTree) {
		at := filepath.Join(w.dir, "src/a.go")
		info, err := os.Stat(at)
		w.must(err)
		w.must(os.WriteFile(at, []byte("package z\n"), 0o644))
		w.must(os.Chtimes(at, info.ModTime(), info.ModTime()))
	}, nil},
	{"another file", func(w *workTree) {
		w.must(os.Rename(filepath.Join(w.dir, "src/a.go"), filepath.Join(w.dir, "kept")))
		w.write("p/src/a.go", "package a\n")
	}, nil},
	{"a folder in its place", func(w *workTree) {
		w.must(os.Remove(filepath.Join(w.dir, "src/a.go")))
		w.write("p/src/a.go/notes", "x")
	}, nil},
	{"a symlink in its place", func(w *workTree) {
		w.must(os.Rename(filepath.Join(w.dir, "src"), filepath.Join(w.dir, "kept")))
		w.must(os.Symlink("kept", filepath.Join(w.dir, "src")))
	}, nil},
	{"staged and dirty", func(w *workTree) {
		w.write("p/src/a.go", "package c\n")
		w.git("add", "src/a.go")
		w.write("p/src/a.go", "package d\n")
	}, nil},
	{"staged", func(w *workTree) {
		w.write("p/src/a.go", "package c\n")
		w.git("add", "src/a.go")
	}, fromHead},
	{"taken out of the index", func(w *workTree) { w.git("rm", "-q", "--cached", "src/a.go") }, fromHead},
	{"another work tree", func(w *workTree) { w.git("config", "core.worktree", w.top) }, nil},
	{"assumed unchanged", func(w *workTree) { w.git("update-index", "--assume-unchanged", "src/a.go") }, nil},
	{"a racy index", func(w *workTree) { w.age("p/.git/index", -time.Hour) }, nil},
	{"git dir in the environment", func(w *workTree) { w.env = []string{"GIT_DIR=/elsewhere"} }, nil},
	{"index in the environment", func(w *workTree) { w.env = []string{"GIT_INDEX_FILE=/elsewhere"} }, nil},
}

// TestWaysBack: a way back to what git has is no question where it loses nothing, and one in each state in which it
// does, in both postures.
func TestWaysBack(t *testing.T) {
	w := newMain(t)
	for _, command := range waysBack {
		w.back(command, true)
	}
	w.must(os.Remove(filepath.Join(w.dir, "src/a.go"))) // what is deleted comes back
	for _, command := range waysBack {
		if !strings.Contains(command, "rm -") {
			w.back(command, true)
		}
	}
	for _, state := range gitStates {
		t.Run(state.name, func(t *testing.T) {
			w := newMain(t)
			state.make(w)
			for _, command := range waysBack {
				if symlink := strings.Contains(state.name, "symlink"); symlink && (strings.Contains(command, "cd src") || strings.Contains(command, "-C src")) {
					continue // git has nothing there
				}
				if state.lost == nil || state.lost(command) {
					w.back(command, false)
				}
			}
		})
	}
}

// TestWaysBackOf: what else may be lost, or is not.
func TestWaysBackOf(t *testing.T) {
	w := newMain(t)
	w.git("branch", "old")
	w.git("branch", "same")
	w.write("p/late.go", "package p\n")
	w.commit("late.go")
	w.git("branch", "only")
	for command, silent := range map[string]bool{
		"git checkout main": true, "git checkout old": true, "git checkout nowhere": true, "git checkout -b new": true,
		"git checkout link": true, "git checkout new/a": true, // git knows no such file
		"git add . && git reset --hard":            false, // the new files are gone then
		"mv docs/b.md src/a.go; git restore .":     false,
		"echo x > src/a.go; git checkout src/a.go": false,
		"git reset --hard HEAD~1":                  true, // only has it
		"git reset --hard old":                     true, // only has it
		"git checkout old -- src/a.go":             true, // the same in both
		"git checkout old -- src":                  true,
		"GIT_DIR=x git restore .":                  false,
		"export GIT_DIR=/x; git restore .":         false,
		"git --work-tree=.. restore .":             false,
		"git -c core.worktree=.. restore .":        false,
		"sudo git restore .":                       false,
		"git restore -p .":                         false,
		"git restore --pathspec-from-file=x":       false,
		"git reset --hard --recurse-submodules":    false,
		"cd .. && git restore .":                   false,
		"git branch -D old":                        true,
		"git branch -D same old":                   true,
		"git branch -D only":                       true, // main has it
		"git branch -d -f old":                     true,
		"git branch -D -r old":                     false,
		"git checkout -B old":                      true,
		"git switch -C old":                        true,
		"git branch -f old":                        true,
		"git checkout -B new":                      true,
		"git stash drop":                           false,
		"git push --force":                         false,
		"git update-ref -d refs/heads/old":         true,
		"git clean -n":                             true,
		"git clean -fd":                            false,
		"git clean -fdx":                           false,
		"git clean -f src":                         true,
		"git clean -fd empty":                      true,
		"git clean -fdx ignored":                   false,
		"git clean -fd 'emp*'":                     false,
		"git clean -fd -- $F":                      false,
		"git -C src clean -fd":                     true,
		"git -C docs clean -fd":                    false,
		"git -C src branch -D old":                 true,
		"git -C src -c a.b=c branch -D old":        false,
		"git -C /nowhere restore .":                false,
		"git -C $X restore .":                      false,
		"git clean -fd ignored":                    true,
	} {
		w.back(command, silent)
	}
	w.git("checkout", "-q", "-b", "work")
	w.write("p/late.go", "package q\n")
	w.commit("late.go")
	w.git("checkout", "-q", "main")
	w.age("p/.git/index", time.Minute)
	for command, silent := range map[string]bool{
		"git branch -D work": false, "git checkout -B work": false, "git checkout -B work main --": false, "git switch -C work main": false, "git branch -f work HEAD": false,
		"git branch -D old; git checkout -B same main": true, "git branch -D old; git tag -d x": true, "git branch -D old; git fetch -p": false,
		"git branch -D old work": false, "git checkout -B old work": true, "git branch -M old work": false,
	} {
		w.back(command, silent)
	}
	w.git("checkout", "-q", "work")
	w.git("checkout", "-q", "main")
	w.back("git branch -D @{-1}", false)
	w.git("branch", "v1", "work")
	w.git("tag", "v1", "main")
	w.back("git switch -f v1", false) // which goes to the branch
	w.git("branch", "-D", "v1")
	w.git("update-ref", "refs/foo/bar", "work")
	w.git("pack-refs", "--all")
	w.back("git branch -D work", false) // no branch or tag
	w.git("-c", "user.name=a", "-c", "user.email=a@b", "tag", "-a", "-m", "x", "annotated", "work")
	w.back("git branch -D work", true)
	w.git("tag", "-d", "annotated")
	w.git("tag", "kept", "work")
	w.back("git branch -D work", true)
	w.git("checkout", "-q", "--detach")
	w.write("p/late.go", "package r\n")
	w.commit("late.go")
	w.git("branch", "loose")
	w.back("git branch -M loose", true)  // HEAD becomes it
	w.back("git branch -D loose", false) // HEAD alone does not keep it
	w.git("branch", "-D", "loose")
	for command, silent := range map[string]bool{
		"git checkout main": false, "git checkout -": false, "git checkout HEAD~1": false, "git switch main": false, "git checkout -b new": true,
		"git checkout -b new main": false, "git checkout main --": false, "git checkout HEAD": true, "git checkout --no-guess main": false, "git -C . checkout main": false,
		"git checkout docs/a.md": true,
	} {
		w.back(command, silent)
	}
	w.back("git restore .", true)
	w.write("p/src/a.go", "package dirty\n")
	for _, command := range []string{
		"git checkout src/a.go", "git -C . checkout src/a.go", "git --no-pager checkout src/a.go", "git -c a.b=c checkout src/a.go",
		"git checkout --no-guess src/a.go", "git checkout --overlay src/a.go", "cd src; git checkout a.go", "git -C src checkout a.go",
		"for f in $(git ls-files); do git checkout $f; done",
		"git ls-files -m | while read -r f; do git checkout \"$f\"; done", "git diff --name-only | xargs git checkout --", "git diff --name-only | xargs git checkout",
		"for f in $(git diff --name-only); do git checkout $f; done",
		"find src -name '*.go' -exec git checkout {} \\;", "git restore $F",
	} {
		w.back(command, false)
	}
	for _, command := range []string{"git checkout -p", "git checkout --patch HEAD"} {
		w.back(command, false)
	}
	w.git("checkout", "-q", "src/a.go")
	w.must(os.Symlink("a.go", w.at("src/link.go")))
	w.commit()
	w.age("p/.git/index", time.Minute)
	for _, command := range []string{"git reset --hard", "git checkout -- .", "git restore src", "git checkout -f", "git rm -rf src"} {
		w.back(command, true)
	}
	w.must(os.Remove(w.at("src/link.go")))
	w.must(os.Symlink("b.go", w.at("src/link.go")))
	for _, command := range []string{"git reset --hard", "git checkout -- .", "git restore src", "git checkout -f", "git rm -rf src"} {
		w.back(command, false)
	}
	w.git("checkout", "-q", "src/link.go")
	w.age("p/.git/index", time.Minute)
	w.write("p/.git/MERGE_HEAD", "x\n")
	w.back("git reset --hard", false)
}

// TestWaysOfAbsolutePaths: a path is the same one however it is spelled.
func TestWaysOfAbsolutePaths(t *testing.T) {
	w := newMain(t)
	w.must(os.Symlink("p", filepath.Join(w.top, "q")))
	var commands []string
	for _, root := range []string{w.dir, w.dir + "/", w.dir + "/.", w.top + "/q", w.top + "/q/docs/..", "~/p"} {
		for _, command := range []string{"git restore ROOT", "git restore ROOT/src", "git restore ROOT/src/a.go", "git restore ROOT/src/a.go/", "git checkout -- ROOT/src/a.go",
			"git checkout ROOT/src/a.go", "git checkout HEAD -- ROOT/src", "git rm -rf ROOT/src", "cd src && git restore ROOT/src/a.go"} {
			commands = append(commands, strings.Replace(command, "ROOT", root, 1))
		}
	}
	for _, command := range commands[:9] {
		w.back(command, true)
	}
	w.write("p/src/a.go", "package dirty\n")
	for _, command := range commands {
		w.back(command, false)
	}
	for _, command := range []string{"git clean -fd " + w.dir + "/new", "git clean -fd " + w.dir, "git clean -fdx " + w.top + "/q/ignored", "git restore " + w.top} {
		w.back(command, false)
	}
}

// TestWaysOfRefs: commits that a branch or tag alone holds, whichever command takes it away from them.
func TestWaysOfRefs(t *testing.T) {
	w := newMain(t)
	w.git("branch", "old")
	w.git("checkout", "-q", "-b", "work")
	w.write("p/late.go", "package q\n")
	w.commit("late.go")
	w.git("tag", "kept")
	w.git("checkout", "-q", "-b", "alone", "main")
	w.write("p/late.go", "package r\n")
	w.commit("late.go")
	w.git("tag", "only")
	w.git("checkout", "-q", "main")
	w.git("branch", "-D", "alone")
	w.age("p/.git/index", time.Minute)
	for command, silent := range map[string]bool{
		"git update-ref refs/heads/work main": true, "git update-ref -d refs/heads/work": true, "git update-ref -d refs/heads/old": true,
		"git update-ref refs/tags/only main": false, "git update-ref -d refs/tags/only": false, "git update-ref refs/heads/new work": true,
		"git tag -d kept": true, "git tag -d only": false, "git tag -d kept only": false, "git tag -f only": false, "git tag -f only only": true,
		"git tag -f kept main": true, "git tag new": true, "git tag": true, "git tag -d nowhere": true,
		"git tag -d kept; git checkout -B work": false, "git tag -d kept && git update-ref refs/heads/work main": false,
		"git tag -d kept; git branch -D work": false, "git branch -D old; git tag -d kept": true, "git tag v1 && git branch -D old": false,
		"git fetch . main:work": true, "git fetch . +main:work": true, "git fetch -f . main:refs/tags/only": false,
		"git fetch origin +a:refs/tags/only": false, "git fetch origin a:refs/tags/only": true, "git fetch -f origin a:old": true,
		"git fetch origin '+refs/tags/*:refs/tags/*'": false, "git fetch origin '+refs/heads/*:refs/remotes/origin/*'": true,
		"git worktree add -B work ../w": true, "git worktree add -b new ../w": true, "git worktree add ../w": true,
		"git branch -f old && git reset --hard": false, // after another command
	} {
		w.back(command, silent)
	}
	w.git("tag", "-d", "kept")
	for command, silent := range map[string]bool{
		"git update-ref refs/heads/work main": false, "git update-ref -d refs/heads/work": false, "git update-ref refs/heads/work work": true,
		"git fetch . +main:work": false, "git fetch -f . main:work": false, "git pull -f . main:work": false,
		"git fetch origin '+refs/heads/*:refs/heads/*'": false,
		"git worktree add -B work ../w":                 false, "git worktree add -B work ../w main": false, "git worktree add -B work ../w work": true,
		"git tag -d only; git tag -f x work": false,
	} {
		w.back(command, silent)
	}
	for command, silent := range map[string]bool{
		"git commit -qam x && git checkout old": true, "git commit -qam x && git checkout -B main old": false, "git commit -qam x; git branch -f old main": true,
		"git merge old && git reset --hard old": false, "git checkout --orphan x": true, "git switch --orphan x": true, "git branch -d old && git checkout main": true,
	} {
		w.back(command, silent)
	}
	w.git("checkout", "-q", "--detach")
	w.back("git checkout old", true) // main has it
	w.back("git commit -qam x && git checkout old", false)
	w.back("git commit -qam x; git status; git switch old", false)
	w.write("p/late.go", "package s\n")
	w.commit("late.go")
	for command, silent := range map[string]bool{
		"git checkout --orphan x": false, "git switch --orphan x": false,
		"git symbolic-ref HEAD refs/heads/main": false, "git symbolic-ref HEAD": true, "git symbolic-ref -q HEAD": true, "git update-ref HEAD main": false,
		"git reset --hard main": false,
	} {
		w.back(command, silent)
	}
}

// TestWaysElsewhere: HEAD goes to another commit, and what that puts into the work tree is in the place of something.
func TestWaysElsewhere(t *testing.T) {
	t.Run("loose", func(t *testing.T) { waysElsewhere(newMain(t), false) })
	t.Run("packed", func(t *testing.T) { waysElsewhere(newMain(t), true) })
}

func waysElsewhere(w *workTree, packed bool) {
	w.git("checkout", "-q", "-b", "old")
	w.write("p/notes", "of the branch")
	w.write("p/deep/below/x", "x")
	w.write("p/src/a.go", "package old\n")
	w.commit("notes", "deep", "src/a.go")
	w.git("checkout", "-q", "main")
	w.write("p/.gitignore", "ignored/\nnotes\ndeep\n")
	w.commit(".gitignore")
	w.git("branch", "saved")
	if packed {
		w.git("gc", "-q")
	}
	w.age("p/.git/index", time.Minute)
	goes := []string{"git switch old", "git checkout old", "git checkout -q old", "git checkout -b new old", "git switch -c new old", "git checkout -B new old",
		"git switch -d old", "git checkout --detach old", "cd src && git switch old", "git -C src switch old", "git merge old", "git merge --no-edit old"}
	hard := []string{"git reset --hard old", "git reset -q --hard old", "git checkout -f old", "git switch -f old", "git checkout --force old",
		"git checkout old -- .", "git restore -s old -SW ."}
	all := append(append([]string{"git reset --hard old && git status"}, goes...), hard...)
	for _, command := range all {
		w.back(command, true)
	}
	w.write("p/src/a.go", "package dirty\n")
	for _, command := range goes { // git refuses
		w.back(command, true)
	}
	for _, command := range hard {
		w.back(command, false)
	}
	w.git("checkout", "-q", "src/a.go")
	w.age("p/.git/index", time.Minute)
	for _, in := range []string{"notes", "deep/below/x", "deep"} {
		w.write("p/"+in, "mine")
		for _, command := range all {
			w.back(command, false)
		}
		for _, command := range []string{"git switch --no-overwrite-ignore old", "git checkout --no-overwrite-ignore old", "git switch saved",
			"git reset --hard saved", "git checkout -b new", "git reset --hard", "git checkout old -- src"} {
			w.back(command, true)
		}
		w.must(os.RemoveAll(w.at(strings.Split(in, "/")[0])))
	}
	w.write("p/notes", "of the branch") // the same
	w.back("git switch old", true)
	w.back("git reset --hard old", true)
	w.must(os.Remove(w.at("notes")))
	w.git("branch", "-D", "saved")
	for command, silent := range map[string]bool{
		"git reset --hard old": false, "git reset --hard HEAD~1": false, "git reset --hard HEAD~0": true, "git checkout -f old": true,
		"git checkout -f HEAD~": true, "git checkout -f HEAD^^": false, "git reset --hard": true, "git checkout old~1 -- .": true, "git checkout old^2 -- .": false,
	} {
		w.back(command, silent) // main alone has its newest commit
	}
	w.git("update-ref", "refs/remotes/origin/main", "old")
	w.git("update-ref", "refs/remotes/origin/far", "old")
	w.git("branch", "saved")
	for command, silent := range map[string]bool{"git pull": true, "git pull origin main": true, "git merge origin/main": true, "git reset --hard origin/main": true} {
		w.back(command, silent)
	}
	w.write("p/notes", "mine")
	for command, silent := range map[string]bool{
		"git pull": false, "git pull origin main": false, "git merge origin/main": false, "git reset --hard origin/main": false,
		"git rebase old": false, "git cherry-pick old": false, "git switch far": false, "git checkout far": false, "git checkout -": false, "git switch -": false,
		"git checkout @{-1}": false, "git rebase main": true, "git checkout saved": true, "git rebase --continue": true,
	} {
		w.back(command, silent)
	}
}

// TestWaysOfWorktrees: with a linked work tree goes what git does not have of it.
func TestWaysOfWorktrees(t *testing.T) {
	commands := []string{"git worktree remove ../linked", "git worktree remove -f ../linked", "git worktree remove --force -- ../linked", "git status; git worktree remove ../linked"}
	for _, state := range []struct {
		name         string
		make         func(w *workTree)
		plain, force bool
	}{
		{"clean", func(*workTree) {}, true, true},
		{"a commit of its branch", func(w *workTree) {
			w.write("linked/src/a.go", "package xx\n")
			w.git("-C", "../linked", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y", "src")
		}, true, true},
		{"dirty", func(w *workTree) { w.write("linked/src/a.go", "package x\n") }, true, false}, // git refuses
		{"staged", func(w *workTree) { w.write("linked/src/a.go", "package xx\n"); w.git("-C", "../linked", "add", ".") }, true, false},
		{"a new file", func(w *workTree) { w.write("linked/new", "x") }, false, false}, // which may be ignored
		{"an ignored file", func(w *workTree) { w.write("linked/ignored/x", "x") }, false, false},
		{"a rebuildable folder", func(w *workTree) { w.write("linked/node_modules/x", "x") }, true, true},
		{".env in one", func(w *workTree) { w.write("linked/node_modules/.env", "x") }, false, false},
		{"a commit of its own", func(w *workTree) {
			w.git("-C", "../linked", "checkout", "-q", "--detach")
			w.write("linked/src/a.go", "package xx\n")
			w.git("-C", "../linked", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y", "src")
		}, false, false},
		{"a merge in progress", func(w *workTree) { w.write("p/.git/worktrees/linked/MERGE_HEAD", "x") }, true, false},
		{"another repository", func(w *workTree) {
			w.must(os.RemoveAll(w.at("../linked")))
			testenv.Git(w, "/nonexistent", w.top, "init", "-q", "linked")
		}, true, false},
	} {
		t.Run(state.name, func(t *testing.T) {
			w := newMain(t)
			w.write("p/.gitignore", "ignored/\nnode_modules/\n")
			w.commit(".gitignore")
			w.git("worktree", "add", "-q", "-b", "other", "../linked")
			w.git("worktree", "list")
			w.age("p/.git/worktrees/linked/index", time.Minute)
			state.make(w)
			w.age("p/.git/worktrees/linked/index", time.Minute) // a commit writes it within a tick of the files
			for _, command := range commands {
				w.back(command, strings.Contains(command, "-f") && state.force || !strings.Contains(command, "-f") && state.plain)
			}
		})
	}
}

// TestWaysReviewed: what git understands otherwise than by the words of a path or a revision.
func TestWaysReviewed(t *testing.T) {
	w := newMain(t)
	w.git("branch", "old")
	w.git("checkout", "-q", "-b", "only")
	w.write("p/src/a.go", "package only\n")
	w.write("p/main~-1", "x")
	w.write("p/main^+0", "x")
	w.commit("main~-1", "main^+0")
	w.git("checkout", "-q", "-B", "main")
	w.git("branch", "-D", "only")
	w.git("worktree", "add", "-q", "--detach", "../linked", "old")
	w.write("linked/src/a.go", "package alone\n")
	w.git("-C", "../linked", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y", "src")
	w.must(os.Symlink("linked", filepath.Join(w.top, "link")))
	for _, command := range []string{"git worktree remove linked", "git worktree remove -f linked", "git worktree remove --force linked/",
		"git -C src worktree remove -ff linked", "git worktree remove ../link", "git worktree remove " + w.top + "/link"} {
		w.back(command, false)
	}
	w.back("git worktree remove nowhere", true)
	w.write("p/main~-1", "mine")
	w.write("p/main^+0", "mine")
	w.back("git checkout main~-1", false) // files
	w.back("git checkout main^+0", false)
	w.back("git checkout main~-1 late.go", false)
	w.git("checkout", "-q", "--", ".")

	w.git("update-ref", "refs/remotes/origin/main", "main")
	w.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
	w.git("symbolic-ref", "refs/heads/link", "refs/remotes/origin/main")
	w.git("update-ref", "refs/heads/main", "old")
	w.git("reset", "-q", "--hard")
	w.age("p/.git/index", time.Minute)
	for _, command := range []string{"git update-ref -d refs/remotes/origin/main", "git update-ref refs/remotes/origin/main old",
		"git update-ref refs/remotes/origin/HEAD old", "git update-ref -d refs/remotes/origin/HEAD", "git update-ref -d refs/heads/link",
		"git checkout -B link old", "git branch -f link old"} {
		w.back(command, false)
	}
	w.git("update-ref", "refs/heads/other", "refs/remotes/origin/main")
	w.back("git update-ref -d refs/remotes/origin/main", true)
	w.git("update-ref", "-d", "refs/remotes/origin/main")
	for command, silent := range map[string]bool{
		"git fetch -f . old:heads/other": false, "git fetch . +old:heads/other": false, "git fetch -f . 'refs/heads/x/*r:refs/heads/*r'": false,
		"git fetch -f . 'refs/heads/x/*z:refs/heads/*z'": true, "git fetch -f . old:heads/old": true,
		"git symbolic-ref refs/heads/other refs/heads/old": false, "git symbolic-ref -m x refs/heads/other refs/heads/old": false,
		"git symbolic-ref refs/heads/new refs/heads/old": true, "git symbolic-ref refs/heads/other": true,
		"git symbolic-ref refs/heads/old refs/heads/other": true,
	} {
		w.back(command, silent)
	}
	w.git("tag", "kept", "other")
	w.git("branch", "-D", "other")
	for command, silent := range map[string]bool{
		"git fetch -f . old:tags/kept": false, "git fetch -f origin tag kept": false,
		"git fetch --tags": true, "git fetch -f origin tag other": true,
		"git fetch --prune --prune-tags": false, "git fetch -P -p origin": false, "git fetch -p origin 'refs/tags/*:refs/tags/*'": false,
	} {
		w.back(command, silent)
	}
	w.git("update-ref", "refs/remotes/origin/gone", "kept")
	w.git("tag", "-d", "kept")
	for command, silent := range map[string]bool{
		"git branch -d -r origin/gone": false, "git branch -dr origin/gone": false, "git branch -rd origin/nowhere": true,
		"git fetch . +old:refs/remotes/origin/gone": false, "git fetch -f . old:remotes/origin/gone": false,
		"git fetch origin +old:refs/remotes/origin/gone": true,
	} {
		w.back(command, silent)
	}
	w.git("checkout", "-q", "--detach")
	w.write("p/src/a.go", "package detached\n")
	w.commit()
	w.back("git checkout :/x", false) // a commit by its message
	w.back("git checkout :/src", false)
	w.back("git checkout -- :/src", true)
}

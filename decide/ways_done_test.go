//go:build linux

package decide

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules/gitindex"
)

// doneForms are the commands that are really run in a copy: git, rm and find alone, each with every word of its places.
var doneForms = []struct {
	forms, places string
}{
	{"git restore|git restore -W|git restore -SW|git restore -s HEAD|git restore -s old|git restore -s old -SW|git checkout --|git checkout HEAD --|" +
		"git checkout old --|git checkout|git checkout -q|git checkout HEAD|git checkout old|git rm -rf|git rm -f|rm -rf|rm -r -f",
		". src src/a.go docs docs/a.md new old.js ignored main.go empty link.go tied"},
	{"git reset --hard|git checkout -f|git switch -f|git switch --discard-changes|git checkout -B moved|git switch -C moved|git branch -f moved|git checkout -B new",
		"HEAD main old moved only"},
	{"git reset --hard|git checkout -f|git checkout -B|git switch -C|git branch -f|git clean -fd|git clean -fdx|git clean -fdX|git clean -f", ""},
	{"git branch -D|git branch -df|git branch -d|git branch -M|git branch -C|git checkout -B|git switch -C|git switch|git switch -d|git checkout --detach|" +
		"git merge|git merge --ff-only|git checkout -b fresh|git tag -f tagged|git tag -d|git reset --hard", "old moved only tagged"},
	{"git update-ref", "refs/heads/only|HEAD refs/heads/moved|old refs/tags/tagged|main HEAD|old -d|refs/heads/only -d|refs/heads/old -d|refs/tags/tagged"},
	{"git fetch -f .|git fetch .", "main:only old:moved only:tagged main:refs/tags/tagged +old:only refs/heads/*:refs/tags/*"},
	{"git restore|git checkout --|git checkout|git rm -rf|git clean -fd|git clean -fdx|rm -rf",
		"ROOT ROOT/src ROOT/src/a.go ROOT/docs/../src ROOT/new ROOT/ignored ./src/../docs docs/../src/a.go src/ wt *.go src/* :/ :/docs :!src :(glob)**/*.md"},
	{"git -C src restore|git -C . checkout --|git -C docs clean -fd|git -C src rm -rf", ". a.go ../docs *.go"},
	{"git worktree remove|git worktree remove -f|git worktree add -B only|git worktree add -B tagged", "wt ROOT/wt ./wt/"},
	{"git symbolic-ref HEAD", "refs/heads/only refs/heads/main"},
	{"git clean -f|git clean -fd|git clean -fdx", "src new ignored empty docs build"},
	{"find . -delete -name|find src -type f -delete -name", "*.go *.pyc x"},
	{"find . -name|find src docs -name|find . -type f -name|find . -maxdepth 2 -name", "*.go|-delete *.pyc|-delete *.md|-delete __pycache__|-exec|rm|-rf|{}|+ " +
		"build|-exec|rm|-r|{}|; a*|-exec|rm|{}|; *|-empty|-delete"},
}

// texts are the words of all of them.
func doneTexts() (all [][]string) {
	for _, d := range doneForms {
		for form := range strings.SplitSeq(d.forms, "|") {
			for _, place := range append(strings.Fields(d.places), make([]string, max(0, 1-len(d.places)))...) {
				words := strings.Fields(form)
				if place != "" {
					words = append(words, strings.Split(place, "|")...)
				}
				all = append(all, words)
			}
		}
	}
	return all
}

// spelled is the text of a command with these words.
func spelled(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; strings.ContainsAny(w, "*;{!(") {
			out[i] = "'" + w + "'"
		}
	}
	return strings.Join(out, " ")
}

// doneStates are what the repositories are in, on top of those of gitStates.
var doneStates = append([]gitState{
	{"clean", func(w *workTree) {}, nil},
	{"unpushed", func(w *workTree) {
		w.write("p/src/a.go", "package other\n")
		w.commit()
	}, nil},
	{"detached", func(w *workTree) {
		w.git("checkout", "-q", "--detach")
		w.write("p/src/a.go", "package other\n")
		w.commit()
	}, nil},
	{"staged new", func(w *workTree) { w.git("add", "new") }, nil},
	{"a merge in progress", func(w *workTree) { w.write("p/.git/MERGE_HEAD", w.output("rev-parse", "only")+"\n") }, nil},
	{"a submodule", func(w *workTree) {
		w.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "./", "src/sub")
		w.commit(".gitmodules")
		w.write("p/src/sub/main.go", "changed")
	}, nil},
	{"line ends", func(w *workTree) {
		w.git("config", "core.autocrlf", "true")
		w.write("p/src/a.go", "package a \r\n")
		w.git("add", "src/a.go")
	}, nil},
	{"a filter", func(w *workTree) {
		w.git("config", "filter.x.clean", "tr a-z A-Z")
		w.write("p/.gitattributes", "*.go filter=x\n")
		w.write("p/src/a.go", "package filtered\n")
		w.commit(".gitattributes")
	}, nil},
	{"sparse", func(w *workTree) {
		w.git("sparse-checkout", "set", "--no-cone", "/*", "!docs")
		w.write("p/docs/a.md", "back again")
	}, nil},
	{"an ignored file where a branch has one", func(w *workTree) {
		w.write("p/.gitignore", "ignored/\ntied\n")
		w.commit(".gitignore")
		w.write("p/tied", "mine")
	}, nil},
	{"a new file where a branch has one", func(w *workTree) { w.write("p/tied/x", "mine") }, nil},
	{"a linked work tree with a commit of its own", func(w *workTree) {
		w.git("worktree", "add", "-q", "--detach", "wt")
		w.write("p/wt/src/a.go", "package linked\n")
		w.git("-C", "wt", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "linked")
	}, nil},
	{"a linked work tree with an ignored file", func(w *workTree) {
		w.git("worktree", "add", "-q", "-b", "linked", "wt")
		w.write("p/wt/ignored/x", "linked")
	}, nil},
	{"a tag alone", func(w *workTree) {
		w.git("checkout", "-q", "--detach")
		w.write("p/src/a.go", "package tagged\n")
		w.commit()
		w.git("tag", "tagged")
		w.git("checkout", "-q", "main")
		w.age("p/.git/index", time.Minute)
	}, nil},
	{"names with blanks and patterns", func(w *workTree) {
		w.write("p/src/* b", "x")
		w.write("p/src/-rf", "x")
		w.write("p/a b/__pycache__/x.pyc", "x")
	}, nil},
	{"ignored and built", func(w *workTree) {
		w.write("p/.gitignore", "ignored/\nbuild/\n__pycache__/\n*.pyc\n")
		w.commit(".gitignore")
		w.write("p/build/o", "x")
		w.write("p/src/__pycache__/a.pyc", "x")
		w.write("p/docs/stray.pyc", "x")
	}, nil},
	{"a repository below", func(w *workTree) {
		w.must(os.MkdirAll(w.at("new/r"), 0o755))
		testenv.Git(w, "/nonexistent", w.at("new/r"), "init", "-q")
		w.write("p/new/r/x.go", "x")
	}, nil},
}, gitStates...)

// has is what a repository and its work tree hold: contents of files by where they may be, objects of the index and those
// that a branch, a remote branch or a tag leads to.
func (w *workTree) has() map[string]string {
	all := map[string]string{}
	w.must(filepath.WalkDir(w.dir, func(name string, d fs.DirEntry, err error) error {
		rel := strings.TrimPrefix(name, w.dir+"/")
		if err != nil || d.IsDir() && d.Name() == ".git" {
			if err == nil && rel != ".git" {
				all["repository "+rel] = rel
			}
			return filepath.SkipDir
		}
		if data, err := os.ReadFile(name); err == nil && d.Type().IsRegular() && !builtAgain(rel) && d.Name() != ".git" {
			all[fmt.Sprintf("%x", gitindex.Blob(data))] = rel
		}
		return nil
	}))
	for line := range strings.Lines(w.output("ls-files", "-s")) {
		words := strings.Fields(line)
		all[words[1]] = "index " + words[3]
	}
	heads := []string{"rev-list", "--objects", "--branches", "--remotes", "--tags", "HEAD"}
	if linked, err := os.ReadFile(w.at(".git/worktrees/wt/HEAD")); err == nil {
		heads = append(heads, strings.TrimPrefix(strings.TrimSpace(string(linked)), "ref: "))
	}
	for line := range strings.Lines(w.output(heads...)) {
		all[strings.Fields(line)[0]] = "commit"
	}
	return all
}

// builtAgain reports whether a file is one that a build makes again, and ignored where the states have it so.
func builtAgain(rel string) bool {
	return strings.Contains("/"+rel, "/__pycache__/") || strings.HasPrefix(rel, "build/") || strings.HasSuffix(rel, ".pyc")
}

// TestWaysBackByDoing runs git, rm and find in copies of a repository in many states where permgate asks nothing: what
// was in the work tree, in the index or on a branch still is in one of them. Not looked at are one plain file of rm
// or find, and what a filter makes of files where git goes to another commit: these are no findings.
func TestWaysBackByDoing(t *testing.T) {
	texts, every := doneTexts(), testenv.Every(t, 41, 5, 1)
	silent, n := 0, 0
	for _, state := range doneStates {
		made := func() *workTree {
			w := newMain(t)
			w.git("branch", "old")
			w.write("p/late.go", "package p\n")
			w.write("p/docs/b.md", "later")
			w.commit("late.go", "docs/b.md")
			w.git("branch", "moved")
			w.git("checkout", "-q", "-b", "only")
			w.write("p/tied", "package q\n")
			w.commit("tied")
			w.git("checkout", "-q", "main")
			w.age("p/.git/index", time.Minute)
			w.env = []string{}
			state.make(w)
			return w
		}
		w := made()
		for i, words := range texts {
			if n++; (n+i)%every != 0 {
				continue
			}
			words = slices.Clone(words)
			for j := range words {
				words[j] = strings.Replace(words[j], "ROOT", w.dir, 1)
			}
			if w.decide(spelled(words)).Step() == "2" {
				continue
			}
			silent++
			before, head := w.has(), w.head()
			cmd := exec.Command(words[0], words[1:]...)
			cmd.Dir = w.dir
			cmd.Env = append(os.Environ(), "HOME=/nonexistent", "GIT_CONFIG_NOSYSTEM=1", "GIT_EDITOR=true",
				"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@b")
			_ = cmd.Run() // what fails loses nothing either
			after := w.has()
			changed := len(after) != len(before)
			var lost []string
			for id, where := range before {
				if _, kept := after[id]; !kept {
					lost = append(lost, where)
				}
			}
			changed = changed || len(lost) > 0
			alone := len(lost) == 1 && (words[0] == "find" || words[0] == "rm" && w.at(lost[0]) == filepath.Join(w.dir, strings.TrimPrefix(words[len(words)-1], w.dir)))
			if len(lost) > 0 && !alone && !(state.name == "a filter" && w.head() != head) {
				t.Errorf("%s: %s: lost are %q", state.name, spelled(words), lost)
			}
			if changed || words[0] != "git" || words[1] != "restore" {
				w = made()
			}
		}
	}
	t.Logf("%d of %d silent", silent, n)
}

// head is the commit that HEAD is at.
func (w *workTree) head() string { return w.output("rev-parse", "HEAD") }

//go:build linux

package decide

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// at is a file of the project.
func (w *workTree) at(name string) string { return filepath.Join(w.dir, name) }

// commit stages everything in src and what the root has of attributes, and commits it.
func (w *workTree) commit(args ...string) {
	w.Helper()
	w.git(append([]string{"add", "-f", "src"}, args...)...)
	w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y")
	w.age("p/.git/index", time.Minute)
}

// object is the file of the loose object that a revision names.
func (w *workTree) object(rev string) string {
	w.Helper()
	id := w.output("rev-parse", rev)
	return w.at(".git/objects/" + id[:2] + "/" + id[2:])
}

// rewrite gives a file other content, and back the time it had.
func (w *workTree) rewrite(name, data string) {
	w.Helper()
	info, err := os.Lstat(w.at(name))
	w.must(err)
	w.write("p/"+name, data)
	w.must(os.Chtimes(w.at(name), info.ModTime(), info.ModTime()))
}

// add is a change that writes files and commits those in src.
func add(files ...string) func(*workTree) {
	return func(w *workTree) {
		for i := 0; i < len(files); i += 2 {
			w.write("p/"+files[i], files[i+1])
		}
		w.commit()
	}
}

// put is a change that writes one file.
func put(name, data string) func(*workTree) { return func(w *workTree) { w.write("p/"+name, data) } }

// git is a change that a git command makes, after which the index is as new as before.
func git(args ...string) func(*workTree) {
	return func(w *workTree) {
		w.git(args...)
		w.age("p/.git/index", time.Minute)
	}
}

// all are several changes.
func all(changes ...func(*workTree)) func(*workTree) {
	return func(w *workTree) {
		for _, change := range changes {
			change(w)
		}
	}
}

// many is a tree of n entries below src: its two files, and folders of a thousand.
func many(n int) func(*workTree) {
	return func(w *workTree) {
		for i, left := 0, n-2; left > 0; left-- {
			if i%1000 == 0 {
				left-- // the folder
			}
			w.write(fmt.Sprintf("p/src/%d/%d", i/1000, i), "x")
			i++
		}
		w.commit()
	}
}

// bringsBack removes src and lets git bring it back, twice: from the index, and from HEAD alone.
func (w *workTree) bringsBack() {
	w.Helper()
	before := w.listed()
	w.must(os.RemoveAll(w.at("src")))
	w.git("checkout-index", "-a", "-f")
	if after := w.listed(); after != before {
		w.Errorf("not brought back from the index:\n%s\nwas:\n%s", after, before)
	}
	w.must(os.RemoveAll(w.at("src")))
	w.must(os.Remove(w.at(".git/index")))
	w.git("checkout", "-q", "HEAD", "--", "src")
	if after := w.listed(); after != before {
		w.Errorf("not brought back from HEAD:\n%s\nwas:\n%s", after, before)
	}
}

// listed are the names, modes and contents in src.
func (w *workTree) listed() string {
	var b strings.Builder
	w.must(filepath.WalkDir(w.at("src"), func(name string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		data, _ := os.ReadFile(name)
		fmt.Fprintf(&b, "%s %v %x\n", name, info.Mode(), data)
		return err
	}))
	return b.String()
}

// TestBringsBack: under practical rm -r of a tree that git can bring back whole is no finding, and each
// thing that git may not bring back asks.
func TestBringsBack(t *testing.T) {
	mask := syscall.Umask(0o022) // of what git makes, by which files are compared
	t.Cleanup(func() { syscall.Umask(mask) })
	asMade := newWorkTree(t)
	for _, tt := range []struct {
		name    string
		change  func(*workTree)
		command string // "" is rm -rf src
		want    string
	}{
		{"clean", nil, "", "7"},
		{"spelled with a slash", nil, "rm -rf ./src/", "7"},
		{"absolute", nil, "rm -rf $PROJECT/src", "7"},
		{"two trees", nil, "rm -rf src docs/../src", "2"},
		{"with what is not there", nil, "rm -rf src missing", "7"},
		{"with what is new", nil, "rm -rf src new", "2"},
		{"a folder deeper", add("src/x/y/a", "1", "src/x/b", "2"), "rm -r src/x", "7"},
		{"all deeper", add("src/x/y/a", "1", "src/x/b", "2"), "", "7"},
		{"an executable file", func(w *workTree) {
			w.write("p/src/run", "x")
			w.must(os.Chmod(w.at("src/run"), 0o755))
			w.commit()
		}, "", "7"},
		{"an empty file", add("src/empty", ""), "", "7"},
		{"detached HEAD", git("checkout", "-q", "--detach"), "", "7"},
		{"packed", git("gc", "-q"), "", "7"},
		{"packed, refs too", git("pack-refs", "--all"), "", "7"},
		{"packed, then a commit", all(git("gc", "-q"), add("src/c.go", "c")), "", "7"},
		{"attributes about other files", all(put(".gitattributes", "*.psd filter=lfs -text\n*.go text\n# *.go ident\n"),
			func(w *workTree) { w.commit(".gitattributes") }), "", "7"},
		{"something else staged", all(put("docs/n.md", "n"), git("add", "docs/n.md")), "", "2"}, // then the index notes no tree
		{"something else changed", put("main.go", "package other\n"), "", "7"},

		{"racy index", func(w *workTree) {
			info, err := os.Lstat(w.at("src/a.go"))
			w.must(err)
			w.must(os.Chtimes(w.at(".git/index"), info.ModTime(), info.ModTime()))
		}, "", "2"},
		{"index of no known time", func(w *workTree) { w.must(os.Chtimes(w.at(".git/index"), time.Unix(0, 0), time.Unix(0, 0))) }, "", "2"},
		{"another inode", func(w *workTree) {
			info, err := os.Lstat(w.at("src/a.go"))
			w.must(err)
			w.write("p/src.new", "package a\n")
			w.must(os.Rename(w.at("src.new"), w.at("src/a.go")))
			w.must(os.Chtimes(w.at("src/a.go"), info.ModTime(), info.ModTime()))
		}, "", "2"},
		{"same size and time", func(w *workTree) { w.rewrite("src/a.go", "package b\n") }, "", "2"},
		{"same content, written again", put("src/a.go", "package a\n"), "", "2"},
		{"changed", put("src/a.go", "package changed\n"), "", "2"},
		{"executable now", func(w *workTree) { w.must(os.Chmod(w.at("src/a.go"), 0o755)) }, "", "2"},
		{"private now", func(w *workTree) {
			w.must(os.Chmod(w.at("src/a.go"), 0o600))
			w.git("update-index", "--refresh")
			w.age("p/.git/index", time.Minute)
		}, "", "2"},
		{"a private folder", func(w *workTree) { w.must(os.Chmod(w.at("src"), 0o700)) }, "", "2"},
		{"assumed unchanged", git("update-index", "--assume-unchanged", "src/a.go"), "", "2"},
		{"skipped", git("update-index", "--skip-worktree", "src/a.go"), "", "2"},
		{"meant to be added", all(put("src/n.go", "n"), git("add", "-N", "src/n.go")), "", "2"},
		{"meant to be added, empty", all(put("src/n.go", ""), git("add", "-N", "src/n.go")), "", "2"},
		{"staged", all(put("src/n.go", "n"), git("add", "src/n.go")), "", "2"},
		{"staged change", all(put("src/a.go", "changed"), git("add", "src/a.go")), "", "2"},
		{"untracked", put("src/n.go", "n"), "", "2"},
		{"ignored", put("src/ignored/n.go", "n"), "", "2"},
		{"excluded", all(put(".git/info/exclude", "*.tmp\n"), put("src/n.tmp", "n")), "", "2"},
		{"taken out of the index", git("rm", "-q", "--cached", "src/a.go"), "", "2"},
		{"an empty folder below", func(w *workTree) { w.must(os.Mkdir(w.at("src/empty"), 0o755)) }, "", "2"},
		{"an empty folder", nil, "rm -rf empty", "2"},

		{"filter", all(put(".gitattributes", "*.go filter=x\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"ident", all(put(".gitattributes", "src/** ident\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"encoding", all(put(".gitattributes", "*.txt working-tree-encoding=UTF-16\n"), add("src/a.txt", "\xff\xfea\x00")), "", "2"},
		{"attributes in another case", all(put(".gitattributes", "*.GO filter=x\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"macro", all(put(".gitattributes", "[attr]x filter=x\n*.go x\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"quoted pattern", all(put(".gitattributes", "\"*.go\" ident\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"attributes about line ends", all(put(".gitattributes", "* text=auto\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "7"},
		{"line ends", all(put(".gitattributes", "* text=auto\n"), func(w *workTree) { w.commit(".gitattributes") }, add("src/a.txt", "a\r\n")), "", "2"},
		{"line ends by attributes below", all(add("src/.gitattributes", "*.txt eol=lf\n"), add("src/a.txt", "a\r\n")), "", "2"},
		{"line ends by the configuration", all(git("config", "core.autocrlf", "input"), add("src/a.txt", "a\r\n")), "", "2"},
		{"line ends by the user's configuration", all(git("config", "core.autocrlf", "input"), add("src/a.txt", "a\r\n"),
			git("config", "--unset", "core.autocrlf"), put("../.gitconfig", "[core]\n\tautocrlf = input\n")), "", "2"},
		{"byte order mark", all(put(".gitattributes", "\ufeff*.go ident\n"), func(w *workTree) { w.commit(".gitattributes") }), "", "2"},
		{"attributes below", add("src/.gitattributes", "a.go ident\n"), "", "2"},
		{"attributes not added", put(".gitattributes", "*.go ident\n"), "", "2"},
		{"attributes of a folder above", all(put("src/.gitattributes", "a ident\n"), add("src/x/a", "1")), "rm -rf src/x", "2"},
		{"attributes changed", all(put(".gitattributes", "*.go ident\n"), func(w *workTree) { w.commit(".gitattributes") },
			put(".gitattributes", "\n")), "", "2"},
		{"attributes deleted", all(put(".gitattributes", "*.go ident\n"), func(w *workTree) { w.commit(".gitattributes") },
			func(w *workTree) { w.must(os.Remove(w.at(".gitattributes"))) }), "", "2"},
		{"attributes of the repository", put(".git/info/attributes", "*.go filter=x\n"), "", "2"},
		{"attributes file", git("config", "core.attributesFile", "/x"), "", "2"},
		{"attributes of the user", put("../.config/git/attributes", "*.go ident\n"), "", "2"},
		{"attributes file of the user", put("../.gitconfig", "[core]\n\tattributesFile = x\n"), "", "2"},
		{"attributes file of the user, included", all(put("../.gitconfig", "[include]\n\tpath = more\n"), put("../more", "[core]\nattributesfile=x\n")), "", "2"},
		{"attributes of a tree", git("config", "attr.tree", "HEAD"), "", "2"},
		{"line endings that git changes", all(git("config", "core.autocrlf", "input"), add("src/crlf", "a\r\nb\r\n")), "", "2"},
		{"bytes that an attribute takes", all(put(".gitattributes", "*.bin text\n"), func(w *workTree) {
			w.write("p/src/a.bin", "\x00\r\n\x00")
			w.commit(".gitattributes")
		}), "", "2"},

		{"alternates", put(".git/objects/info/alternates", "/srv/objects\n"), "", "2"},
		{"http alternates", put(".git/objects/info/http-alternates", "x\n"), "", "2"},
		{"promisor", git("config", "remote.origin.promisor", "true"), "", "2"},
		{"partial clone", git("config", "extensions.partialClone", "origin"), "", "2"},
		{"promisor pack", put(".git/objects/pack/pack-1.promisor", ""), "", "2"},
		{"shallow", put(".git/shallow", ""), "", "2"},
		{"grafts", put(".git/info/grafts", ""), "", "2"},
		{"replaced objects", func(w *workTree) {
			w.write("p/x", "x")
			w.git("replace", "HEAD:src/a.go", w.output("hash-object", "-w", "x"))
		}, "", "2"},
		{"replaced objects, packed", func(w *workTree) {
			w.write("p/x", "x")
			w.git("replace", "HEAD:src/a.go", w.output("hash-object", "-w", "x"))
			w.git("pack-refs", "--all")
			w.must(os.RemoveAll(w.at(".git/refs/replace")))
		}, "", "2"},
		{"no trust in ctime", git("config", "core.trustctime", "false"), "", "2"},
		{"few fields", git("config", "core.checkStat", "minimal"), "", "2"},
		{"few fields, of the user", put("../.gitconfig", "[core] checkStat = minimal\n"), "", "2"},
		{"config that includes", git("config", "include.path", "x"), "", "2"},
		{"another work tree", git("config", "core.worktree", "/srv"), "", "2"},
		{"a git command at work", put(".git/index.lock", ""), "", "2"},
		{"environment", func(w *workTree) { w.env = []string{"GIT_DIR=/srv/x"} }, "", "2"},
		{"environment's objects", func(w *workTree) { w.env = []string{"GIT_OBJECT_DIRECTORY=/srv/x"} }, "", "2"},
		{"environment's settings", func(w *workTree) { w.env = []string{"XDG_CONFIG_HOME=/srv/x"} }, "", "2"},
		{"CDPATH", func(w *workTree) { w.env = []string{"CDPATH=/srv"} }, "", "2"},
		{"environment that is inert", func(w *workTree) { w.env = []string{"GIT_EDITOR=true", "PATH=/usr/bin"} }, "", "7"},

		{"gitlink", func(w *workTree) {
			w.git("update-index", "--add", "--cacheinfo", "160000,"+w.output("rev-parse", "HEAD")+",src/sub")
			w.must(os.Mkdir(w.at("src/sub"), 0o755))
			w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y")
			w.age("p/.git/index", time.Minute)
		}, "", "2"},
		{"repository below", put("src/sub/.git/HEAD", "ref: refs/heads/main\n"), "", "2"},
		{"repository's file below", put("src/sub/.git", "gitdir: /x\n"), "", "2"},
		{"in a repository of its own", func(w *workTree) {
			w.write("p/sub/src/a", "x")
			cmd := *w
			cmd.dir = w.at("sub")
			cmd.git("init", "-q")
			cmd.git("add", ".")
			cmd.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "y")
			w.age("p/sub/.git/index", time.Minute)
		}, "rm -rf sub/src", "2"},
		{"symlink", nil, "rm -rf link", "2"},
		{"symlink with a slash", nil, "rm -rf link/", "2"},
		{"through a symlink", add("src/x/a", "1"), "rm -rf link/x", "2"},
		{"tracked symlink below", func(w *workTree) { w.must(os.Symlink("a.go", w.at("src/l"))); w.commit() }, "", "2"},
		{"symlink instead of a file", func(w *workTree) {
			w.must(os.Remove(w.at("src/a.go")))
			w.must(os.Symlink("b.go", w.at("src/a.go")))
		}, "", "2"},
		{"hard link", func(w *workTree) { w.must(os.Link(w.at("src/a.go"), w.at("other.go"))) }, "", "2"},
		{"hard link, and the index knows", func(w *workTree) {
			w.must(os.Link(w.at("src/a.go"), w.at("other.go")))
			git("update-index", "--refresh")(w)
		}, "", "2"},

		{"object missing", func(w *workTree) { w.must(os.Remove(w.object("HEAD:src/a.go"))) }, "", "2"},
		{"object empty", func(w *workTree) {
			name := w.object("HEAD:src/a.go")
			w.must(os.Remove(name))
			w.must(os.WriteFile(name, nil, 0o444))
		}, "", "2"},
		{"commit missing", func(w *workTree) { w.must(os.Remove(w.object("HEAD"))) }, "", "2"},
		{"commit is another object", func(w *workTree) {
			data, err := os.ReadFile(w.object("HEAD:src/a.go"))
			w.must(err)
			name := w.object("HEAD")
			w.must(os.Remove(name))
			w.must(os.WriteFile(name, data, 0o444))
		}, "", "2"},
		{"pack missing", func(w *workTree) {
			w.git("repack", "-adq")
			w.age("p/.git/index", time.Minute)
			names, _ := filepath.Glob(w.at(".git/objects/pack/*.pack"))
			for _, name := range names {
				w.must(os.Remove(name))
			}
		}, "", "2"},
		{"pack cut off", func(w *workTree) {
			w.git("repack", "-adq")
			w.age("p/.git/index", time.Minute)
			names, _ := filepath.Glob(w.at(".git/objects/pack/*.pack"))
			for _, name := range names {
				w.must(os.Chmod(name, 0o644))
				w.must(os.Truncate(name, 40))
			}
		}, "", "2"},
		{"list of a pack cut off", func(w *workTree) {
			w.git("repack", "-adq")
			w.age("p/.git/index", time.Minute)
			names, _ := filepath.Glob(w.at(".git/objects/pack/*.idx"))
			info, err := os.Lstat(names[0])
			w.must(err)
			w.must(os.Chmod(names[0], 0o644))
			for n := info.Size() - 40; n > 0; n = n*9/10 - 1 { // what it ends with is not looked at
				w.must(os.Truncate(names[0], n))
				if v := w.decide("rm -rf src"); v.Step() != "2" && n < 8+256*4+28*5 {
					w.Errorf("of %d bytes: step %s", n, v.Step())
				}
			}
		}, "", "2"},
		{"no commit yet", git("checkout", "-q", "--orphan", "x"), "", "2"},
		{"HEAD elsewhere", git("symbolic-ref", "HEAD", "refs/remotes/x"), "", "2"},
		{"HEAD on an older commit", all(add("src/c.go", "c"), git("reset", "-q", "--soft", "HEAD^")), "", "2"},
		{"split index", git("update-index", "--split-index"), "", "2"},
		{"sparse", git("sparse-checkout", "set", "--cone", "src"), "", "2"},
		{"SHA-256", func(w *workTree) {
			w.must(os.RemoveAll(w.at(".git")))
			w.git("init", "-q", "--object-format=sha256")
			w.commit()
		}, "", "2"},

		{"index of version 4", all(add("src/aa/x", "1", "src/aa/y", "2"), git("update-index", "--index-version", "4")), "", "7"},
		{"odd names", add("src/a\nb", "1", "src/ü x", "2", "src/\xff", "3", "src/A.GO", "4"), "", "7"},
		{"a tracked file is gone", func(w *workTree) { w.must(os.Remove(w.at("src/b.go"))) }, "rm -rf ./src", "7"},
		{"all files are gone", func(w *workTree) {
			w.must(os.Remove(w.at("src/a.go")))
			w.must(os.Remove(w.at("src/b.go")))
		}, "", "2"},
		{"newer than the index", func(w *workTree) { w.age("p/src/a.go", time.Hour); git("update-index", "--refresh")(w) }, "", "2"},
		{"as the index says, but for the content", func(w *workTree) {
			id := w.output("rev-parse", "HEAD:main.go")
			w.write("p/src/a.go", "package mine\n")
			w.git("add", "src/a.go")
			data, err := os.ReadFile(w.at(".git/index"))
			w.must(err)
			mine, other := make([]byte, 20), make([]byte, 20)
			_, err = hex.Decode(mine, []byte(w.output("hash-object", "src/a.go")))
			w.must(err)
			_, err = hex.Decode(other, []byte(id))
			w.must(err)
			w.must(os.WriteFile(w.at(".git/index"), bytes.ReplaceAll(data, mine, other), 0o644))
			w.age("p/.git/index", time.Minute)
		}, "", "2"},
		{"object of another content", func(w *workTree) {
			data, err := os.ReadFile(w.object("HEAD:main.go"))
			w.must(err)
			name := w.object("HEAD:src/a.go")
			w.must(os.Remove(name))
			w.must(os.WriteFile(name, data, 0o444))
		}, "", "2"},
		{"object cut off", func(w *workTree) {
			w.must(os.Chmod(w.object("HEAD:src/a.go"), 0o644))
			w.must(os.Truncate(w.object("HEAD:src/a.go"), 9))
		}, "", "2"},
		{"packs elsewhere", func(w *workTree) {
			w.git("repack", "-adq")
			w.age("p/.git/index", time.Minute)
			w.must(os.Rename(w.at(".git/objects/pack"), filepath.Join(w.top, "pack")))
			w.must(os.Symlink(filepath.Join(w.top, "pack"), w.at(".git/objects/pack")))
		}, "", "2"},
		{"objects elsewhere", func(w *workTree) {
			w.must(os.Rename(w.at(".git/objects"), filepath.Join(w.top, "objects")))
			w.must(os.Symlink(filepath.Join(w.top, "objects"), w.at(".git/objects")))
		}, "", "2"},
		{"repository elsewhere", func(w *workTree) {
			w.must(os.Rename(w.at(".git"), filepath.Join(w.top, "git")))
			w.must(os.Symlink(filepath.Join(w.top, "git"), w.at(".git")))
		}, "", "2"},
		{"repository elsewhere, by a file", func(w *workTree) {
			w.must(os.Rename(w.at(".git"), filepath.Join(w.top, "git")))
			w.write("p/.git", "gitdir: ../git\n")
		}, "", "2"},
		{"others may write it", func(w *workTree) { w.must(os.Chmod(w.at(".git/objects"), 0o777)) }, "", "2"},
		{"other references", put(".git/config", "[core]\n\trepositoryformatversion = 1\n[extensions]\n\trefstorage = reftable\n"), "", "2"},
		{"config that is not read", put(".git/config", "[core] bare = false\n"), "", "2"},
		{"branch outside of the repository", func(w *workTree) {
			w.write("p/.git/HEAD", "ref: refs/heads/../../../id\n")
			w.write("id", w.output("rev-parse", "master")+"\n")
		}, "", "2"},
		{"branch of a branch", all(put(".git/refs/heads/x", "ref: refs/heads/y\n"), put(".git/HEAD", "ref: refs/heads/x\n")), "", "2"},
		{"a pipe", func(w *workTree) { w.must(syscall.Mkfifo(w.at("src/pipe"), 0o644)) }, "", "2"},
		{"set-user-ID", func(w *workTree) {
			w.must(os.Chmod(w.at("src/a.go"), 0o644|os.ModeSetuid))
			git("update-index", "--refresh")(w)
		}, "", "2"},
		{"large file storage", all(put(".gitattributes", "*.psd filter=lfs\n"), func(w *workTree) {
			w.git("config", "filter.lfs.clean", "git hash-object --stdin")
			w.write("p/src/a.psd", "content")
			w.commit(".gitattributes")
		}), "", "2"},
		{"a filter that was there when it was added", all(put(".gitattributes", "*.x filter=x\n"), func(w *workTree) {
			w.git("config", "filter.x.clean", "git hash-object --stdin")
			w.write("p/src/a.x", "content")
			w.commit(".gitattributes")
			w.git("rm", "-q", ".gitattributes")
			w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "z")
			w.age("p/.git/index", time.Minute)
			if text := w.output("cat-file", "blob", "HEAD:src/a.x"); text == "content" {
				w.Fatal("the filter did not run")
			}
		}), "", "2"},
		{"a folder of the session", func(w *workTree) { w.cwd = w.at("src") }, "rm -rf $PROJECT/src", "2"},
		{"a merge not settled", func(w *workTree) {
			id := w.output("rev-parse", "HEAD:src/a.go")
			w.git("rm", "-q", "--cached", "src/a.go")
			cmd := exec.Command("git", "update-index", "--index-info")
			cmd.Dir, cmd.Stdin = w.dir, strings.NewReader("100644 "+id+" 2\tsrc/a.go\n100644 "+id+" 3\tsrc/a.go\n")
			w.must(cmd.Run())
			w.age("p/.git/index", time.Minute)
		}, "", "2"},
		{"a damaged index", func(w *workTree) { w.must(os.Truncate(w.at(".git/index"), 200)) }, "", "2"},
		{"no index", func(w *workTree) { w.must(os.Remove(w.at(".git/index"))) }, "", "2"},

		{"secret below", add("src/.env", "x"), "", "2"},
		{"key below", add("src/id_rsa", "x"), "", "2"},
		{"settings below", add("src/.vscode/tasks.json", "{}"), "", "2"},
		{"much content", add("src/big", strings.Repeat("0123456789abcdef", 1<<19)), "", "2"},
		{"the project", nil, "rm -rf $PROJECT", "2"},
		{"everything", nil, "rm -rf .", "2"},
		{"above", nil, "rm -rf ..", "2"},
		{"outside", nil, "rm -rf /srv/src", "3b"},
		{"a pattern", nil, "rm -rf sr?", "7"},
		{"all in it", nil, "rm -rf src/*", "2"},
		{"git's own", nil, "rm -rf .git", "2"},

		{"after a look", nil, "git status && ls src; rm -rf src", "7"},
		{"then something else", nil, "rm -rf src && mkdir src", "7"},
		{"in another folder", add("src/x/a", "1"), "cd src && rm -rf x", "7"},
		{"after a write", nil, "echo x > src/a.go; rm -rf src", "2"},
		{"after a write elsewhere", nil, "echo x > docs/a; rm -rf src", "2"},
		{"after a reset", nil, "git reset -q HEAD~; rm -rf src", "2"},
		{"after git add", nil, "git add src && rm -rf src", "2"},
		{"after a clean-up", nil, "git gc -q && rm -rf src", "2"},
		{"twice", nil, "rm -rf src; rm -rf src", "2"},
		{"next to a job that writes", nil, "echo x > src/y & rm -rf src", "2"},
		{"a job, then a write", nil, "rm -rf src & echo x > src/y", "2"},
		{"in a pipe with a write", nil, "rm -rf src | tee src/y", "2"},
		{"in a loop", nil, "for i in 1 2; do rm -rf src; echo x > src/y; done", "2"},
		{"what a word writes", nil, `rm -rf src "$(tee src/y </dev/null)"`, "2"},
		{"by sudo", nil, "sudo rm -rf src", "2"},
		{"by find", nil, "find src -exec rm -rf src +", "7"},
		{"up and down", nil, "cd docs && rm -rf ../src", "2"},
		{"by a shell", nil, "sh -c 'rm -rf src'", "2"},
		{"by a launcher", nil, "env rm -rf src", "2"},
		{"by a trap", nil, "trap 'rm -rf src' EXIT; echo x > src/y", "2"},
		{"by a function", nil, "f() { rm -rf src; }; echo x > src/y; f", "2"},
		{"after a stash", nil, "git stash -q; rm -rf src", "2"},
		{"after the branch moved", nil, "git update-ref HEAD HEAD~; rm -rf src", "2"},
		{"then the repository", nil, "rm -rf src; rm -rf .git", "2"},
		{"then the history", nil, "rm -rf src && git reflog expire --expire=now --all && git gc --prune=now", "2"},
		{"then back to an older commit", nil, "rm -rf src && git reset --hard HEAD~", "2"},
		{"by another name", nil, "rm -rf /proc/self/cwd/src", "2"},
		{"by another name, elsewhere", put("docs/src/a", "1"), "cd docs && rm -rf /proc/self/cwd/src", "2"},
		{"with a repository of its own choice", nil, "GIT_DIR=/srv rm -rf src", "2"},
		{"after code", nil, "make; rm -rf src", "2"},
		{"where cd may fail", nil, "cd nowhere; rm -rf src", "7"},
		{"where cd leads to what is new", put("new/src/a", "1"), "cd new; rm -rf src", "2"},
		{"where cd may fail before what is new", add("src/x/a", "1", "x/a", "1"), "cd src; rm -rf x", "2"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			w := *asMade
			if tt.change != nil {
				w = *newWorkTree(t)
				tt.change(&w)
			}
			command := "rm -rf src"
			if tt.command != "" {
				command = strings.ReplaceAll(tt.command, "$PROJECT", w.dir)
			}
			w.removes(command, tt.want)
			if command == "rm -rf src" && tt.want == "7" && tt.change != nil {
				w.bringsBack()
			}
		})
	}
	t.Run("2,000 entries", func(t *testing.T) {
		w := *newWorkTree(t)
		many(2001)(&w)
		w.removes("rm -rf src", "2")
		w.git("rm", "-q", "src/0/0")
		w.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "z")
		w.age("p/.git/index", time.Minute)
		w.removes("rm -rf src docs", "2")
		w.removes("rm -rf src", "7")
		w.bringsBack()
	})
}

// TestRemoveItemNothing: what rm -r is not asked about, Remove-Item -Recurse is not either.
func TestRemoveItemNothing(t *testing.T) {
	mask := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(mask) })
	w := newWorkTree(t)
	for command, want := range map[string]string{
		"Remove-Item -Recurse missing":                                       "7",
		"Remove-Item -Recurse -Force old.js, missing":                        "7",
		"Remove-Item -Recurse -Force .\\src":                                 "7",
		"git status; Remove-Item -Recurse -Force src -ea SilentlyContinue":   "7",
		"Remove-Item -Recurse docs":                                          "2",
		"Remove-Item -Recurse new":                                           "2",
		"Remove-Item -Recurse src, new":                                      "2",
		"Remove-Item -Recurse link":                                          "2",
		"Remove-Item -Recurse main.go":                                       "2",
		"Remove-Item -Recurse mis*":                                          "7",
		"Remove-Item -Recurse $x":                                            "2",
		"Remove-Item -Recurse env:missing":                                   "2",
		"cd hkcu:; Remove-Item -Recurse missing":                             "2",
		"Set-Location env:; Remove-Item -Recurse src":                        "2",
		"New-PSDrive x FileSystem .; Remove-Item -Recurse x:missing":         "2",
		"Move-Item src missing; Remove-Item -Recurse missing":                "2",
		"./x.ps1; Remove-Item -Recurse missing":                              "2",
		"function Remove-Item { ri src -r }; Remove-Item -Recurse missing":   "2",
		"Set-Alias rm x; Remove-Item -Recurse missing":                       "2",
		"$PSDefaultParameterValues['a:b'] = 1; Remove-Item -Recurse missing": "2",
		"'src' | Remove-Item -Recurse":                                       "2",
		"Remove-Item -Recurse missing -Include x":                            "2",
		"Remove-Item -Recurse missing -Path src":                             "2",
		"Remove-Item -Recurse missing > x":                                   "2",
		"1..3 | % { Remove-Item -Recurse missing; Move-Item src missing }":   "2",
		"Start-Job { Move-Item src missing }; Remove-Item -Recurse missing":  "2",
		"powershell -c 'Remove-Item -Recurse missing'":                       "2",
		"Remove-Item -Recurse .git\\hooks\\none":                             "2",
		"Remove-Item -Recurse HKCU:\\missing":                                "2",
		"Remove-Item -Recurse Microsoft.PowerShell.Core\\Registry::missing":  "2",
		"Remove-Item -Recurse missing\\..\\docs":                             "2",
	} {
		if v := w.decide(command); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
}

// TestBringsBackWorkTree: a work tree that was added to a repository has an index and a HEAD of its own.
func TestBringsBackWorkTree(t *testing.T) {
	mask := syscall.Umask(0o022)
	t.Cleanup(func() { syscall.Umask(mask) })
	w := newWorkTree(t)
	w.git("worktree", "add", "-q", "../other")
	own := *w
	own.dir = filepath.Join(w.top, "other")
	w.age("p/.git/worktrees/other/index", time.Minute)
	if v := own.decide("rm -rf src"); v.Step() != "7" {
		t.Errorf("step %s: %s", v.Step(), v.Reason())
	}
	if v := w.decide("rm -rf " + own.dir + "/src"); v.Step() != "2" {
		t.Errorf("from the first work tree: step %s: %s", v.Step(), v.Reason())
	}
	w.write("other/.git", "gitdir: ../p/.git/worktrees/another\n")
	if v := own.decide("rm -rf src"); v.Step() != "2" {
		t.Errorf("a .git of nowhere: step %s: %s", v.Step(), v.Reason())
	}
}

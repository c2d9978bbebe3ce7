package decide

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A workTree is a project on the disk that git made, with tracked, ignored and new files.
type workTree struct {
	*testing.T
	top, dir string // dir is the project, top what holds it
	posture  string
	env      []string
	cwd      string // of the session, "" for dir
}

func newWorkTree(t *testing.T) *workTree {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	top, _ := filepath.EvalSymlinks(inMemory(t))
	w := &workTree{T: t, top: top, dir: filepath.Join(top, "p"), posture: "practical"}
	tracked.copy(t, w.dir, func(dir string) {
		first := &workTree{T: t, top: filepath.Dir(dir), dir: dir}
		for name, data := range map[string]string{
			".gitignore": "ignored/\n", "src/a.go": "package a\n", "src/b.go": "package a\n", "docs/a.md": "x",
			"main.go": "package main\n",
		} {
			first.write(filepath.Base(dir)+"/"+name, data)
		}
		first.git("init", "-q")
		first.git("add", ".")
		first.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x")
	})
	w.git("update-index", "--refresh") // of the copies
	w.age("p/.git/index", time.Minute) // newer than every file
	w.write("p/docs/b.md", "xx")
	w.write("p/new/a", "x")
	w.write("p/new/b/c", "xx")
	w.write("p/ignored/a", "x")
	w.write("p/old.js", "x")
	w.must(os.Mkdir(filepath.Join(w.dir, "empty"), 0o755))
	if err := os.Symlink("src", filepath.Join(w.dir, "link")); err != nil {
		t.Skip(err)
	}
	w.must(os.Symlink("main.go", filepath.Join(w.dir, "link.go")))
	w.must(os.Symlink("nowhere", filepath.Join(w.dir, "dangling")))
	w.must(os.Link(filepath.Join(w.dir, "main.go"), filepath.Join(w.dir, "hard.go")))
	return w
}

// tracked is what git has of a work tree.
var tracked made

// inMemory is a temporary folder, in memory where there is one: thousands of files are made and looked at there.
func inMemory(t *testing.T) string {
	dir, err := os.MkdirTemp("/dev/shm", "permgate")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (w *workTree) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *workTree) git(args ...string) {
	w.Helper()
	w.output(args...)
}

// output runs git and returns what it prints.
func (w *workTree) output(args ...string) string {
	w.Helper()
	return testenv.Git(w, "/nonexistent", w.dir, args...)
}

func (w *workTree) write(name, data string) {
	w.Helper()
	name = filepath.Join(w.top, name)
	w.must(os.MkdirAll(filepath.Dir(name), 0o755))
	w.must(os.WriteFile(name, []byte(data), 0o644))
}

func (w *workTree) age(name string, by time.Duration) {
	w.Helper()
	at := time.Now().Add(by)
	w.must(os.Chtimes(filepath.Join(w.top, name), at, at))
}

// decide answers a command that would run in the project.
func (w *workTree) decide(command string, deny ...rules.Rule) Verdict {
	c := testCase("Bash")
	c.Call.Command = command
	c.Policy.Cwd, c.Policy.Project = rules.Path{Given: w.dir, Real: w.dir}, rules.Path{Given: w.dir, Real: w.dir}
	if w.cwd != "" {
		c.Policy.Cwd = rules.Path{Given: w.cwd, Real: w.cwd}
	}
	c.Policy.Home = rules.Path{Given: w.top, Real: w.top}
	c.Policy.Deny = deny
	c.Policy.Posture.Destructive.Value = w.posture
	c.World = world.New(world.Facts{FS: disk.Disk{}, User: world.User{ID: disk.UID()}, Environ: func() []string { return w.env }},
		c.Policy, "")
	analyze := bashsafety.Analyze
	if strings.Contains(command, "Remove-Item") {
		c.Call.Tool, analyze = "PowerShell", bashsafety.AnalyzePowerShell
	}
	c.Script = analyze(command, bashsafety.Env{Cwd: w.dir, Home: w.top})
	return Decide(c)
}

// removes checks at which step a command is answered under practical, and that this is not 7 under strict.
func (w *workTree) removes(command, want string) {
	w.Helper()
	if v := w.decide(command); v.Step() != want {
		w.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
	}
	strict := *w
	strict.posture = "strict"
	if v := strict.decide(command); v.Step() == "7" {
		w.Errorf("strict: %s: step 7", command)
	}
}

// TestRemovesNothing: under practical rm -r of a name that is not there, or of a plain file with one
// name, is no finding where all else in the text only reads; every doubt about that asks.
func TestRemovesNothing(t *testing.T) {
	w := newWorkTree(t)
	for command, want := range map[string]string{
		"rm -rf missing":                                        "7",
		"rm -r old.js":                                          "7",
		"rm -rf missing old.js docs/none":                       "7",
		"rm -rf ./missing/":                                     "7",
		"git status; rm -rf missing":                            "7",
		"ls src && rm -rf missing":                              "7",
		"cd src && rm -rf missing":                              "7",
		"rm -rf missing && mkdir missing":                       "7",
		"rm -rf Missing":                                        "7",
		"rm -rf main.go/x":                                      "7",
		"rm -rf /srv/none":                                      "3b",
		"rm -rf missing /srv/none":                              "3b",
		"rm -rf .git/hooks/none":                                "2",
		"rm -rf /etc/none-of-it":                                "2",
		"rm -rf docs":                                           "2",
		"rm -rf missing new":                                    "2",
		"rm -rf empty":                                          "2",
		"rm -rf link":                                           "2",
		"rm -rf link/":                                          "2",
		"rm -rf link.go":                                        "2",
		"rm -rf dangling":                                       "2",
		"rm -rf main.go":                                        "2", // it has another name
		"rm -rf hard.go":                                        "2",
		"rm -rf missing*":                                       "7", // which nothing matches
		"rm -rf old.j?":                                         "2",
		"rm -rf 'missing'/*":                                    "2",
		"rm -rf $x":                                             "2",
		`rm -rf "missing$x"`:                                    "2",
		"rm -rf link/../missing":                                "2",
		"rm -rf missing/../src":                                 "2",
		"mkdir missing; rm -rf missing":                         "2",
		"mv src missing && rm -rf missing":                      "2",
		"cp -r src missing; rm -rf missing":                     "2",
		"ln -s src missing; rm -rf missing/":                    "2",
		"ln src/a.go x; rm -rf old.js":                          "2",
		"make; rm -rf missing":                                  "2",
		"rm old.js && mv src old.js && rm -rf old.js":           "2",
		"mv src missing & rm -rf missing":                       "2",
		"mv src missing | rm -rf missing":                       "2",
		"rm -rf missing | mv src missing":                       "2",
		"rm -rf missing & mv src missing":                       "2",
		`rm -rf missing "$(mv src missing)"`:                    "2",
		"rm -rf missing > >(mv src missing)":                    "2",
		"for i in 1 2; do rm -rf missing; mv src missing; done": "2",
		"f() { rm -rf missing; }; f; mv src missing; f":         "2",
		"trap 'rm -rf missing' EXIT; mv src missing":            "2",
		"sudo rm -rf missing":                                   "2",
		"rm -rf missing < <(mv src missing)":                    "2",
		"X=$(mv src missing) rm -rf missing":                    "2",
		"rm -rf missing <<< $(mv src missing)":                  "2",
		"cat <(mv src missing) && rm -rf missing":               "2",
		"sh -c 'rm -rf missing'":                                "2",
		"find . -exec rm -rf missing +":                         "7",
		"echo missing | xargs rm -rf":                           "7",
		"PATH=.:$PATH rm -rf missing":                           "2",
		"./rm -rf missing":                                      "2",
		"rm() { command rm -rf src; }; rm -rf missing":          "2",
		"alias rm='rm -rf src'; rm -rf missing":                 "2",
		". ./x; rm -rf missing":                                 "2",
		"git checkout x; rm -rf missing":                        "2",
	} {
		if v := w.decide(command); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
	w.posture = "strict"
	for _, command := range []string{"rm -rf missing", "rm -r old.js"} {
		if v := w.decide(command); v.Step() != "2" {
			t.Errorf("strict: %s: step %s: %s", command, v.Step(), v.Reason())
		}
	}
}

// TestRemovalSays: the question about a removal says what is there and how much of it git has, and
// names a way back that is accepted.
func TestRemovalSays(t *testing.T) {
	w := newWorkTree(t)
	w.env = []string{"GIT_DIR=" + filepath.Join(w.dir, ".git")} // else nothing is asked about what git can bring back
	w.write("p/nested/.git/HEAD", "ref: refs/heads/main\n")
	w.write("p/nested/a", "x")
	for command, want := range map[string]string{
		"rm -rf src":   "deletes `src` and everything in it: 2 files, 20 bytes, all of them tracked by git and unchanged. Try `git rm -r src`, which git can undo",
		"rm -rf docs":  "deletes `docs` and everything in it: 2 files, 3 bytes, 1 of which git cannot bring back. Try `git stash -u -- docs`, which can be undone",
		"rm -rf new":   "deletes `new` and everything in it: 2 files, 3 bytes, none of which git can bring back. Try `git stash -u -- new`, which can be undone",
		"rm -rf empty": "deletes `empty`, an empty folder. Try `rmdir empty`",
		"rm -rf link":  "deletes `link`: 1 file, 3 bytes, which git cannot bring back. Try `git stash -u -- link`, which can be undone",
		"mkdir -p build; rm -rf build": "deletes `build`, which does not exist now; " +
			"another part of the command may put something there first",
		"touch new/d; rm -rf new": "deletes `new` and everything in it, now 2 files, 3 bytes, none of which git can bring back. " +
			"Try `git stash -u -- new`, which can be undone",
		"rm -rf src new": "deletes everything in 2 places: 4 files, 23 bytes, 2 of which git cannot bring back. " +
			"Try `git stash -u -- src new`, which can be undone",
	} {
		if v := w.decide(command); !strings.HasPrefix(v.Reason(), "`"+v.Why().Part+"` "+want+" [permgate recursive-remove") {
			t.Errorf("%s: %q, want %q", command, v.Reason(), want)
		}
	}
	if v := w.decide("rm -rf ignored"); !strings.Contains(v.Reason(), "Try `mv ignored /tmp/ignored`, which can be undone") {
		t.Errorf("ignored: %q; %q", v.Reason(), w.decide("mv ignored /tmp/").Reason())
	}
	for _, command := range []string{"rm -rf src/", "rm -rf /", "rm -rf ~", "rm -rf .git", "rm -rf nested", "rm -rf ..", "sudo rm -rf docs"} {
		for _, hint := range hinted(w.decide(command).Why().Way) {
			if v := w.decide(hint); v.Step() != "7" {
				t.Errorf("%s: `%s` is offered, and step %s says: %s", command, hint, v.Step(), v.Reason())
			}
		}
	}
	r, err := rules.ParseRule("Bash(git stash:*)", rules.Deny, rules.User, rules.Pos{}, false)
	w.must(err)
	if v := w.decide("rm -rf new", r); strings.Contains(v.Reason(), "stash") {
		t.Errorf("a denied command is offered: %q", v.Reason())
	}
	w.write("p/src/a.go", "package aa\n")
	if v := w.decide("rm -rf src"); !strings.Contains(v.Reason(), "1 of which git cannot bring back") {
		t.Errorf("changed: %q", v.Reason())
	}
	w.write("p/src/a.go", "package b\n")
	w.age("p/src/a.go", -time.Hour)
	if v := w.decide("rm -rf src"); !strings.Contains(v.Reason(), "some of which git may not have") {
		t.Errorf("touched: %q", v.Reason())
	}
}

package gate_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A gitWorld is a home with repositories that git made: app with the work trees wt and app/.claude/worktrees/a, and lib,
// which is another one. It does not lie below a temporary folder, where writes are not outside.
type gitWorld struct {
	t    *testing.T
	home string
}

func newGitWorld(t *testing.T) *gitWorld {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	if runtime.GOOS == "windows" {
		t.Skip("the rules of these tests have the paths of a Unix")
	}
	cache, err := os.UserCacheDir()
	if err == nil {
		if strings.HasPrefix(cache, os.TempDir()) {
			t.Skip("the cache is a temporary folder, which the workspace check leaves alone")
		}
		cache = filepath.Join(cache, "permgate-gate")
		err = os.MkdirAll(cache, 0o755)
	}
	if err != nil {
		t.Skip(err)
	}
	dir, err := os.MkdirTemp(cache, "git-")
	if err == nil {
		t.Cleanup(func() { os.RemoveAll(dir) })
		dir, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	w := &gitWorld{t, dir}
	if madeGitWorld.dir == "" {
		w.make()
		madeGitWorld.dir, madeGitWorld.files = w.home, testenv.InMemory(t, os.DirFS(w.home))
		return w
	}
	if err := os.CopyFS(w.home, madeGitWorld.files); err != nil {
		t.Fatal(err)
	}
	for _, name := range [...]string{"wt/.git", "app/.claude/worktrees/a/.git", "app/.git/worktrees/wt/gitdir", "app/.git/worktrees/a/gitdir"} {
		text, err := os.ReadFile(w.at(name))
		if err != nil {
			t.Fatal(err)
		}
		w.write(name, strings.Replace(string(text), madeGitWorld.dir, w.home, 1))
	}
	return w
}

// madeGitWorld is the first one, for all others.
var madeGitWorld struct {
	dir   string
	files fstest.MapFS
}

// make has git make the repositories.
func (w *gitWorld) make() {
	w.t.Helper()
	for _, name := range [...]string{"app", "lib"} {
		w.write(name+"/a.txt", "a\n")
		w.git(name, "init", "-q", "-b", "main", ".")
		w.git(name, "add", "a.txt")
		w.git(name, "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "first")
	}
	w.git("app", "worktree", "add", "-q", "../wt", "-b", "wt")
	w.git("app", "worktree", "add", "-q", ".claude/worktrees/a", "-b", "a")
	w.write(".claude/settings.json", `{"permissions":{"allow":["Bash(git:*)","Bash(cd:*)"]}}`)
}

func (w *gitWorld) at(name string) string { return filepath.Join(w.home, name) }

func (w *gitWorld) write(name, text string) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(w.at(name)), 0o700); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(w.at(name), []byte(text), 0o600); err != nil {
		w.t.Fatal(err)
	}
}

func (w *gitWorld) git(dir string, args ...string) {
	w.t.Helper()
	testenv.Git(w.t, w.home, w.at(dir), args...)
}

// record is what permgate trust --repo writes.
func (w *gitWorld) record(name string) {
	w.t.Helper()
	stamp, _, why := gate.Stamp(w.world(""), rules.Path{Given: w.home, Real: w.home}, w.at(name))
	if why != "" {
		w.t.Fatalf("%s: %s", name, why)
	}
	w.write(".local/state/permgate/trust/repositories", w.at(name)+"\t"+stamp+"\n")
}

func (w *gitWorld) world(cwd string, more ...string) gate.World {
	return gate.World{
		Getenv: func(string) string { return "" }, Environ: func() []string { return more },
		Cwd: w.at(cwd), PasswdHome: w.home, UID: os.Getuid(), Files: disk.Disk{}, Now: time.Now(), ManagedDir: []string{},
		Exe: func() (string, error) { return "/usr/local/bin/permgate", nil },
	}
}

// decide is the answer to a command in a project, and the verdict behind it.
func (w *gitWorld) decide(from, command string, environ ...string) (hookio.Answer, decide.Verdict) {
	w.t.Helper()
	v := decide.Decide(w.input(from, command, environ...))
	return v.Answer(), v
}

func (w *gitWorld) input(from, command string, environ ...string) *decide.Input {
	w.t.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	payload := `{"session_id":"s1","hook_event_name":"PreToolUse","cwd":"` + w.at(from) + `","tool_name":"Bash","tool_input":` + string(input) + `}`
	call, err := hookio.Read(strings.NewReader(payload), hookio.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return gate.Case(call, &gate.Flags{}, w.world(from, environ...))
}

// A gitSentence is a command in a project of a gitWorld, which change made another.
type gitSentence struct {
	name, from, command string
	change              func(*gitWorld)
	environ             []string
	want                hookio.Decision
	reason              string
}

func runGitSentences(t *testing.T, table []gitSentence) {
	t.Helper()
	for _, s := range table {
		t.Run(s.name, func(t *testing.T) {
			w := newGitWorld(t)
			if s.change != nil {
				s.change(w)
			}
			a, v := w.decide(s.from, s.command, s.environ...)
			if a.Decision != s.want || !strings.Contains(a.Reason, s.reason) {
				t.Errorf("%s: got %v at step %s: %q, want %v %q", s.command, a.Decision, v.Step(), a.Reason, s.want, s.reason)
			}
		})
	}
}

const (
	changes = "changes a git repository outside the project"
	other   = "changes another git repository"
	outside = ", outside the project"
)

// TestWorktreesAreOwn: git in a work tree of the project's own repository is git in the project, wherever the work tree
// lies; the files that it writes there are outside. Nothing else is the project's own because a file says so.
func TestWorktreesAreOwn(t *testing.T) {
	runGitSentences(t, []gitSentence{
		{name: "status below", from: "app", command: "git -C .claude/worktrees/a status", want: allow},
		{name: "add and commit below", from: "app", command: "git -C .claude/worktrees/a add . && git -C .claude/worktrees/a commit -m x", want: allow},
		{name: "switch below", from: "app", command: "cd .claude/worktrees/a && git switch -c topic", want: allow},
		{name: "commit elsewhere", from: "app", command: "cd ../wt && git commit -m x", want: allow},
		{name: "add, commit and push elsewhere", from: "app", command: "cd ../wt && git add -A && git commit -m x && git push origin wt", want: allow},
		{name: "diff elsewhere", from: "app", command: "git -C ../wt diff", want: allow},
		{name: "by a symlink", from: "app", command: "git -C ../l commit -m x", change: func(w *gitWorld) { os.Symlink("wt", w.at("l")) }, want: allow},
		{name: "the main checkout", from: "wt", command: "git -C ../app commit -m x", want: allow},
		{name: "a sibling", from: "wt", command: "git -C ../app/.claude/worktrees/a commit -m x", want: allow},
		{name: "switch elsewhere", from: "app", command: "git -C ../wt switch -c topic", want: ask, reason: "wt`" + outside},
		{name: "pull elsewhere", from: "app", command: "cd ../wt && git pull", want: ask, reason: "wt`" + outside},
		{name: "move elsewhere", from: "app", command: "git -C ../wt mv a.txt b.txt", want: ask, reason: "a.txt`" + outside},
		{name: "switch elsewhere, allowed", from: "app", command: "git -C ../wt switch -c topic", change: func(w *gitWorld) {
			w.write(".claude/settings.json", `{"permissions":{"allow":["Bash(git:*)","Edit(~/wt/**)","Edit(~/wt)"]}}`)
		}, want: allow},
		{name: "a new one below", from: "app", command: "git worktree add .claude/worktrees/b", want: allow},
		{name: "a new one elsewhere", from: "app", command: "git worktree add ../x", want: ask, reason: "x`" + outside},
		{name: "a new one elsewhere, allowed", from: "app", command: "git worktree add ../x", change: func(w *gitWorld) {
			w.write(".claude/settings.json", `{"permissions":{"allow":["Bash(git:*)","Edit(~/x)"]}}`)
		}, want: allow},
		{name: "a new one elsewhere, and work in it", from: "app", command: "git worktree add -b x ../x && cd ../x && git commit -m x", change: func(w *gitWorld) {
			w.write(".claude/settings.json", `{"permissions":{"allow":["Bash(git:*)","Bash(cd:*)","Edit(~/x)"]}}`)
		}, want: allow},
		{name: "a new one of another repository, and work in it", from: "app", command: "git -C ../lib worktree add -b x ../x && cd ../x && git commit -m x", want: ask, reason: changes},
		{name: "a new one in a folder that the text fills", from: "app", command: "cp -r ../lib ../x; git worktree add -b x ../x; git -C ../x commit -m x", want: ask, reason: "x commit -m x` " + changes},
		{name: "a new one in another place", from: "app", command: "git worktree add -b x ../x && git -C ../lib commit -m x", want: ask, reason: "lib commit -m x` " + changes},

		{name: "another repository", from: "app", command: "git -C ../lib commit -m x", want: ask, reason: changes},
		{name: "one direction", from: "app", command: "git -C ../evil commit -m x", change: func(w *gitWorld) {
			w.write("evil/.git", "gitdir: "+w.at("app/.git/worktrees/wt")+"\n")
		}, want: ask, reason: changes},
		{name: "the very git directory", from: "app", command: "git -C ../evil commit -m x", change: func(w *gitWorld) {
			w.write("evil/.git", "gitdir: "+w.at("app/.git")+"\n")
		}, want: ask, reason: changes},
		{name: "a git directory of its own that names the common one", from: "app", command: "git -C ../evil commit -m x", change: func(w *gitWorld) {
			w.write("evil/.git/HEAD", "ref: refs/heads/main\n")
			w.write("evil/.git/commondir", w.at("app/.git")+"\n")
		}, want: ask, reason: changes},
		{name: "a symlink to .git", from: "app", command: "git -C ../evil commit -m x", change: func(w *gitWorld) {
			w.write("evil/x", "")
			os.Symlink(w.at("app/.git"), w.at("evil/.git"))
		}, want: ask, reason: changes},
		{name: "a repository inside of a work tree", from: "app", command: "git -C ../wt/in commit -m x", change: func(w *gitWorld) { os.CopyFS(w.at("wt/in"), os.DirFS(w.at("lib"))) }, want: ask, reason: changes},
		{name: "a bare repository", from: "app", command: "git -C ../bare push", change: func(w *gitWorld) { w.git(".", "clone", "-q", "--bare", "app", "bare") }, want: ask, reason: changes},
		{name: "others can write the pointer", from: "app", command: "git -C ../wt commit -m x", change: func(w *gitWorld) { os.Chmod(w.at("app/.git/worktrees/wt/gitdir"), 0o666) }, want: ask, reason: changes},
		{name: "unlinked by the same text", from: "app", command: "git -C ../wt commit -m x; mv ../lib/.git ../wt/.git; git -C ../wt commit -m y", want: ask, reason: "mv ../lib/.git"},
		{name: "another git directory", from: "app", command: "GIT_DIR=../lib/.git git -C ../wt commit -m x", want: ask, reason: changes},
		{name: "another one by the environment", from: "app", command: "git -C ../wt commit -m x", environ: []string{"GIT_DIR=/x"}, want: ask, reason: changes},
		{name: "work tree of another repository", from: "app", command: "git -C ../libwt commit -m x", change: func(w *gitWorld) { w.git("lib", "worktree", "add", "-q", "../libwt", "-b", "x") }, want: ask, reason: changes},
	})
}

// TestYesToWorktrees: a yes to what git writes in a work tree outside of the project is one for that folder.
func TestYesToWorktrees(t *testing.T) {
	for _, c := range []struct {
		first, second string
		again         bool
	}{
		{first: "git worktree add ../x", second: "git worktree add -b topic ../x"},
		{first: "git worktree add ../x", second: "git worktree add ../y", again: true},
		{first: "git -C ../wt switch -c topic", second: "cd ../wt && git pull"},
		{first: "git -C ../wt switch -c topic", second: "git -C ../lib switch -c topic", again: true},
		{first: "git -C ../wt switch -c topic", second: "git -C ../wt reset --hard", again: true},
	} {
		w := newGitWorld(t)
		w.write(".claude/permgate.json", `{"rememberYes":true}`)
		_, v := w.decide("app", c.first)
		if v.Step() != "3b" || len(v.Why().Targets) == 0 {
			t.Errorf("%s: step %s, %d targets: %s", c.first, v.Step(), len(v.Why().Targets), v.Reason())
			continue
		}
		in := w.input("app", c.second)
		in.Answered = func() []facts.Yes { return []facts.Yes{{Target: v.Why().Targets[0], At: time.Now()}} }
		if v := decide.Decide(in); (v.Decision() == ask) != c.again {
			t.Errorf("%s, then %s: %v at step %s: %s", c.first, c.second, v.Decision(), v.Step(), v.Reason())
		}
	}
}

// TestOwnRepositories: a repository is the user's own where their settings name its top as an additional directory, or
// permgate trust --repo recorded it, and while nothing there runs a program that did not then.
func TestOwnRepositories(t *testing.T) {
	dirs := func(file, dir string) func(*gitWorld) {
		return func(w *gitWorld) {
			w.write(file, `{"permissions":{"allow":["Bash(git:*)","Bash(cd:*)"],"additionalDirectories":["`+dir+`"]}}`)
		}
	}
	user, local := ".claude/settings.json", "app/.claude/settings.local.json"
	then := func(all ...func(*gitWorld)) func(*gitWorld) {
		return func(w *gitWorld) {
			for _, f := range all {
				f(w)
			}
		}
	}
	write := func(name, text string) func(*gitWorld) { return func(w *gitWorld) { w.write(name, text) } }
	record := func(w *gitWorld) { w.record("lib") }
	const commit = "git -C ../lib commit -m x"
	hook, filter := write("lib/.git/hooks/pre-commit", "#!/bin/sh\n"), write("lib/.git/config", "[filter \"x\"]\n\tclean = ./x\n")
	runGitSentences(t, []gitSentence{
		{name: "additional directory", from: "app", command: commit, change: dirs(user, "~/lib"), want: allow},
		{name: "by cd", from: "app", command: "cd ../lib && git add . && git commit -m x", change: dirs(user, "~/lib"), want: allow},
		{name: "writes inside", from: "app", command: "git -C ../lib switch -c topic", change: dirs(user, "~/lib"), want: allow},
		{name: "with a hook", from: "app", command: commit, change: then(dirs(user, "~/lib"), hook), want: ask, reason: other},
		{name: "with a filter", from: "app", command: commit, change: then(dirs(user, "~/lib"), filter), want: ask, reason: other},
		{name: "hook by the same text", from: "app", command: "cp x ../lib/.git/hooks/pre-commit; " + commit, change: dirs(user, "~/lib"), want: ask, reason: other},
		{name: "the folder above", from: "app", command: "git -C ../libs/lib commit -m x", change: then(func(w *gitWorld) { os.CopyFS(w.at("libs/lib"), os.DirFS(w.at("lib"))) }, dirs(user, "~/libs")), want: ask, reason: other},
		{name: "a folder inside", from: "app", command: "git -C ../lib/sub commit -m x", change: then(write("lib/sub/a", ""), dirs(user, "~/lib/sub")), want: ask, reason: other},
		{name: "of the project's settings", from: "app", command: commit, change: dirs(local, "../lib"), want: ask, reason: other},

		{name: "recorded", from: "app", command: commit, change: record, want: allow},
		{name: "recorded, a folder of it", from: "app", command: "git -C ../lib/sub commit -m x", change: then(write("lib/sub/a", ""), record), want: allow},
		{name: "recorded with its hook", from: "app", command: commit, change: then(hook, record), want: allow},
		{name: "recorded, files are outside", from: "app", command: "git -C ../lib switch -c topic", change: record, want: ask, reason: "lib`" + outside},
		{name: "a hook since", from: "app", command: commit, change: then(record, hook), want: ask, reason: changes},
		{name: "another hook since", from: "app", command: commit, change: then(hook, record, write("lib/.git/hooks/pre-commit", "#!/bin/bash\n")), want: ask, reason: changes},
		{name: "a filter since", from: "app", command: commit, change: then(record, filter), want: ask, reason: changes},
		{name: "attributes since", from: "app", command: commit, change: then(record, write("lib/.gitattributes", "* filter=x\n")), want: ask, reason: changes},
		{name: "moved to another place", from: "app", command: "git -C ../lib2 commit -m x", change: then(record, func(w *gitWorld) { os.Rename(w.at("lib"), w.at("lib2")) }), want: ask, reason: changes},
		{name: "a record that others can write", from: "app", command: commit, change: then(record, func(w *gitWorld) { os.Chmod(w.at(".local/state/permgate/trust/repositories"), 0o666) }), want: ask, reason: changes},
		{name: "another git directory", from: "app", command: "git --git-dir=../lib/.git --work-tree=/srv commit -m x", change: record, want: ask},
		{name: "removals stay", from: "app", command: "git -C ../lib reset --hard", change: record, want: ask, reason: "uncommitted"},
	})
}

// TestWorktreeSettings: the main checkout's local file binds and grants in its work trees, judged by its own index.
func TestWorktreeSettings(t *testing.T) {
	const local = "app/.claude/settings.local.json"
	mine := func(w *gitWorld) {
		w.write(local, `{"permissions":{"deny":["Bash(curl:*)"],"allow":["Bash(make:*)"]}}`)
		w.write(".claude/permgate.json", `{"projectTrust":"require"}`)
	}
	tracked := func(w *gitWorld) {
		mine(w)
		w.git("app", "add", "-f", ".claude/settings.local.json")
	}
	runGitSentences(t, []gitSentence{
		{name: "denies", from: "wt", command: "curl x.io", change: mine, want: deny, reason: local},
		{name: "allows", from: "wt", command: "make", change: mine, want: allow},
		{name: "denies below", from: "app/.claude/worktrees/a", command: "curl x.io", change: mine, want: deny},
		{name: "allows below", from: "app/.claude/worktrees/a", command: "make", change: mine, want: allow},
		{name: "tracked, denies", from: "wt", command: "curl x.io", change: tracked, want: deny},
		{name: "tracked, grants nothing", from: "wt", command: "make", change: tracked, want: ask, reason: "not trusted"},
		{name: "tracked by the work tree alone", from: "wt", command: "make", change: func(w *gitWorld) {
			mine(w)
			w.write("wt/.claude/settings.local.json", `{}`)
			w.git("wt", "add", "-f", ".claude/settings.local.json")
		}, want: allow},
		{name: "one direction", from: "evil", command: "make", change: func(w *gitWorld) {
			mine(w)
			w.write("evil/.git", "gitdir: "+w.at("app/.git/worktrees/wt")+"\n")
		}, want: ask},
	})
}

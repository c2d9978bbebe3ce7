package decide

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/decide/facts"
	"github.com/permgate--owner/permgate/decide/repo"
	"github.com/permgate--owner/permgate/decide/world"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/internal/test/testenv"
	"github.com/permgate--owner/permgate/rules"
)

// A gitPlace is a folder with the session's repository ws and another one,
// other, made by the real git.
type gitPlace struct {
	t   *testing.T
	dir string
	fs  world.FS
	env []string

	index string // GIT_INDEX_FILE of the commands
}

func newGitPlace(t *testing.T) *gitPlace {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	if runtime.GOOS == "windows" {
		t.Skip("the policies of these tests have the paths of a Unix")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := &gitPlace{t: t, dir: dir, fs: disk.Disk{}}
	p.copied("ws")
	p.copied("other")
	return p
}

// committed is a repository with one commit.
var committed made

// copied has a copy of committed in a folder.
func (p *gitPlace) copied(name string) {
	p.t.Helper()
	committed.copy(p.t, p.at(name), func(dir string) {
		made := &gitPlace{t: p.t, dir: dir}
		made.git(".", "init", "-q", "-b", "main", ".")
		made.write("a.txt", "a\n")
		made.git(".", "add", "a.txt")
		made.git(".", "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "first")
	})
}

// made is a folder that is made once, by git, for all its copies.
type made struct {
	once  sync.Once
	files fstest.MapFS
}

// copy puts a copy into a folder.
func (m *made) copy(t *testing.T, dir string, make func(dir string)) {
	t.Helper()
	m.once.Do(func() {
		first := t.TempDir()
		make(first)
		m.files = testenv.InMemory(t, os.DirFS(first))
	})
	if err := os.CopyFS(dir, m.files); err != nil {
		t.Fatal(err)
	}
}

func (p *gitPlace) at(name string) string { return filepath.Join(p.dir, name) }

func (p *gitPlace) git(dir string, args ...string) {
	p.t.Helper()
	testenv.Git(p.t, p.dir, p.at(dir), args...)
}

func (p *gitPlace) write(name, text string) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(p.at(name)), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(p.at(name), []byte(text), 0o644); err != nil {
		p.t.Fatal(err)
	}
}

// add appends to the config of other.
func (p *gitPlace) add(text string) {
	p.t.Helper()
	old, err := os.ReadFile(p.at("other/.git/config"))
	if err != nil {
		p.t.Fatal(err)
	}
	p.write("other/.git/config", string(old)+text)
}

// ask is the case of a shell text in ws.
func (p *gitPlace) ask(command string) *Input {
	ws := rules.Path{Given: p.at("ws"), Real: p.at("ws")}
	policy := &rules.Policy{
		Mode: rules.Setting{Value: "bypassPermissions"}, Cwd: ws, Project: ws,
		Home: rules.Path{Given: p.dir, Real: p.dir}, OS: rules.Linux,
	}
	return &Input{Input: facts.Input{
		Call:   &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Tool: "Bash", Command: command},
		Policy: policy,
		Script: bashsafety.Analyze(command, bashsafety.Env{Cwd: ws.Given, Home: p.dir}),
		World: world.New(world.Facts{FS: p.fs, User: world.User{ID: disk.UID(), Home: p.dir},
			Environ: func() []string { return p.env }}, policy, ""),
	}}
}

// risk is what is in the way of the text being read-only, and whether step 2
// asks about it.
func (p *gitPlace) risk(command string) (why string, asks bool) {
	v := Decide(p.ask(command))
	return v.Unproven(), v.Step() == "2"
}

// otherUser sees one file as another user's.
type otherUser struct {
	disk.Disk
	name string
}

func (o otherUser) Owner(info fs.FileInfo) (int, bool) {
	uid, ok := o.Disk.Owner(info)
	if filepath.Base(info.Name()) == o.name {
		uid = 4242
	}
	return uid, ok
}

// TestGitReadInert: what git itself makes is an ordinary read.
func TestGitReadInert(t *testing.T) {
	p := newGitPlace(t)
	p.git("other", "remote", "add", "origin", "https://example.com/a/b.git")
	p.git("other", "config", "branch.main.remote", "origin")
	p.git("other", "config", "user.name", "A B # c")
	p.git("other", "config", "core.fsmonitor", "false")
	p.git("other", "config", "core.hooksPath", ".husky/_")
	p.git("ws", "worktree", "add", "-q", "../wt", "-b", "wt")
	p.git("other", "worktree", "add", "-q", "../owt", "-b", "owt")
	p.git(".", "clone", "-q", "other", "cloned")
	p.git(".", "clone", "-q", "--bare", "other", "bare.git")
	p.git("ws", "init", "-q", "vendored")
	p.git(".", "init", "-q", "super")
	p.git("super", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.at("other"), "sub")
	p.write("plain/x", "")
	p.write("other/deep/er/x", "")
	for _, command := range []string{
		"git -C ../other status", "git -C " + p.dir + "/other log --oneline -3", "cd ../other && git log", "cd ../other; git diff --stat | head",
		"git -C ../other/deep/er status --short", "cd ../wt && git status", "git -C ../wt diff", "git -C ../owt status", "git -C ../cloned show HEAD",
		"git -C ../bare.git log", "git -C vendored status", "git -C ../super status", "git -C ../super/sub log", "git -C ../plain status",
		"git -C ../missing status", "git -C ../other/missing log", "GIT_OPTIONAL_LOCKS=0 git -C ../other status",
		"git -C ../other log | while read -r h m; do git -C ../other log -1; done",
	} {
		why, asks := p.risk(command)
		if strings.HasPrefix(command, "GIT_") { // a variable in front is no proof, but nothing is wrong with it
			why = ""
		}
		if why != "" || asks {
			t.Errorf("%s: step 2 %v: %s", command, asks, why)
		}
	}
	p.env = []string{"HOME=/x", "GIT_PAGER=cat", "GIT_EDITOR=true", "GIT_ASKPASS=/x", "GIT_AUTHOR_NAME=a"}
	if why, _ := p.risk("git -C ../other status"); why != "" {
		t.Errorf("with inert variables: %s", why)
	}
}

// TestGitReadHostile: each change of another repository makes reading it a
// question in every mode.
func TestGitReadHostile(t *testing.T) {
	config := func(text string) func(*gitPlace) { return func(p *gitPlace) { p.add(text) } }
	for name, change := range map[string]func(*gitPlace){
		"fsmonitor":          config("[core]\n\tfsmonitor = ./x\n"),
		"fsmonitor true":     config("[core]\n\tfsmonitor\n"),
		"upper case":         config("[CORE]\n\tFsMonitor = ./x\n"),
		"second section":     config("[user]\n\tname = a\n[core]\n\tbare = false\n\tfsmonitor = ./x\n"),
		"textconv":           config("[diff \"x\"]\n\ttextconv = ./x\n"),
		"diff command":       config("[diff \"x\"]\n\tcommand = ./x\n"),
		"diff external":      config("[diff]\n\texternal = ./x\n"),
		"filter":             config("[filter \"x\"]\n\tclean = ./x\n"),
		"include":            config("[include]\n\tpath = x\n"),
		"includeIf":          config("[includeIf \"gitdir:/\"]\n\tpath = x\n"),
		"hooksPath":          func(p *gitPlace) { p.write("other/h/post-index-change", "x"); p.add("[core]\n\thooksPath = h\n") },
		"hooksPath home":     config("[core]\n\thooksPath = ~/h\n"),
		"alias":              config("[alias]\n\tx = !./x\n"),
		"pager":              config("[core]\n\tpager = ./x\n"),
		"pager of log":       config("[pager]\n\tlog = ./x\n"),
		"gpg program":        config("[gpg]\n\tprogram = ./x\n"),
		"log shows signs":    config("[log]\n\tshowSignature = true\n"),
		"credential":         config("[credential]\n\thelper = !./x\n"),
		"partial clone":      config("[extensions]\n\tpartialClone = origin\n"),
		"promisor":           config("[remote \"o\"]\n\tpromisor = true\n"),
		"transport":          config("[remote \"o\"]\n\turl = ext::sh -c x\n"),
		"merge driver":       config("[merge \"x\"]\n\tdriver = ./x\n"),
		"worktree elsewhere": config("[core]\n\tworktree = ../../ws\n"),
		"subsection of core": config("[core \"x\"]\n\tbare = false\n"),
		"dotted section":     config("[core.x]\n\tbare = false\n"),
		"unknown key":        config("[core]\n\tnovelty = 1\n"),
		"continuation":       config("[user]\n\tname = a\\\n[core]\n"),
		"continued comment":  config("[user]\n\tname = a # b\\\n\tfsmonitor = x\n"),
		"key on the header":  config("[core] fsmonitor = ./x\n"),
		"carriage returns":   config("[user]\r\n\tname = a\r\n"),
		"escape":             config("[user]\n\tname = \"a\\b\"\n"),
		"open quote":         config("[user]\n\tname = \"a\n"),
		"byte order mark":    func(p *gitPlace) { p.write("other/.git/config", "\ufeff[core]\n\tbare = false\n") },
		"too large":          config("#" + strings.Repeat("x", repo.MaxFile) + "\n"),
		"config is a link": func(p *gitPlace) {
			p.write("c", "[core]\n\tbare = false\n")
			os.Remove(p.at("other/.git/config"))
			os.Symlink(p.at("c"), p.at("other/.git/config"))
		},
		"config.worktree": func(p *gitPlace) { p.write("other/.git/config.worktree", "[core]\n\tfsmonitor = ./x\n") },
		"hook":            func(p *gitPlace) { p.write("other/.git/hooks/post-index-change", "x") },
		"hooks are a link": func(p *gitPlace) {
			os.RemoveAll(p.at("other/.git/hooks"))
			os.Symlink(p.at("ws"), p.at("other/.git/hooks"))
		},
		".git is a link":    func(p *gitPlace) { os.Rename(p.at("other/.git"), p.at("g")); os.Symlink("../g", p.at("other/.git")) },
		".git is empty":     func(p *gitPlace) { os.RemoveAll(p.at("other/.git")); os.Mkdir(p.at("other/.git"), 0o755) },
		"HEAD is none":      func(p *gitPlace) { p.write("other/.git/HEAD", "x\n") },
		"commondir in .git": func(p *gitPlace) { p.write("other/.git/commondir", p.at("ws/.git")+"\n") },
		"writable gitdir":   func(p *gitPlace) { os.Chmod(p.at("other/.git"), 0o777) },
		"writable config":   func(p *gitPlace) { os.Chmod(p.at("other/.git/config"), 0o666) },
		"writable root":     func(p *gitPlace) { os.Chmod(p.at("other"), 0o777) },
		"foreign gitdir":    func(p *gitPlace) { p.fs = otherUser{name: ".git"} },
		"foreign config":    func(p *gitPlace) { p.fs = otherUser{name: "config"} },
		"bare in a work tree": func(p *gitPlace) {
			p.git(".", "init", "-q", "--bare", "b.git")
			os.RemoveAll(p.at("other/.git"))
			p.git(".", "init", "-q", "outer")
			os.Rename(p.at("b.git"), p.at("outer/b"))
			os.Remove(p.at("other/a.txt"))
			os.Remove(p.at("other"))
			os.Symlink("outer/b", p.at("other"))
		},
		"a fake git directory": func(p *gitPlace) {
			os.Rename(p.at("other/.git"), p.at("fake"))
			p.write("fake/commondir", p.at("ws/.git")+"\n")
			p.write("fake/gitdir", p.at("other/.git")+"\n")
			p.write("fake/config.worktree", "[core]\n\tfsmonitor = ./x\n")
			p.write("other/.git", "gitdir: "+p.at("fake")+"\n")
		},
		"a work tree its repository does not know": func(p *gitPlace) {
			p.git("ws", "worktree", "add", "-q", "../wt", "-b", "wt")
			os.RemoveAll(p.at("other/.git"))
			p.write("other/.git", "gitdir: "+p.at("ws/.git/worktrees/wt")+"\n")
		},
		"config.worktree of the session's own": func(p *gitPlace) {
			os.RemoveAll(p.at("other"))
			p.git("ws", "worktree", "add", "-q", "../other", "-b", "wt")
			p.write("ws/.git/worktrees/other/config.worktree", "[core]\n\tfsmonitor = ./x\n")
		},
		"submodule": func(p *gitPlace) {
			p.git("other", "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.at("ws"), "sub")
			p.git("other/sub", "config", "core.fsmonitor", "./x")
		},
		"gitlink without .gitmodules": func(p *gitPlace) {
			p.copied("other/nested")
			p.git("other", "add", "nested")
			p.git("other/nested", "config", "core.fsmonitor", "./x")
		},
		"too many submodules": func(p *gitPlace) {
			names := strings.Split("abcdefghijklmnopq", "")
			for _, n := range names {
				p.copied("other/" + n)
			}
			p.git("other", append([]string{"add"}, names...)...)
		},
		"another index": func(p *gitPlace) {
			p.copied("other/nested")
			p.git("other", "add", "nested")
			p.git("other/nested", "config", "core.fsmonitor", "./x")
			os.Rename(p.at("other/.git/index"), p.at("other/.git/index2"))
			p.git("other", "read-tree", "HEAD")
			p.index = p.at("other/.git/index2")
		},
		"index":       func(p *gitPlace) { p.write("other/.git/index", "DIRC") },
		"environment": func(p *gitPlace) { p.env = []string{"GIT_CONFIG_COUNT=1"} },
		"GIT_DIR":     func(p *gitPlace) { p.env = []string{"GIT_DIR=/x"} },
		"a pager":     func(p *gitPlace) { p.env = []string{"GIT_PAGER=./x"} },
		"tracing":     func(p *gitPlace) { p.env = []string{"GIT_TRACE=/etc/x"} },
	} {
		t.Run(name, func(t *testing.T) {
			p := newGitPlace(t)
			if why, asks := p.risk("git -C ../other status"); why != "" || asks {
				t.Fatalf("before the change: %v %s", asks, why)
			}
			change(p)
			front := ""
			if p.index != "" {
				front = "GIT_INDEX_FILE=" + p.index + " "
			}
			for _, command := range []string{front + "git -C ../other status", "cd ../other && " + front + "git log -1", "cd ../other; " + front + "git diff"} {
				if why, asks := p.risk(command); why == "" || !asks {
					t.Errorf("%s: step 2 %v, unproven because of %q; want both", command, asks, why)
				}
			}
		})
	}
}

// TestGitReadFolder: the session's own repository is that of its project, not the
// one an earlier command went to.
func TestGitReadFolder(t *testing.T) {
	p := newGitPlace(t)
	p.write("ws/web/x", "")
	p.git("ws", "init", "-q", "vendor")
	p.write("ws/vendor/sub/x", "")
	asks := func(cwd, command string) bool {
		c := p.ask(command)
		c.Policy.Cwd = rules.Path{Given: p.at(cwd), Real: p.at(cwd)}
		c.World = world.New(c.World.Facts, c.Policy, "")
		c.Script = bashsafety.Analyze(command, bashsafety.Env{Cwd: p.at(cwd), Home: p.dir})
		return Decide(c).Step() == "2"
	}
	for _, set := range []string{"ordinary", "fsmonitor"} {
		if set == "fsmonitor" {
			p.git("ws/vendor", "config", "core.fsmonitor", "./x")
			p.git("ws", "config", "core.fsmonitor", "./x")
		}
		for _, cwd := range []string{"ws", "ws/web", "ws/vendor", "ws/vendor/sub"} {
			want := set == "fsmonitor" && strings.Contains(cwd, "vendor")
			if got := asks(cwd, "git status"); got != want {
				t.Errorf("%s: in %s: step 2 asks %v, want %v", set, cwd, got, want)
			}
		}
	}
	if asks("ws/vendor", "cd .. && git status") {
		t.Error("back in the project: step 2 asks")
	}
}

// TestGitReadText: what the text itself does in front of a command.
func TestGitReadText(t *testing.T) {
	p := newGitPlace(t)
	p.write("other/sub/x", "")
	for command, asks := range map[string]bool{
		"GIT_EXTERNAL_DIFF=./x git -C ../other diff":                                        true,
		"GIT_CONFIG_COUNT=1 git -C ../other diff":                                           true,
		"GIT_INDEX_FILE=/x git -C ../other diff":                                            true,
		"GIT_INDEX_FILE=$x git -C ../other diff":                                            true,
		"env GIT_DIR=/x git -C ../other diff":                                               true,
		"export GIT_EXTERNAL_DIFF=./x; git -C ../other diff":                                true,
		"set -a; GIT_EXTERNAL_DIFF=./x; git -C ../other diff":                               true,
		"read GIT_DIR; git -C ../other diff":                                                true,
		"HOME=/x git -C ../other diff":                                                      true,
		"export XDG_CONFIG_HOME=/x; git -C ../other diff":                                   true,
		"cp -r evil/. ../other && git -C ../other status":                                   false,
		"tar xf a.tar -C .. && git -C ../other status":                                      true,
		"echo x > \"$f\"; git -C ../other status":                                           false,
		"ln -s /evil ../other/sub; git -C ../other/sub status":                              false,
		"echo x > ../other/sub/HEAD; echo x > ../other/sub/config; git -C ../other/sub log": false,
		"mv evil ../new; git -C ../new status":                                              false,
		"git -C ../other remote show origin":                                                false,
		"git -C ../other ls-remote origin":                                                  false,
		"git -C ../other log --submodule=diff":                                              false,
		"git -C \"$x\" status":                                                              false,
		"git -c core.fsmonitor=./x -C ../other status":                                      false,
		"git --git-dir=../other/.git --work-tree=. status":                                  false,
		"GIT_INDEX_FILE=" + p.dir + "/other/.git/index git -C ../other diff":                false,
	} {
		why, got := p.risk(command)
		if why == "" {
			t.Errorf("%s: is proven", command)
		}
		if got != asks {
			t.Errorf("%s: step 2 asks %v, want %v: %s", command, got, asks, why)
		}
	}
	for _, command := range []string{
		"echo x > notes.txt; git -C ../other status", "git clone https://example.com/a ../new && git -C ../new log -1", "ls > out; git -C ../other log",
		"export GIT_PAGER=cat; git -C ../other log", "X=$y git -C ../other log", "export FOO=1; git -C ../other log",
	} {
		c := p.ask(command)
		for i := range c.Script.Subcommands {
			s := &c.Script.Subcommands[i]
			for j := range s.Effects {
				if e := &s.Effects[j]; e.Kind == bashsafety.GitRead {
					if r := c.Facts().GitReadRisk(s, e); r.Why != "" {
						t.Errorf("%s: %s", command, r.Why)
					}
				}
			}
		}
	}
}

// TestGitWithoutDisk: where no disk can be asked, git elsewhere is git in another repository.
func TestGitWithoutDisk(t *testing.T) {
	for _, command := range []string{"git -C /x switch main", "git -C /x commit -m x", "git worktree add /x && git -C /x pull"} {
		if v := Decide(scriptCase(command)); v.Decision() != hookio.Ask || !strings.Contains(v.Reason(), "git repository outside") {
			t.Errorf("%s: %v %q", command, v.Decision(), v.Reason())
		}
	}
}

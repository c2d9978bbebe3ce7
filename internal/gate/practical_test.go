package gate

import (
	"encoding/json"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

const practicalKey = "/home/dev/.claude/permgate.json"

// practicalTree is a project with a tracked .gitignore, folders that a build
// makes, and temporary folders.
func practicalTree() *fakefs.FS {
	files := fakefs.New(map[string]string{
		practicalKey:                 `{"destructive": "practical", "catastrophic": "ask", "expandScripts": true}`,
		"/w/p/.git/HEAD":             "ref: refs/heads/main\n",
		"/w/p/dist/app.js":           "x",
		"/w/p/dist/.hidden":          "x",
		"/w/p/dist/assets/a.css":     "x",
		"/w/p/node_modules/a/b.js":   "x",
		"/w/p/web/dist/app.js":       "x",
		"/w/p/web/src/app.ts":        "x",
		"/w/p/src/main.ts":           "x",
		"/w/p/coverage/index.html":   "x",
		"/w/p/build/gen.sh":          "x",
		"/w/p/target/debug/a":        "x",
		"/w/p/generated/a":           "x",
		"/w/p/src/__pycache__/a.pyc": "x",
		"/w/p/package.json":          `{"scripts": {"clean": "rm -rf dist", "wipe": "rm -rf src", "build": "npm run clean && tsc"}}`,
		"/w/q/.git/HEAD":             "ref: refs/heads/main\n",
		"/w/q/dist/a":                "x",
		"/w/q/.gitignore":            "dist\n",
		"/w/dist/a":                  "x",
		"/tmp/mine/a":                "x",
		"/tmp/theirs/a":              "x",
		"/tmp/mine2/a":               "x",
		"/w/p/a.egg-info/x":          "x",
		"/w/p/b.egg-info/x":          "x",
		"/tmp/repo/.git/HEAD":        "x",
		"/tmp/repo/sub/a":            "x",
	})
	for name, data := range map[string]string{
		"/w/p/.gitignore": "# made\nnode_modules/\n/dist\ndist/\ncoverage\ntarget/\ngenerated\n__pycache__/\n.next\n*.egg-info\n", "/w/p/web/.gitignore": "*.log\n",
		"/w/p/src/app.ts": "x", "/w/p/build/keep.sh": "x", "/w/q/.gitignore": "dist\n",
	} {
		files.Write(name, data).Tracked = true
	}
	files.Index("/w/p")
	files.Index("/w/q")
	files.Own("/w", 1000)
	files.Own("/home/dev", 1000)
	files.Own("/tmp/mine", 1000)
	files.Own("/tmp/mine2", 1000)
	files.Own("/tmp/repo", 1000)
	files.Own("/tmp/theirs", 1001)
	files.File("/tmp").Mode |= fs.ModeSticky | 0o777
	return files
}

// practical decides a command in /w/p and returns the step and the check that ask.
func practical(t *testing.T, files *fakefs.FS, command string, more ...string) (*decide.Input, decide.Verdict) {
	t.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	fields := `"cwd":"/w/p"`
	for _, m := range more {
		fields += "," + m
	}
	call, err := hookio.Read(strings.NewReader(`{`+fields+`,"session_id":"s1","tool_name":"Bash","tool_input":`+string(input)+`}`), hookio.Options{})
	if err != nil {
		t.Fatal(err)
	}
	w := World{
		Getenv: func(string) string { return "" }, Cwd: "/w/p", PasswdHome: "/home/dev", UID: 1000, Files: files, Now: time.Time{}.Add(time.Hour),
		Exe: func() (string, error) { return "/usr/bin/permgate", nil }, ManagedDir: []string{"/etc/gen"},
	}
	c := Case(call, &Flags{State: "/state"}, w)
	return c, decide.Decide(c)
}

func asked(v decide.Verdict) string {
	if v.Decision() == hookio.Ask && v.Why().Check != nil {
		return v.Step() + " " + v.Why().Check.ID
	}
	return v.Step()
}

// TestPractical: which removals are no finding. Each of them is one where
// destructive is strict.
func TestPractical(t *testing.T) {
	for command, want := range map[string]string{
		"rm -rf dist":                                          "7",
		"rm -r ./node_modules dist/ coverage":                  "7",
		`rm -rf "$PWD/dist"`:                                   "7",
		"rm -rf /w/p/dist":                                     "7",
		"cd web && rm -rf dist":                                "7",
		"cd web; rm -rf dist":                                  "7",
		"rm -rf dist/*":                                        "7",
		"rm -rf dist/assets/*.css":                             "7",
		"rm -rf dist/assets dist/app.js":                       "7",
		"rm -rf src/__pycache__":                               "7",
		"rm -rf target/debug":                                  "7",
		"for d in dist coverage; do rm -rf $d; done":           "7",
		"rm -rf dist && mkdir dist && cp -r src dist":          "7",
		"npm ci && rm -rf dist":                                "7",
		"npm run clean":                                        "7",
		"npm run build":                                        "7",
		"rm -rf web/../dist":                                   "7",
		"timeout 9 rm -rf dist":                                "7",
		`T=$(mktemp -d); cd "$T"; npm pack a; rm -rf "$T"`:     "7",
		`T=$(mktemp -d); rm -rf "$T" dist`:                     "7",
		`T=$(mktemp -d); rm -rf "$T/x"`:                        "2 recursive-remove",
		`T=$(mktemp -d); rm -rf "$T"/*`:                        "2 recursive-remove",
		`T=$(mktemp -d -p .); rm -rf "$T"`:                     "2 recursive-remove",
		`T=$(mktemp -d); mv src "$T"; rm -rf "$T"`:             "2 recursive-remove",
		`T=$(mktemp -d); ln -s "$PWD/src" "$T/x"; rm -rf "$T"`: "2 recursive-remove",
		`T=$(mktemp -d); T=src; rm -rf "$T"`:                   "2 recursive-remove",
		`T=$(mktemp -d); T=$T/../home; rm -rf "$T"`:            "2 recursive-remove",
		"rm -rf /tmp/mine*":                                    "7",
		"rm -rf /tmp/none*":                                    "7",
		"cd /tmp && ls && rm -rf mine*":                        "7",
		"rm -rf dist *.egg-info":                               "7",
		"rm -rf /tmp/[m]ine*":                                  "2 recursive-remove",
		"rm -rf /tmp/?":                                        "2 recursive-remove",
		"rm -rf /tmp/mine/../*e*":                              "2 recursive-remove",
		"npm ci; rm -rf /tmp/mine*":                            "2 recursive-remove",
		"rm -rf /tmp/*e*":                                      "2 recursive-remove",
		"rm -rf /*/mine":                                       "3b",
		"rm -rf src*":                                          "2 recursive-remove",
		"mkdir c.egg-info; rm -rf *.egg-info":                  "2 recursive-remove",
		"rm -rf /tmp/mine":                                     "7",
		"rm -rf /tmp/mine/a /tmp/new":                          "7",
		"rm -rf .turbo":                                        "7",                  // does not exist
		"touch .turbo; rm -rf .turbo":                          "2 recursive-remove", // it would not be ignored
		"rm -rf .next":                                         "7",                  // does not exist
		"rm -rf src":                                           "2 recursive-remove",
		"rm -rf dist src":                                      "2 recursive-remove",
		"rm -rf dist; rm -rf src":                              "2 recursive-remove",
		"rm -rf build":                                         "2 recursive-remove", // not ignored, and tracked below
		"rm -rf generated":                                     "2 recursive-remove", // no name of the table
		"rm -rf .":                                             "2 recursive-remove",
		"rm -rf *":                                             "2 recursive-remove",
		"rm -rf */":                                            "2 recursive-remove",
		"rm -rf dist/*/":                                       "2 recursive-remove",
		"rm -rf */dist":                                        "7",
		"rm -rf ../dist":                                       "2 recursive-remove",
		"rm -rf ../q/dist":                                     "2 recursive-remove",
		"rm -rf dist/..":                                       "2 recursive-remove",
		"rm -rf dist/../src":                                   "2 recursive-remove",
		"rm -rf new":                                           "7",
		"mv src new; rm -rf new":                               "2 recursive-remove",
		"rm -rf $x":                                            "2 recursive-remove",
		"rm -rf dist $x":                                       "2 recursive-remove",
		"rm -rf dist/$x":                                       "2 recursive-remove",
		"sudo rm -rf dist":                                     "2 recursive-remove",
		"ls | xargs rm -rf":                                    "2 recursive-remove",
		"find . -name dist -exec rm -rf {} +":                  "7",
		"find dist -delete":                                    "7",
		"bash -c 'rm -rf dist'":                                "2 recursive-remove",
		"export FOO=x; rm -rf dist":                            "7",
		"export PATH=.; rm -rf dist":                           "2 recursive-remove",
		"export LD_PRELOAD=./x; rm -rf dist":                   "2 recursive-remove",
		"export POSIXLY_CORRECT=1; rm -rf dist":                "2 recursive-remove",
		`export "$n=x"; rm -rf dist`:                           "2 recursive-remove",
		"PATH=.; rm -rf dist":                                  "2 recursive-remove",
		"./rm -rf dist":                                        "2 recursive-remove",
		"docker run -v .:/w x rm -rf dist":                     "2 recursive-remove",
		"npm run wipe":                                         "2 recursive-remove",
		"mkdir -p dist/x && rm -rf dist":                       "2 recursive-remove",
		"mv src dist && rm -rf dist":                           "2 recursive-remove",
		"source ./env.sh; rm -rf dist":                         "2 recursive-remove",
		"mount --bind src dist; rm -rf dist":                   "2 recursive-remove",
		"sudo mount -o bind src dist && rm -rf dist":           "2 recursive-remove",
		". .venv/bin/activate && rm -rf dist":                  "2 recursive-remove",
		"mv src dist/ && rm -rf dist/*":                        "2 recursive-remove",
		"cp -r src dist && rm -rf dist":                        "2 recursive-remove",
		"rmdir dist; ln -s src dist; rm -rf dist/*":            "2 recursive-remove",
		"mv web old; ln -s /w/q web; rm -rf web/dist":          "2 recursive-remove",
		"tar xf a.tgz; rm -rf dist":                            "2", // what is unpacked is graver
		"unzip a.zip -d dist; rm -rf dist":                     "2 recursive-remove",
		"mv src $x; rm -rf dist":                               "2 recursive-remove",
		"git checkout main -- dist; rm -rf dist":               "2 recursive-remove",
		"rm -rf dist $(mv src dist)":                           "2 recursive-remove",
		"while :; do rm -rf dist; mv src dist; done":           "2 recursive-remove",
		"mv src DIST; rm -rf dist":                             "2 recursive-remove",
		`mkdir -p /tmp/new/a; echo x > /tmp/new/a/b; cat /tmp/new/a/b; rm -rf /tmp/new`: "2 recursive-remove",
		`cp src/a /tmp/new/; tee /tmp/new/b < x; rm -rf /tmp/new`:                       "2 recursive-remove",
		`rm -rf /tmp/new; mkdir /tmp/new; go test -o /tmp/new/t -c .; rm -rf /tmp/new`:  "2 recursive-remove",
		`mkdir /tmp/new; mv src /tmp/new/; rm -rf /tmp/new`:                             "2 recursive-remove",
		`mv src /tmp/new & rm -rf /tmp/new`:                                             "2 recursive-remove",
		`rm -rf /tmp/new $(mv src /tmp/new)`:                                            "2 recursive-remove",
		`for d in a b; do rm -rf /tmp/new; mv $d /tmp/new; done`:                        "2 recursive-remove",
		`cp -r link /tmp/new; rm -rf /tmp/new/docs`:                                     "2 recursive-remove",
		`cp -P link /tmp/new; rm -rf /tmp/new/docs`:                                     "2 recursive-remove",
		`ln -s /w/p /tmp/new; rm -rf /tmp/new/src`:                                      "2 recursive-remove",
		`./cp src /tmp/new; rm -rf /tmp/new`:                                            "2 recursive-remove",
		`cp() { mv "$@"; }; cp src /tmp/new; rm -rf /tmp/new`:                           "2 recursive-remove",
		`f() { mv "$@"; }; f src /tmp/new; rm -rf /tmp/new`:                             "2 recursive-remove",
		`install a /tmp/new/a; rm -rf /tmp/new`:                                         "2 recursive-remove",
		`git mv src /tmp/new; rm -rf /tmp/new`:                                          "2 recursive-remove",
		`rsync --remove-source-files -a src/ /tmp/new/; rm -rf /tmp/new`:                "2 recursive-remove",
		`tmp=$(mktemp -d); mv src $tmp; rm -rf "$tmp"`:                                  "2 recursive-remove",
		`tmp=$(mktemp -d); sshfs h:/ $tmp; rm -rf "$tmp"`:                               "2 recursive-remove",
		`tmp=$(mktemp -d); git init --separate-git-dir=$tmp; rm -rf "$tmp"`:             "2 recursive-remove",
		`tmp=$(mktemp -d); tar cf $tmp/a.tar --remove-files src; rm -rf "$tmp"`:         "2 recursive-remove",
		`tmp=$(mktemp -d); mkdir $tmp/a; rm -rf "$tmp/../a"`:                            "2 recursive-remove",
		`mkdir -p dist; echo x > dist/a; rm -rf dist`:                                   "2 recursive-remove",
		"rm -rf /tmp":           "2 remove-root",
		"rm -rf /tmp/*":         "2 recursive-remove",
		"rm -rf /tmp/theirs":    "2 recursive-remove",
		"rm -rf /tmp/repo":      "2 recursive-remove",
		"rm -rf /tmp/repo/sub":  "2 recursive-remove", // no index that could say what is tracked
		"rm -rf dist; rm -rf ~": "2 remove-root",
		"rm -rf dist; rm -rf /": "2 remove-root",
	} {
		files := practicalTree()
		if _, v := practical(t, files, command); asked(v) != want {
			t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason())
		}
		files.Write(practicalKey, `{"expandScripts": true}`)
		if _, v := practical(t, files, command); v.Step() != "2" || !strings.Contains(v.Reason(), "delete") && !strings.Contains(v.Reason(), "remove") {
			t.Errorf("%s: strict: %s: %s", command, asked(v), v.Reason())
		}
	}
}

// TestPracticalTree: what the disk may hold so that the very same removal is a finding.
func TestPracticalTree(t *testing.T) {
	for name, change := range map[string]func(*fakefs.FS){
		"nothing": nil,
		"dist is a symlink": func(f *fakefs.FS) {
			f.Remove("/w/p/dist")
			f.Link("/w/p/dist", "/w/q")
		},
		"dist is a symlink in the project": func(f *fakefs.FS) {
			f.Remove("/w/p/dist")
			f.Link("/w/p/dist", "coverage")
		},
		"dist is a socket": func(f *fakefs.FS) {
			f.Remove("/w/p/dist")
			f.Write("/w/p/dist", "x").Mode |= fs.ModeSocket
		},
		"a tracked file below": func(f *fakefs.FS) {
			f.File("/w/p/dist/assets/a.css").Tracked = true
			f.Index("/w/p")
		},
		"a tracked file below, in another case": func(f *fakefs.FS) {
			f.Write("/w/p/DIST/a", "x").Tracked = true
			f.Index("/w/p")
		},
		"a tracked file that is gone": func(f *fakefs.FS) {
			f.Write("/w/p/dist/gone", "x").Tracked = true
			f.Index("/w/p")
			f.Remove("/w/p/dist/gone")
		},
		"dist is a submodule": func(f *fakefs.FS) {
			f.Write("/w/p/dist/x", "x")
			f.File("/w/p/dist").Tracked = true
			f.Index("/w/p")
		},
		"dist is a repository":      func(f *fakefs.FS) { f.Write("/w/p/dist/.git/HEAD", "x") },
		"dist is a worktree":        func(f *fakefs.FS) { f.Write("/w/p/dist/.git", "gitdir: /x") },
		"dist is a bare repository": func(f *fakefs.FS) { f.Write("/w/p/dist/HEAD", "x"); f.Write("/w/p/dist/objects/x", "x") },
		"dist holds .env":           func(f *fakefs.FS) { f.Write("/w/p/dist/.env", "x") },
		"dist is mounted":           func(f *fakefs.FS) { f.File("/w/p/dist").Dev = 7 },
		"dist is mounted from here": func(f *fakefs.FS) {
			f.Write("/proc/self/mountinfo", "1 2 0:1 / / rw - x y z\n30 1 0:5 /x /w/p/dist rw - ext4 y z\n")
		},
		"a mount below dist":            func(f *fakefs.FS) { f.Write("/proc/self/mountinfo", "30 1 0:5 /x /w/p/dist/assets rw - ext4 y z\n") },
		"the list of mounts is closed":  func(f *fakefs.FS) { f.Write("/proc/self/mountinfo", "").Err = fs.ErrPermission },
		"no .gitignore":                 func(f *fakefs.FS) { f.Remove("/w/p/.gitignore") },
		".gitignore is not tracked":     func(f *fakefs.FS) { f.File("/w/p/.gitignore").Tracked = false; f.Index("/w/p") },
		".gitignore is changed":         func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "dist\nmore\n") },
		".gitignore is a symlink":       func(f *fakefs.FS) { f.Link("/w/p/.gitignore", "ign") },
		".gitignore cannot be read":     func(f *fakefs.FS) { f.File("/w/p/.gitignore").Err = fs.ErrPermission },
		".gitignore does not say it":    func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "node_modules\n").Tracked = true; f.Index("/w/p") },
		".gitignore takes it back":      func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "dist\n!dist\n").Tracked = true; f.Index("/w/p") },
		".gitignore may take it back":   func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "dist\n!d[h-j]st\n").Tracked = true; f.Index("/w/p") },
		".gitignore takes folders back": func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "*\n!*/\n").Tracked = true; f.Index("/w/p") },
		"only its content is ignored":   func(f *fakefs.FS) { f.Write("/w/p/.gitignore", "dist/*\n").Tracked = true; f.Index("/w/p") },
		"no index":                      func(f *fakefs.FS) { f.Remove("/w/p/.git/index") },
		"the index is no index":         func(f *fakefs.FS) { f.Write("/w/p/.git/index", "DIRC") },
		"no repository":                 func(f *fakefs.FS) { f.Remove("/w/p/.git/HEAD"); f.Remove("/w/p/.git/index"); f.Remove("/w/p/.git") },
		".git is a symlink":             func(f *fakefs.FS) { f.Remove("/w/p/.git"); f.Link("/w/p/.git", "/w/q/.git") },
	} {
		files := practicalTree()
		want := "7"
		if change != nil {
			change(files)
			want = "2 recursive-remove"
		}
		for _, command := range []string{"rm -rf dist", "rm -rf dist/*"} {
			if _, v := practical(t, files, command); asked(v) != want {
				t.Errorf("%s: %s: %s, want %s: %s", name, command, asked(v), want, v.Reason())
			}
		}
	}
}

// TestPracticalNames: further names count from user and managed files only.
func TestPracticalNames(t *testing.T) {
	files := practicalTree()
	files.Write("/w/p/.claude/permgate.json", `{"rebuildable": ["generated"], "destructive": "practical"}`)
	if _, v := practical(t, files, "rm -rf generated"); asked(v) != "2 recursive-remove" {
		t.Errorf("named by the project: %s", asked(v))
	}
	files.Write(practicalKey, `{"rebuildable": ["generated", "src"], "destructive": "practical"}`)
	if _, v := practical(t, files, "rm -rf generated"); asked(v) != "7" {
		t.Errorf("named by the user: %s: %s", asked(v), v.Reason())
	}
	if _, v := practical(t, files, "rm -rf src"); asked(v) != "2 recursive-remove" {
		t.Errorf("named and not ignored: %s", asked(v))
	}
	files.Write(practicalKey, "{}")
	if _, v := practical(t, files, "rm -rf dist"); asked(v) != "2 recursive-remove" {
		t.Errorf("a project loosens: %s", asked(v))
	}
}

// TestOwnSource: a file outside the project that only the user can have written is
// sourced as bash would run it; every other one is asked about.
func TestOwnSource(t *testing.T) {
	tree := func() *fakefs.FS {
		files := practicalTree()
		for _, name := range [...]string{
			"/home/dev/.nvm/nvm.sh", "/home/dev/v/bin/activate", "/tmp/own.sh", "/tmp/mine/a.sh", "/tmp/open.sh", "/home/dev/open/a.sh",
		} {
			files.Write(name, "true\n")
		}
		files.Own("/home/dev", 1000)
		files.Own("/tmp/own.sh", 1000)
		files.Own("/tmp/open.sh", 1000)
		files.Own("/tmp/mine", 1000)
		files.Write("/tmp/theirs/a.sh", "true\n")
		files.Own("/tmp/theirs", 1001)
		files.File("/tmp/open.sh").Mode |= 0o002
		files.File("/home/dev/open").Mode |= 0o020
		files.Link("/home/dev/link.sh", "/tmp/theirs/a.sh")
		files.Write("/home/dev/pipe", "").Mode |= fs.ModeNamedPipe
		files.Write("/home/dev/.env", "A=1\n")
		return files
	}
	const asks = "2"
	for command, want := range map[string]string{
		"source ~/.nvm/nvm.sh":                  "7",
		". ~/.nvm/nvm.sh && nvm use && node -v": "7",
		`. "$HOME/.nvm/nvm.sh"`:                 "7",
		"source ~/v/bin/activate && pip list":   "7",
		". /tmp/own.sh":                         "7",
		"bash /tmp/own.sh":                      "7",
		". /tmp/mine/a.sh":                      "7",
		`bash -c '. ~/.nvm/nvm.sh && node -v'`:  "7",
		". ~/v/bin/none":                        asks,
		"cd ~/v/bin && . activate":              asks,
		". ~/v/bin":                             asks,
		". ~/pipe":                              asks,
		". ~/link.sh":                           asks,
		". ~/open/a.sh":                         asks,
		". /tmp/open.sh":                        asks,
		". /tmp/theirs/a.sh":                    asks,
		`. "$X"`:                                asks,
		". ~/v/bin/*":                           asks,
		"echo 'rm -rf x' > ~/.nvm/nvm.sh; . ~/.nvm/nvm.sh":         asks,
		"cp a ~/v/bin/; . ~/v/bin/activate":                        asks,
		"echo x > /tmp/own.sh; . /tmp/own.sh":                      "7",
		"echo x > /tmp/own.sh & . /tmp/own.sh":                     asks,
		"echo $x > /tmp/own.sh; . /tmp/own.sh":                     asks,
		"echo '$x' > /tmp/own.sh; . /tmp/own.sh":                   asks,
		"echo 'rm -rf src' > /tmp/own.sh; . /tmp/own.sh":           asks,
		"echo x > /tmp/theirs/a.sh; . /tmp/theirs/a.sh":            asks,
		"echo x > /tmp/new.sh && cp a /tmp/new.sh; . /tmp/new.sh":  asks,
		"cat > /tmp/new.sh <<'E'\nA=1\nE\n. /tmp/new.sh; echo $A":  "7",
		"ln -s a /tmp/new.sh; echo x > /tmp/new.sh; . /tmp/new.sh": asks,
		"mv ~/v ~/w; ln -s /tmp/theirs ~/v; . ~/v/bin/activate":    asks,
		"curl -o /tmp/own.sh https://x.io; . /tmp/own.sh":          asks,
		"tar -C ~/v -xf a.tar; . ~/v/bin/activate":                 asks,
		"git -C ~/v pull; . ~/v/bin/activate":                      asks,
		`echo x > "$Y"; . /tmp/own.sh`:                             asks,
		"echo x | tee /tmp/own.sh | . /tmp/own.sh":                 asks,
	} {
		if _, v := practical(t, tree(), command); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
		files := tree()
		files.Write(practicalKey, `{}`)
		if _, v := practical(t, files, command); v.Step() != asks && command != "bash /tmp/own.sh" {
			t.Errorf("strict: %s: step %s, want 2: %s", command, v.Step(), v.Reason())
		}
	}
}

// TestPracticalWrite: dd is asked about where it may overwrite a device, or a file of
// somewhere else; where it writes a file as cp does, the rules for writes decide.
func TestPracticalWrite(t *testing.T) {
	const asks = "2 dd-write"
	for command, want := range map[string]string{
		"dd if=/dev/zero of=new.img bs=1M count=1":      "7",
		"dd if=/dev/urandom of=src/main.ts count=1":     "7",
		"dd if=a of=/tmp/mine/new":                      "7",
		"dd if=a of=/opt/new":                           "3b",
		"git status && dd if=a of=new.img":              "7",
		"dd if=a of=/w/q/dist/a":                        asks,
		"dd if=a of=out":                                asks,
		"dd if=a of=disk":                               asks,
		"dd if=a of=pipe":                               asks,
		"dd if=a of=dist":                               asks,
		`dd if=a of="$X"`:                               asks,
		"dd if=a of=*.img":                              asks,
		"sudo dd if=a of=new.img":                       asks,
		"ls | xargs -I{} dd if=a of={}":                 asks,
		"ln -s /w/q/dist/a new.img; dd if=a of=new.img": asks,
		"tar xf a.tar; dd if=a of=new.img":              "2", // what is unpacked is graver
		". ./x.sh; dd if=a of=new.img":                  asks,
		"ssh host dd if=a of=new.img":                   asks,
		"dd if=a of=new.img; dd if=a of=disk":           asks,
	} {
		files := practicalTree()
		files.Write("/w/p/disk", "x").Mode |= fs.ModeDevice
		files.Write("/w/p/pipe", "x").Mode |= fs.ModeNamedPipe
		files.Link("/w/p/out", "/w/q/dist/a")
		if _, v := practical(t, files, command); asked(v) != want {
			t.Errorf("%s: %s, want %s: %s", command, asked(v), want, v.Reason())
		}
		files.Write(practicalKey, `{}`)
		if _, v := practical(t, files, command); v.Step() != "2" {
			t.Errorf("strict: %s: %s, want 2: %s", command, asked(v), v.Reason())
		}
	}
}

package gate

import (
	"encoding/base64"
	"encoding/json"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
)

// cdTree is a project with folders to go to, with nothing of a repository above.
func cdTree() *fakefs.FS {
	files := practicalTree()
	files.Write("/w/p/.git/config", "[core]\n\tbare = false\n")
	files.Mkdir("/w/p/.git/objects")
	files.Mkdir("/w/p/.git/refs")
	files.Write("/w/p/shut/a", "x")
	files.Write("/w/p/file", "x")
	files.Own("/w", 1000)
	files.File("/w/p/shut").Mode &^= 0o111
	return files
}

func decideCd(t *testing.T, files *fakefs.FS, command string, environ ...string) decide.Verdict {
	t.Helper()
	input, _ := json.Marshal(map[string]string{"command": command})
	call, err := hookio.Read(strings.NewReader(`{"cwd":"/w/p","session_id":"s1","transcript_path":"/home/dev/.claude/projects/p/s1.jsonl",`+
		`"hook_event_name":"PreToolUse","permission_mode":"default","tool_name":"Bash","tool_use_id":"1","tool_input":`+string(input)+`}`),
		hookio.Options{Host: "claude"})
	if err != nil {
		t.Fatal(err)
	}
	w := World{
		Getenv: func(string) string { return "" }, Cwd: "/w/p", PasswdHome: "/home/dev", UID: 1000, Files: files, Now: time.Time{}.Add(time.Hour),
		Exe:     func() (string, error) { return "/usr/bin/permgate", nil },
		Environ: func() []string { return append(environ, "HOME=/home/dev") }, ManagedDir: []string{"/etc/gen"},
	}
	return decide.Decide(Case(call, &Flags{State: "/state"}, w))
}

// TestCdThatWorks: a cd to a folder that is there, and that nothing before it can have taken away, is taken to work.
// Every other one counts both ways, and the reason says so.
func TestCdThatWorks(t *testing.T) {
	for command, cd := range map[string]string{ // "": nothing is asked about; else the cd that the reason names
		"cd src && go vet ./... ; cd .. && git stash pop":         "",
		"cd src; ls; cd ..; git add a":                            "",
		"cd src && ls; cd ..; cd web && ls; cd ..; git add a":     "",
		"cd src; cd ..; cd web; cd ..; cd src; cd ..; git add a":  "",
		"git status; cd ./src; cd ..; git add a":                  "",
		"cd /w/p/src; cd ..; git add a":                           "",
		"(cd src; cd ..; git add a)":                              "",
		"cd src; cd ..; echo x > new.txt":                         "",
		"cd none && ls; cd ..; git add a":                         "none",
		"cd file && ls; cd ..; git add a":                         "file",
		"cd shut && ls; cd ..; git add a":                         "shut",
		"mv src y; cd src; cd ..; git add a":                      "src",
		"npm ci; cd src && ls; cd ..; git add a":                  "src",
		"cd src && npm ci; cd ..; cd web && ls; cd ..; git add a": "web",
		"{ cd src; cd ..; git add a; } | rm -f b":                 "src",
		"for i in 1 2; do cd src; cd ..; git add a; done":         "-",
		"set -r; cd src; cd ..; git add a":                        "-",
		"set -o restricted; cd src; cd ..; git add a":             "-",
		"CDPATH=/x; cd src; cd ..; git add a":                     "-",
		"cd() { true; }; cd src; cd ..; git add a":                "-",
		"alias cd=true; cd src; cd ..; git add a":                 "-",
		"trap 'mv src y' DEBUG; cd src; cd ..; git add a":         "-",
		"cd src | mv src y; cd src; cd ..; git add a":             "-",
		"mv src y & cd src; cd ..; git add a":                     "-",
		"cat <(cd src; cd ..; git add a); mv src y":               "-",
		"cd src > >(mv /w/p/src y); cd ..; git add a":             "-",
		"x=$(mv src y); cd src; cd ..; git add a":                 "src",
		`cd "$X"; cd ..; git add a`:                               "-",
		"cd -P src; cd ..; git add a":                             "src",
		"cd src web; cd ..; git add a":                            "-",
		"cd src || git -C .. add a":                               "",
		"cd none; cd ..; echo x > new.txt":                        "none",
	} {
		v := decideCd(t, cdTree(), command)
		asked := v.Step() == "2" || v.Step() == "3b"
		switch says := strings.Contains(v.Reason(), "if `cd "); {
		case asked != (cd != ""):
			t.Errorf("%s: step %s, %s", command, v.Step(), v.Reason())
		case cd != "" && cd != "-" && !strings.Contains(v.Reason(), "if `cd "+cd+"` fails") && cd != "src" || cd == "" && says:
			t.Errorf("%s: the reason does not name `cd %s`: %s", command, cd, v.Reason())
		case cd == "src" && !says:
			t.Errorf("%s: the reason names no cd: %s", command, v.Reason())
		}
	}
}

// TestCdReplaced: what CDPATH or the host's shell snapshot makes of cd counts for a plain name only.
func TestCdReplaced(t *testing.T) {
	const plain, dotted = "cd src; cd ..; git add a", "cd ./src; cd ..; git add a"
	encoded := base64.StdEncoding.EncodeToString([]byte("cd () \n{ \n    builtin cd /tmp\n}\n"))
	other := base64.StdEncoding.EncodeToString([]byte("ll () \n{ \n    ls -l\n}\n"))
	for what, tt := range map[string]struct {
		change  func(*fakefs.FS)
		environ []string
		asks    bool
	}{
		"nothing":     {func(*fakefs.FS) {}, nil, false},
		"CDPATH":      {func(*fakefs.FS) {}, []string{"CDPATH=/x"}, true},
		"function":    {snapshot("cd () {\n  z \"$@\"\n}\n"), nil, true},
		"keyword":     {snapshot("function cd {\n  z \"$@\"\n}\n"), nil, true},
		"alias":       {snapshot("alias -- cd='z'\n"), nil, true},
		"encoded":     {snapshot("eval \"$(echo '" + encoded + "' | base64 -d)\" > /dev/null 2>&1\n"), nil, true},
		"not decoded": {snapshot("eval \"$(echo '!' | base64 -d)\" > /dev/null 2>&1\n"), nil, true},
		"others":      {snapshot("alias -- ll='ls -l'\neval \"$(echo '" + other + "' | base64 -d)\"\nshopt -s expand_aliases\n"), nil, false},
	} {
		for command, asks := range map[string]bool{plain: tt.asks, dotted: false} {
			files := cdTree()
			tt.change(files)
			if v := decideCd(t, files, command, tt.environ...); (v.Step() == "2") != asks {
				t.Errorf("%s: %s: step %s, %s", what, command, v.Step(), v.Reason())
			}
		}
	}
}

func snapshot(text string) func(*fakefs.FS) {
	return func(f *fakefs.FS) {
		f.Write("/home/dev/.claude/shell-snapshots/snapshot-bash-1764300000000-abc123.sh", text)
	}
}

// TestCdDenied: a deny rule and the catastrophic list count what happens if a cd fails, whatever is on the disk.
func TestCdDenied(t *testing.T) {
	files := cdTree()
	files.Write("/home/dev/.claude/settings.json", `{"permissions": {"deny": ["Edit(//w/keep.txt)"]}}`)
	if v := decideCd(t, files, "cd src; cd ..; echo x > keep.txt"); v.Decision() != hookio.Deny {
		t.Errorf("%s %s", v.Decision(), v.Reason())
	}
	if v := decideCd(t, cdTree(), "cd /; cd /w/p/src; rm -rf *"); v.Why().Check == nil {
		t.Errorf("step %s, %s", v.Step(), v.Reason())
	}
}

// TestBasename: what basename prints holds no slash, so that with more of a name around it a
// path stays in its folder.
func TestBasename(t *testing.T) {
	for command, want := range map[string]string{
		`SP=/tmp/mine; n=$(basename src/main.ts .ts); echo x > "$SP/$n.txt"`:              "7",
		`for f in src/*.ts; do n=$(basename "$f" .ts); echo x > "/tmp/mine/$n.txt"; done`: "7",
		`for f in src/*.ts; do echo x > "src/$(basename "$f" .ts).js"; done`:              "7",
		`n=$(basename "$1"); cp src/main.ts "/tmp/mine/out-$n"`:                           "7",
		`n=$(basename "$1"); echo x > "/tmp/mine/$n"`:                                     "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/$n/a"`:                                   "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/.$n"`:                                    "2",
		`n=$(basename "$1"); echo x > "$n.txt"`:                                           "3b",
		`n=$(basename "$1"); echo x > "/tmp/mine/a$n../../b"`:                             "3b",
		`n=$(basename "$1"); n=$n/..; echo x > "/tmp/mine/$n.txt"`:                        "3b",
		`n=$(basename "$1"); n+=/../..; echo x > "/tmp/mine/a$n/b"`:                       "3b",
		`n=$(basename "$1")$2; echo x > "/tmp/mine/$n.txt"`:                               "3b",
		`basename() { echo ../../x; }; n=$(basename a); echo x > "/tmp/mine/$n.txt"`:      "3b",
		`n=$(basename a; echo /../../x); echo x > "/tmp/mine/$n.txt"`:                     "3b",
		`n=$(basename a | cat); echo x > "/tmp/mine/$n.txt"`:                              "3b",
		`n=$(./basename a); echo x > "/tmp/mine/$n.txt"`:                                  "3b",
		`n=$(PATH=. basename a); echo x > "/tmp/mine/$n.txt"`:                             "3b",
		`n=$(basename "$1"); echo x > "/w/q/$n.txt"`:                                      "3b",
	} {
		if _, v := practical(t, practicalTree(), command); v.Step() != want {
			t.Errorf("%s: step %s, want %s: %s", command, v.Step(), want, v.Reason())
		}
	}
}

// TestPlain: what needs no table of options is read as the table reads it.
func TestPlain(t *testing.T) {
	words := []string{"--host", "--event", "--home", "claude", "", "--", "-", "--host=x", "--headless", "--cwd", "--hos"}
	plain := 0
	for n := range 5 {
		for i := range pow(len(words), n) {
			var args []string
			for range n {
				args, i = append(args, words[i%len(words)]), i/len(words)
			}
			var got, want Flags
			if !got.Plain(args) {
				continue
			}
			plain++
			flags := pflag.NewFlagSet("hook", pflag.ContinueOnError)
			flags.SetOutput(io.Discard)
			want.Register(flags)
			if err := flags.Parse(args); err != nil || flags.NArg() > 0 {
				t.Fatalf("%q: %v, %q", args, err, flags.Args())
			}
			if got.Host != want.Host || got.Event != want.Event || got.Home != want.Home {
				t.Fatalf("%q: %+v, want %+v", args, got, want)
			}
		}
	}
	if plain < 900 {
		t.Errorf("%d of all", plain)
	}
}

func pow(base, n int) int {
	out := 1
	for range n {
		out *= base
	}
	return out
}

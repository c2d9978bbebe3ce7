package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/disk"
	"github.com/permgate--owner/permgate/rules"
)

// writeFile writes a file, and makes its folder.
func writeFile(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// worldOf is this machine with another home, nothing managed, and no variable but HOME and those given, as name and
// value.
func worldOf(home, cwd string, env ...string) gate.World {
	return gate.World{
		Getenv: func(name string) string {
			for i := 0; i < len(env); i += 2 {
				if env[i] == name {
					return env[i+1]
				}
			}
			return map[bool]string{true: home}[name == "HOME"]
		},
		Cwd: cwd, PasswdHome: home, UID: disk.UID(), Files: disk.Disk{}, OS: rules.NativeOS(), ManagedDir: []string{},
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, Now: time.Now(),
	}
}

// TestCommands checks the literals themselves.
func TestCommands(t *testing.T) {
	named := map[string]int{}
	for _, g := range purposes() {
		for _, name := range strings.Fields(g[1]) {
			named[name]++
		}
	}
	for _, c := range list() {
		if named[c.Name] != 1 {
			t.Errorf("permgate help names %s %d times", c.Name, named[c.Name])
		}
		if c.Name == "" || c.Run == nil || c.Short == "" || strings.HasSuffix(c.Short, ".") || c.Short[0] >= 'A' && c.Short[0] <= 'Z' {
			t.Errorf("%s: name, run or short text", c.Name)
		}
		if len(c.Short) > 80 {
			t.Errorf("%s: %q is too long for a list", c.Name, c.Short)
		}
		for _, line := range strings.Split(c.Long, "\n") {
			if len(line) > 88 {
				t.Errorf("%s: %q is too long", c.Name, line)
			}
		}
		for _, x := range c.Examples {
			if !strings.Contains(x.Line(), "permgate "+c.Name) {
				t.Errorf("%s: the example is one of another subcommand: %s", c.Name, x.Line())
			}
			if id := x.Line()[strings.LastIndexByte(x.Line(), ' ')+1:]; x.Note() == "a check" && !slices.ContainsFunc(bashsafety.Checks(), func(k *bashsafety.Check) bool { return k.ID == id }) {
				t.Errorf("%s: there is no check %s", c.Name, id)
			}
		}
		fs := flagSet(c)
		if fs.Lookup("help") != nil {
			t.Errorf("%s: pflag's own help is needed", c.Name)
		}
	}
	seen := ""
	for _, tp := range topics() {
		if strings.Contains(seen, " "+tp.name+" ") || tp.print == nil {
			t.Errorf("topic %s", tp.name)
		}
		seen += " " + tp.name + " "
	}
}

func TestNearest(t *testing.T) {
	for word, want := range map[string]string{"chekc": "check", "instal": "install", "explian": "explain", "git": "", "checks": "check"} {
		if got := subcmd.Nearest(word, names()); got != want {
			t.Errorf("%s: got %q, want %q", word, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tt := range []struct {
		width int
		text  string
		want  string
	}{
		{0, "a b c", "  a b c\n"},
		{10, "aaaa bbb cc", "  aaaa bbb\n  cc\n"},
		{6, "aaaaaaaaaa b", "  aaaaaaaaaa\n  b\n"},
		{9, "äöü äöü", "  äöü äöü\n"},
	} {
		if got := subcmd.Wrap("  ", tt.text, tt.width); got != tt.want {
			t.Errorf("%d %q: got %q, want %q", tt.width, tt.text, got, tt.want)
		}
	}
}

// FuzzObject checks that every string survives the way into JSON and back.
func FuzzObject(f *testing.F) {
	for _, s := range []string{"", `a"b\c`, "tab\tline\nend", "\x00\x1f\x7f", "ö 漢 \U0001f600", "\u2028"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var in subcmd.Object
		in.Add("k", s)
		in.Add("l", []string{s, s})
		text := string(in.End())
		if !gjson.Valid(text) || strings.Contains(text, "\n") {
			t.Fatalf("%q", text)
		}
		if got := gjson.Get(text, "k").Str; got != s || gjson.Get(text, "l.1").Str != s {
			t.Fatalf("got %q, want %q", got, s)
		}
	})
}

// TestVisible: whatever a name or an error holds, a terminal is told nothing by it.
func TestVisible(t *testing.T) {
	var out, err strings.Builder
	e := &subcmd.Env{Out: &out, Err: &err, Cmd: "permgate", World: gate.World{Cwd: "/p", Getenv: func(string) string { return "" }}}
	const name = "/p/a\x1b[2J\u202eb"
	e.Fail("look at "+name, "%s is odd", name)
	e.FailOf("", []string{name}, "these are odd")
	e.Wrapped("  ", name)
	e.Columns("", 0, name)
	for _, s := range []string{e.Path(name), e.Place(rules.Pos{File: name, Line: 1}), e.Fault(&rules.Fault{Msg: name}), out.String(), err.String()} {
		if strings.ContainsAny(s, "\x1b\u202e") || !strings.Contains(s, `a\u001b[2J\u202eb`) {
			t.Errorf("%q", s)
		}
	}
}

package lint

import (
	"fmt"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

const (
	home    = "/home/me"
	project = home + "/app"
	managed = "/etc"
	me      = 1000
)

// exampleFile is where the file of an example lies.
func exampleFile(x *Example) string {
	return place(x.Name())
}

func place(name string) string {
	switch {
	case strings.HasPrefix(name, "~/"):
		return home + name[1:]
	case strings.HasPrefix(name, "/"):
		return managed + name
	}
	return path.Join(project, name)
}

// exampleInput is the world of an example with another text in its file.
func exampleInput(x *Example, text string) *Input {
	t := fakefs.New(map[string]string{project + "/.git/config": "", home + "/other/file": ""})
	t.Own(home, me)
	own := func(name string, uid int) {
		for ; name != "/" && name != home && name != managed; name = path.Dir(name) {
			t.File(name).UID = uid
		}
	}
	uid := func(name string) int {
		if strings.HasPrefix(name, home+"/") {
			return me
		}
		return 0
	}
	name := exampleFile(x)
	f := t.Write(name, text)
	own(name, uid(name))
	f.Tracked = x.Tracked
	if x.UID != 0 {
		f.UID = x.UID
	}
	if x.Loose {
		f.Mode = 0o666
	}
	for _, o := range x.Beside {
		at := place(o.Name)
		if strings.HasSuffix(o.Name, "/") {
			t.Mkdir(at)
		} else {
			t.Write(at, o.Text)
		}
		own(at, uid(at))
	}
	w := gate.World{Getenv: func(string) string { return "" }, Cwd: project, PasswdHome: home, UID: me, Files: t,
		Exe: func() (string, error) { return "/usr/bin/permgate", nil }, Now: time.Unix(1e9, 0)}
	return New(w, gate.Flags{}, hookio.Unread(hookio.Options{}).Host)
}

// TestExamples runs the examples of all checks: a failing one is found by its
// own check and no other, at the right place, and is clean when it was mended;
// a passing one is clean.
func TestExamples(t *testing.T) {
	for _, c := range Checks() {
		t.Run(c.ID, func(t *testing.T) {
			fails, passes := c.Examples()
			if len(fails) == 0 || len(passes) == 0 || c.Title == "" || c.Why == "" || c.Fix == "" {
				t.Error("a check needs title, why, fix, a failing and a passing example")
			}
			for i := range fails {
				failing(t, c, &fails[i])
			}
			for i := range passes {
				for _, f := range Run(exampleInput(&passes[i], passes[i].Text)) {
					t.Errorf("%s\n  finds %s at %v: %s", passes[i].Text, f.Check.ID, f.Pos, f.Text)
				}
			}
		})
	}
}

// marked returns the text a finding is about, "" for a whole file.
func (f *Finding) marked() string {
	if f.Pos.Line == 0 {
		return ""
	}
	line := f.File.row(f.Pos.Line).runes
	start := min(f.Pos.Col-1, len(line))
	return string(line[start:max(start, min(f.End-1, len(line)))])
}

func failing(t *testing.T, c *Check, x *Example) {
	t.Helper()
	in := exampleInput(x, x.Text)
	found := Run(in)
	own := 0
	for i := range found {
		f := &found[i]
		if f.Pos.File != exampleFile(x) {
			continue
		}
		if f.Check != c {
			t.Errorf("%s\n  also finds %s at %v: %s", x.Text, f.Check.ID, f.Pos, f.Text)
			continue
		}
		own++
		if at := f.marked(); at != x.At {
			t.Errorf("%s\n  underlines %q, want %q", x.Text, at, x.At)
		}
		if f.Exploit != x.Exploit {
			t.Errorf("%s\n  lets through %q, want %q", x.Text, f.Exploit, x.Exploit)
		}
		if f.Text == "" || strings.ContainsAny(f.Text, "\n") {
			t.Errorf("%s\n  text %q", x.Text, f.Text)
		}
	}
	if own != 1 {
		t.Errorf("%s\n  finds it %d times, want once", x.Text, own)
		return
	}
	mended, err := FixAll(in, func(*Finding) bool { return true })
	if err != nil {
		t.Errorf("%s\n  cannot be mended: %v", x.Text, err)
		return
	}
	fixed := mended.File(exampleFile(x)).Text
	if fixed == x.Text {
		fixed = ""
	}
	if fixed != x.Fixed {
		t.Errorf("%s\n  is mended to %q, want %q", x.Text, fixed, x.Fixed)
	}
	if fixed == "" {
		return
	}
	for _, f := range Run(mended) {
		if f.Pos.File != exampleFile(x) {
			continue
		}
		t.Errorf("%s\n  after the mending finds %s at %v: %s", fixed, f.Check.ID, f.Pos, f.Text)
	}
}

//go:generate go test . -run ^TestPage$ -update

// TestPage writes the table of checks in docs/policy.md.
func TestPage(t *testing.T) {
	var b strings.Builder
	b.WriteString("| check | | finds | for example | `--fix` |\n|---|---|---|---|---|\n")
	for _, c := range Checks() {
		fails, _ := c.Examples()
		x, fix := &fails[0], ""
		for i := range fails {
			if fails[i].Fixed != "" {
				fix = "yes"
			}
		}
		at := x.At
		if at == "" {
			at = x.Name()
		}
		fmt.Fprintf(&b, "| %s | %s | %s | `%s` | %s |\n", c.ID, c.Severity, c.Title, strings.ReplaceAll(at, "|", `\|`), fix)
	}
	golden.Part(t, "../../../docs/policy.md", "<!-- checks: written by go generate -->", "<!-- end of checks -->", b.String())
}

// TestTable looks at the literals themselves: ids are unique and of one form,
// titles fit a line, nothing ends in a full stop that should not.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range Checks() {
		if seen[c.ID] || c.ID == "" || strings.Trim(c.ID, "abcdefghijklmnopqrstuvwxyz-") != "" {
			t.Errorf("id %q", c.ID)
		}
		seen[c.ID] = true
		if Find(c.ID) != c {
			t.Errorf("%s is not found by its id", c.ID)
		}
		if len(c.Title) > 90 || strings.HasSuffix(c.Title, ".") || strings.HasSuffix(c.Fix, ".") || !strings.HasSuffix(c.Why, ".") {
			t.Errorf("%s: title, why or fix", c.ID)
		}
	}
	for s := Note; s <= Error; s++ {
		if got, ok := ParseSeverity(s.String()); !ok || got != s {
			t.Errorf("severity %v", s)
		}
	}
}

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// firstRun is a log of calls in a project with settings.
func firstRun(t *testing.T, settings string, texts []string) (l *logRun, ch *subcmd.Change) {
	l = newLogRun(t, nil)
	app := filepath.Join(l.e.World.PasswdHome, "app")
	l.e.World.Cwd, l.e.Out, l.e.Err = app, &bytes.Buffer{}, &bytes.Buffer{}
	writeFile(t, filepath.Join(app, ".git", "HEAD"), "")
	name := filepath.Join(app, ".gen", "settings.json")
	writeFile(t, name, settings)
	for i, text := range texts {
		l.logged(i, text)
	}
	return l, &subcmd.Change{Name: name, Target: name, Old: []byte(settings), Text: []byte(settings)}
}

// logged appends a call that is n seconds younger than the first.
func (l *logRun) logged(n int, text string) {
	r := decided(n, "ask", "ask", "7", text)
	r.Cwd = l.e.World.OS.Canon(l.e.World.Cwd)
	r.Project = r.Cwd
	l.append(string(r.AppendJSON(nil)))
}

// first tries a change on the log.
func (l *logRun) first(ch *subcmd.Change) *firstTest {
	l.t.Helper()
	f := &firstTest{e: &l.e, flags: &gate.Flags{}}
	f.about([]*subcmd.Change{ch})
	if err := f.read(); err != nil {
		l.t.Fatal(err)
	}
	f.decide(l.e.WorldWith(ch))
	return f
}

// TestFirstIsComplete compares what is shown with every call decided by itself.
func TestFirstIsComplete(t *testing.T) {
	text, err := os.ReadFile("../../testdata/corpus/everyday.txt")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			texts = append(texts, line)
		}
	}
	const settings = `{"permissions": {"allow": ["Bash(git status:*)", "Bash(go test:*)"], "deny": ["Bash(curl:*)"]}}`
	l, ch := firstRun(t, settings, texts)
	for _, now := range []string{
		`{"permissions": {"allow": ["Bash(git:*)", "Bash(go test:*)"], "deny": ["Bash(curl:*)"]}}`,
		`{"permissions": {"allow": ["Bash(git status:*)"], "deny": []}}`,
		`{"permissions": {"allow": ["Bash(git status:*)", "Bash(go test:*)"], "deny": ["Bash(git:*)", "Bash(npm:*)"]}}`,
		`{"permissions": {"defaultMode": "plan"}}`,
	} {
		ch.Text = []byte(now)
		want, then := map[string]bool{}, l.e.WorldWith(ch)
		for _, g := range l.first(ch).groups {
			was := decide.Decide(gate.Case(g.Call.Call, g.Flags, l.e.World)).Decision().String()
			if is := decide.Decide(gate.Case(g.Call.Call, g.Flags, then)).Decision().String(); is != was {
				want[was+" "+is+" "+gate.Title(g.Call.Call)] = true
			}
		}
		lines, _ := l.first(ch).lines()
		for _, line := range lines {
			k := line.was + " " + line.now + " " + line.title
			if !want[k] {
				t.Errorf("%s: %s is not so", now, k)
			}
			delete(want, k)
		}
		if len(want) > 0 || len(lines) == 0 {
			t.Errorf("%s: of %d not shown: %v", now, len(lines), want)
		}
	}
}

// TestFirstLooksAt: the log's end, in time and bytes, and this project's calls.
func TestFirstLooksAt(t *testing.T) {
	l, ch := firstRun(t, "{}", []string{"make a", "make b", "make a"})
	l.logged(-(firstDays+1)*86400, "make old")
	elsewhere, secret := decided(9, "ask", "ask", "7", "make elsewhere"), decided(10, "ask", "ask", "7", "x")
	secret.Redacted = true
	for _, r := range []log.Record{elsewhere, secret} {
		l.append(string(r.AppendJSON(nil)))
	}
	l.append(`{"Timestamp":"2026` + "\nno record\n")
	ch.Text = []byte(`{"permissions": {"deny": ["Bash(make:*)"]}}`)
	f := l.first(ch)
	if f.calls != 3 || len(f.groups) != 2 || f.skipped != 1 || f.bounded {
		t.Errorf("%d calls, %d groups, %d skipped, bounded %t", f.calls, len(f.groups), f.skipped, f.bounded)
	}
	f.print()
	const want = `3 of 3 logged calls of this project in the last 30 days (1 other is not logged whole) would get another answer:
  ask -> deny         make a  (2 calls)
  ask -> deny         make b
`
	if got := fmt.Sprint(l.e.Out); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	for range firstBytes >> 20 {
		l.append(strings.Repeat("x", 1<<20-1) + "\n")
	}
	l.logged(20, "make new")
	if f = l.first(ch); f.calls != 1 || !f.bounded {
		t.Errorf("the end of the log: %d calls, bounded %t", f.calls, f.bounded)
	}
}

// Several files are changed at once, and each change counts.
func TestFirstSeveral(t *testing.T) {
	l, ch := firstRun(t, "{}", []string{"make", "curl x"})
	name := filepath.Join(l.e.World.Cwd, ".gen", "settings.local.json")
	ch.Text = []byte(`{"permissions": {"deny": ["Bash(make)"]}}`)
	firstOn(&l.e, &gate.Flags{})([]*subcmd.Change{ch, {Name: name, Target: name, Text: []byte(`{"permissions": {"deny": ["Bash(curl:*)"]}}`)}})
	if got := fmt.Sprint(l.e.Out); !strings.HasPrefix(got, "2 of 2 ") {
		t.Error(got)
	}
}

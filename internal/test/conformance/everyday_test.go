package conformance

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	labelled "github.com/permgate--owner/permgate/internal/bench"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
)

// TestEveryday: no everyday call is stopped by the installed posture, alone or
// with the starter policy, in default and in auto mode, on a project as it is
// on the disk. They are texts for bash.
func TestEveryday(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "everyday.txt"))
	if err != nil {
		t.Fatal(err)
	}
	b := newBench(t)
	windows := rules.NativeOS() == rules.Windows
	dir := filepath.Join(b.home, "src", "app")
	for name, text := range map[string]string{
		"package.json": `{"name":"x","scripts":{"build":"bun run clean && tsc","clean":"rm -rf dist","test":"vitest run","test:unit":"vitest run unit",` +
			`"lint":"eslint .","dev":"vite"}}`,
		".gitignore": "dist\nnode_modules\n.env\n", "go.mod": "module x\n", "README.md": "x", "pyproject.toml": "[project]\nname=\"x\"\n",
		"uv.lock": "", ".env": "A=1", "src/main.go": "package main\n", "sub/package.json": "{}",
	} {
		b.write(filepath.Join(dir, name), text)
	}
	b.git(dir, "init", "-q")
	b.git(dir, "add", "-A")
	b.roots[dir] = true
	doc, err := edit.Parse("permgate.json", []byte("{}"))
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{"codex", "qwen"} {
		if _, err := agents.Recommend(hookio.Lookup(host), doc, true); err != nil {
			t.Fatal(err)
		}
	}
	b.write(filepath.Join(b.home, ".gen", "permgate.json"), string(doc.Bytes()))
	for _, with := range []string{"install", "install and init"} {
		if with != "install" {
			b.write(filepath.Join(dir, ".claude", "settings.local.json"), string(profile.For(os.DirFS(dir), profile.Starter).Settings(true)))
		}
		n := 0
		for line := range strings.Lines(string(data)) {
			command := strings.TrimSuffix(line, "\n")
			if strings.HasPrefix(command, "#") {
				continue
			}
			n++
			for _, as := range [][2]string{{"claude", "default"}, {"claude", "auto"}, {"codex", "default"}, {"codex", "bypassPermissions"}, {"qwen", "default"}} {
				if b.host = as[0]; windows && (as[0] != "claude" || asksOnWindows(command)) {
					continue
				}
				_, v, err := b.decide(&recorded{Session: "s1", Project: dir, Cwd: dir, Tool: "Bash", Input: shell(command)}, as[1])
				if err != nil {
					t.Fatal(err)
				}
				if got := v.Answer().Decision; got == hookio.Ask || got == hookio.Deny {
					t.Errorf("%s, %s in %s: %s is stopped: %s", with, as[0], as[1], command, v.Reason())
				}
			}
		}
		t.Logf("%s: %d calls", with, n)
	}
}

// asksOnWindows reports what is asked about there: where Git Bash has its /tmp is not known, nor what patterns find.
func asksOnWindows(command string) bool {
	return strings.Contains(command, "/tmp/") || strings.Contains(command, "mktemp") || command == "git add *"
}

// TestMacOSLabelled: what is asked about on macOS alone, and what is run there every day.
func TestMacOSLabelled(t *testing.T) {
	f, err := os.Open("../../../testdata/corpus/macos.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var labels labelled.Labels
	if err := labels.Add("macos.tsv", f); err != nil {
		t.Fatal(err)
	}
	for _, l := range labels.Calls {
		_, v := call(t, Setup{Tool: l.Tool, Input: []byte(l.Input), Mode: "default", Cwd: "/Users/dev/project", Project: "/Users/dev/project",
			Home: "/Users/dev", OS: rules.MacOS, Host: "claude", Named: true, Tmp: true,
			Settings: map[string]string{"/Users/dev/.claude/permgate.json": installedPosture(t)}})
		a := v.Answer()
		if asks := a.Decision == hookio.Ask || a.Decision == hookio.Deny; asks == (l.Kind == labelled.Harmless) {
			t.Errorf("%s: %s: %s: %s", l.Label, l.Text, a.Decision, v.Reason())
		}
	}
}

// TestOneliners: what makes a program run a command, load a library, write a file or send one, mostly as
// GTFOBins lists it, is not covered by Bash(PROGRAM:*). A line says what holds it back: the name of an option, the
// file it writes, or what the tables know of the program; or "open:" and why the rule covers it all the same.
func TestOneliners(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "corpus", "oneliners.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	count := map[string]int{}
	for i, line := range lines[1:] {
		f := strings.Split(line, "\t")
		if len(f) != 4 {
			t.Fatalf("line %d: %d fields, want 4", i+2, len(f))
		}
		program, kind, command, closed := f[0], f[1], f[2], f[3]
		policy, _ := json.Marshal(map[string]any{"permissions": map[string]any{"allow": []string{"Bash(" + program + ":*)"}}})
		_, v := call(t, Setup{Tool: "Bash", Input: shell(command), Mode: "default", Settings: map[string]string{"/home/dev/.gen/settings.json": string(policy)}})
		reason, open := strings.CutPrefix(closed, "open: ")
		switch allowed := v.Decision().String() == "allow"; {
		case allowed && !open:
			t.Errorf("%s: %s is allowed", kind, command)
		case !allowed && open:
			t.Errorf("%s: %s is held back now: say by what in its line", kind, command)
		case open && reason == "":
			t.Errorf("%s: %s has no reason", kind, command)
		}
		count[strings.SplitN(closed, ":", 2)[0]]++
	}
	t.Logf("%d texts: %v", len(lines)-1, count)
	if len(lines) < 900 {
		t.Errorf("only %d texts", len(lines)-1)
	}
}

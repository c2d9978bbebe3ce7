package conformance

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
)

// TestEveryday: no everyday call is stopped by the installed posture, alone or
// with the starter policy, in default and in auto mode, on a project as it lies
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
				c, v, err := b.decide(&recorded{Session: "s1", Project: dir, Cwd: dir, Tool: "Bash", Input: shell(command)}, as[1])
				if err != nil {
					t.Fatal(err)
				}
				if got := v.Answer(c).Decision; got == hookio.Ask || got == hookio.Deny {
					t.Errorf("%s, %s in %s: %s is stopped: %s", with, as[0], as[1], command, v.Reason)
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

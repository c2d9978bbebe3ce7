package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/term"
)

// TestWidth runs the subcommands with a narrow terminal: no line is too wide
// that could have been broken.
func TestWidth(t *testing.T) {
	dir, err := os.MkdirTemp("", "w") // a short name: it is no fault of a line that a path is long
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	for name, text := range map[string]string{
		"app/.gen/settings.json": `{"permissions":{"allow":["Bash(git:*)","Read(//etc/**)"],"ask":["Bash(git push:*)"],"deny":["Bash(a very long rule text of many words that no column holds:*)","Bash(x"]}}`,
		"app/go.mod":             "module x\n",
		"app/.git/HEAD":          "ref: refs/heads/main\n",
	} {
		writeFile(t, filepath.Join(dir, name), text)
	}
	env := map[string]string{"COLUMNS": "60", "HOME": dir, "XDG_STATE_HOME": filepath.Join(dir, "state"), "PATH": os.Getenv("PATH")}
	world := gate.System()
	world.Cwd, world.PasswdHome = filepath.Join(dir, "app"), dir
	world.Getenv = func(k string) string { return env[k] }
	lines := []string{
		"check|rm -rf 漢字漢字漢字漢字漢字漢字 漢字漢字漢字漢字漢字 漢字漢字漢字漢字", "check|--host|claude|make some thing that is long enough to be broken twice",
		"explain|cd /x && git push -f origin main && cat notes.txt > /etc/hosts", "explain|recursive-remove", "rules", "log", "lint",
		"lint|--list", "trust", "doctor", "init|--dry-run", "install|--list", "install|--host|claude|--dry-run", "help",
	}
	for _, topic := range topics() {
		lines = append(lines, "help|"+topic.name)
	}
	for _, c := range list() {
		lines = append(lines, "help|"+c.Name)
		for _, sub := range c.Subs {
			lines = append(lines, "help|"+c.Name+"|"+sub.Name)
		}
	}
	for _, line := range lines {
		var out, errs bytes.Buffer
		Main(strings.Split(line, "|"), strings.NewReader(""), &out, &errs, world)
		if out.Len() == 0 && line != "log" && line != "lint" {
			t.Logf("%s: %s", line, errs.String())
		}
		for l := range strings.Lines(out.String()) {
			l = strings.TrimSuffix(l, "\n")
			if term.Columns(l) > 60 && strings.Contains(strings.TrimSpace(l), " ") && !strings.ContainsAny(l[:1], "+-@") {
				t.Errorf("permgate %s: %q is %d columns wide", line, l, term.Columns(l))
			}
		}
	}
}

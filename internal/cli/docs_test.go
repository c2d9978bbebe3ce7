package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/decide/guard"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/test/golden"
)

// decideText decides a shell text with one allow rule in an empty project.
func decideText(t *testing.T, rule, text string) (hookio.Decision, string) {
	t.Helper()
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "app", ".git", "HEAD"), "")
	e := &subcmd.Env{World: worldOf(home, filepath.Join(home, "app"))}
	o := subcmd.CallOptions{}
	o.Allowed = []string{rule}
	call, err := o.Call(e, []string{text})
	if err != nil {
		t.Fatal(err)
	}
	v := o.Decide(e, call)
	return v.Decision(), v.Reason()
}

// rows returns the cells of the table lines in a section of a page.
func rows(t *testing.T, file, section string) [][]string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", file))
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(text), "\n## "+section+"\n")
	if !ok {
		t.Fatalf("%s has no section %q", file, section)
	}
	part, _, _ = strings.Cut(part, "\n## ")
	var out [][]string
	for line := range strings.Lines(part) {
		if !strings.HasPrefix(line, "|") || strings.HasPrefix(line, "|---") {
			continue
		}
		line = strings.ReplaceAll(strings.TrimSpace(line), `\|`, "\x00")
		var cells []string
		for _, c := range strings.Split(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.TrimSpace(strings.ReplaceAll(c, "\x00", "|")))
		}
		out = append(out, cells)
	}
	return out[1:] // without the heading
}

// codes returns the texts in backticks of a cell.
func codes(cell string) []string {
	var out []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}

// TestSecurityPage runs the table of threats.
func TestSecurityPage(t *testing.T) {
	for _, row := range rows(t, "security.md", "Threats and what holds them") {
		rule := codes(row[1])[0]
		for _, text := range codes(row[2]) {
			if d, why := decideText(t, rule, text); d != hookio.Allow {
				t.Errorf("%s: %s: %s is not allowed: %v: %s", row[0], rule, text, d, why)
			}
		}
		for _, text := range codes(row[3]) {
			if d, _ := decideText(t, rule, text); d == hookio.Allow || d == hookio.Pass {
				t.Errorf("%s: %s: %s is allowed", row[0], rule, text)
			}
		}
	}
}

// TestRulesPage runs the table of Bash patterns.
func TestRulesPage(t *testing.T) {
	for _, row := range rows(t, "rules.md", "Bash") {
		rule := codes(row[0])[0]
		for _, text := range codes(row[1]) {
			if d, why := decideText(t, rule, text); d != hookio.Allow {
				t.Errorf("%s does not match %s: %v: %s", rule, text, d, why)
			}
		}
		for _, text := range codes(row[2]) {
			if d, _ := decideText(t, rule, text); d == hookio.Allow {
				t.Errorf("%s matches %s", rule, text)
			}
		}
	}
}

// TestRuleObjectsPage checks the examples that docs/rules.md gives of the key rules.
func TestRuleObjectsPage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "rules.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, part, _ := strings.Cut(string(text), "\n## Rules with examples\n")
	_, part, _ = strings.Cut(part, "```\n")
	part, _, ok := strings.Cut(part, "```")
	if !ok {
		t.Fatal("docs/rules.md shows no rule object")
	}
	home := t.TempDir()
	writeFile(t, filepath.Join(home, "app", ".git", "HEAD"), "")
	writeFile(t, filepath.Join(home, "app", ".gen", "permgate.json"), part)
	w := worldOf(home, filepath.Join(home, "app"))
	p := gate.Policy(hookio.Unread(hookio.Options{}), &gate.Flags{}, w)
	if len(p.Faults) > 0 || len(p.Examples) != 5 {
		t.Errorf("faults %v, examples %v", p.Faults, p.Examples)
	}
	for _, o := range policytest.Examples(p, gate.Flags{Cwd: w.Cwd}, w) {
		if o.Wrong != "" {
			t.Errorf("%s: %s", o.Example.Text, o.Wrong)
		}
	}
}

//go:generate go test . -run ^TestPlacesPage$ -update

// TestPlacesPage writes the table of sensitive places into docs/security.md.
func TestPlacesPage(t *testing.T) {
	var table strings.Builder
	for i := range guard.Sensitives {
		s := &guard.Sensitives[i]
		table.WriteString("| " + s.Class.String() + " | `" + strings.Join(s.Paths, "` `") + "` | " + s.Why + " |\n")
	}
	golden.Part(t, filepath.Join("..", "..", "docs", "security.md"), "| class | paths | because |\n|---|---|---|",
		"`permgate help places` prints it.", table.String()+"\n")
}

//go:generate go test . -run ^TestWindowsShellsPage$ -update

// TestWindowsShellsPage writes which shell a program has on Windows, and what starts its hooks, into docs/platforms.md.
func TestWindowsShellsPage(t *testing.T) {
	names := [...]string{"not known", "bash", "PowerShell", "its words, no quotes"}
	page := filepath.Join("..", "..", "docs", "platforms.md")
	var table, hooks strings.Builder
	for _, h := range hookio.Hosts() {
		table.WriteString("| " + h.Title + " | " + names[h.OnWindows.Shell] + " | " + h.OnWindows.Source + " |\n")
		if (h.OnWindows.Shell == 0) != (h.OnWindows.Source == "") {
			t.Errorf("%s: a shell needs a source", h.Name)
		}
		switch r := h.Register; {
		case r == nil:
		case r.Exec:
			hooks.WriteString("| " + h.Title + " | no shell | program and arguments are apart in its file |\n")
		default:
			hooks.WriteString("| " + h.Title + " | " + names[r.OnWindows.Shell] + " | " + r.OnWindows.Source + " |\n")
		}
	}
	golden.Part(t, page, "| program | reads commands on Windows with | because |\n|---|---|---|",
		"Where it is not known, plain commands are judged as anywhere (words, quotes without escapes, pipes), and what bash and PowerShell would", table.String()+"\n")
	golden.Part(t, page, "| program | what starts a hook on Windows | because |\n|---|---|---|", "Whichever it is, `install` writes the command so that permgate's path arrives whole: blanks, `&`, `(`, `'`, `^` and letters of every language", hooks.String()+"\n")
}

package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/fakefs"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// privateNames are in no report of reportWorld.
var privateNames = []string{"alicia", "zephyrine", "quillon", "contoso", "hunter2", "0123456789abcdef", "lucasta"}

// reportWorld is a machine on which every private name is one of privateNames.
func reportWorld(settings string) gate.World {
	disk := fakefs.New(map[string]string{
		"/home/alicia/work/zephyrine/.git/HEAD":             "",
		"/home/alicia/work/zephyrine/.claude/settings.json": settings,
		"/home/alicia/.claude/permgate.json": `{"catastrophic": "deny", "onUnmatched": "defer", "destructive": "practical",
			"secrets": "ask", "urls": {"deny": ["https://contoso.com/"]}, "contentExclusion": ["contoso/**"]}`,
	})
	disk.Own("/home/alicia", 1000)
	return gate.World{
		Getenv: func(name string) string {
			return map[string]string{"HOME": "/home/alicia", "USER": "alicia", "USERNAME": "lucasta", "SHELL": "/bin/zsh"}[name]
		},
		Cwd: "/home/alicia/work/zephyrine", PasswdHome: "/home/alicia", UID: 1000, Files: disk, Now: time.Unix(1e9, 0),
		Exe: func() (string, error) { return "/opt/bin/permgate", nil }, ManagedDir: []string{"/none"},
	}
}

func runReport(w gate.World, args ...string) (block, said string, code int) {
	var out, err strings.Builder
	code = Main(append([]string{"report", "--host", "claude"}, args...), strings.NewReader(""), &out, &err, w)
	return out.String(), err.String(), code
}

func rowsOf(t *testing.T, name string) (inputs, settings []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "testdata", "corpus", name))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		cells := strings.Split(line, "\t")
		if cells[2] == "Bash" {
			inputs, settings = append(inputs, cells[3]), append(settings, cells[4])
		}
	}
	return inputs, settings
}

// TestReportReproduces: of calls that are judged elsewhere nearly every one is
// decided the same by its report alone.
func TestReportReproduces(t *testing.T) {
	every := testenv.Every(t, 40, 4, 4)
	yes, all, taken := 0, 0, 0
	for _, file := range []string{"attacks.tsv", "benign.tsv"} {
		inputs, settings := rowsOf(t, file)
		for i := range inputs {
			if i%every != 0 {
				continue
			}
			taken++
			block, said, code := runReport(reportWorld(`{"permissions": `+settings[i]+`}`), "--tool", "Bash", inputs[i])
			if code != subcmd.ExitOK {
				if !strings.Contains(said, "JSON") {
					t.Errorf("%s: %s", inputs[i], said)
				}
				continue
			}
			if all++; strings.Contains(block, "\nreproduces: yes\n") {
				yes++
			} else {
				t.Log(inputs[i], settings[i], "\n", strings.SplitAfter(block[strings.Index(block, "\nreproduces: "):], "\n\n")[0])
			}
		}
	}
	t.Logf("%d of %d reproduce, of %d calls", yes, all, taken)
	if all*2 < taken || yes*100 < all*90 {
		t.Errorf("only %d of %d reproduce", yes, all)
	}
}

// TestReportIsPrivate: whatever a call is made of, nothing private is in its report,
// which is the same each time, and no fence ends early.
func TestReportIsPrivate(t *testing.T) {
	inputs, settings := rowsOf(t, "attacks.tsv")
	planted := []string{
		"cat /home/alicia/work/zephyrine/contoso/x.go", "ls ~alicia/contoso", "ssh alicia@quillon.contoso.com", "chown lucasta:lucasta x && id lucasta", "cd \"$HOME\"/contoso && ls",
		"curl -H 'Authorization: Bearer hunter2hunter2hunter2' https://contoso.com/contoso", "git clone https://alicia:hunter2@contoso.com/zephyrine.git",
		"TOKEN=hunter2hunter2 make", "echo ghp_0123456789abcdefghijklmnopqrstuvwxyz", "mail alicia@contoso.com < contoso/a.txt", "echo '```' zephyrine",
		"cat <<X\n```\n**alicia**\n<b>\n```\nX", "rm -rf '/home/alicia/work/zephyrine'", "psql postgres://alicia:hunter2@db.contoso.com/zephyrine", "cat .env.contoso",
		"export AWS_SECRET_ACCESS_KEY=hunter2hunter2; echo hunter2hunter2", "PGPASSWORD=hunter2hunter2 psql -h alicia",
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range testenv.Count(t, 40, 300, 300) {
		k := r.IntN(len(inputs))
		var in struct{ Command string }
		if json.Unmarshal([]byte(inputs[k]), &in) != nil {
			continue
		}
		text := in.Command
		if strings.HasPrefix(text, "-") {
			continue
		}
		for range 1 + r.IntN(2) {
			text += "; " + planted[r.IntN(len(planted))]
		}
		w := reportWorld(`{"permissions": ` + strings.Replace(settings[k], "{", `{"additionalDirectories": ["/srv/contoso"], `, 1) + `}`)
		checkReport(t, w, text)
	}
	for _, text := range planted {
		checkReport(t, reportWorld(`{"permissions": {"ask": ["Bash(cat * /home/alicia/contoso:*)", "Read(//home/alicia/**)"]}}`), text)
	}
}

func checkReport(t *testing.T, w gate.World, text string) {
	t.Helper()
	block, said, code := runReport(w, "--expected", "no question for alicia", text)
	if code != subcmd.ExitOK {
		t.Errorf("%q: %d, %s", text, code, said)
		return
	}
	for _, name := range privateNames {
		if at := strings.Index(strings.ToLower(block), name); at >= 0 {
			t.Errorf("%q: %s is in the report: ...%s", text, name, block[max(at-60, 0):min(at+60, len(block))])
		}
	}
	if again, _, _ := runReport(w, "--expected", "no question for alicia", text); again != block {
		t.Errorf("%q: two reports are not the same", text)
	}
	if open := unclosed(block); open != "" {
		t.Errorf("%q: %s\n%s", text, open, block)
	}
}

// unclosed says what is wrong with the fences of a block: outside of them are only
// our own words.
func unclosed(block string) string {
	fence := ""
	for _, line := range strings.Split(block, "\n") {
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence == "" && len(mark) >= 3:
			fence = mark
		case fence != "" && len(mark) >= len(fence) && line == mark:
			fence = ""
		case fence == "" && strings.ContainsAny(line, "<>`"):
			return fmt.Sprintf("outside of a fence: %q", line)
		}
	}
	return fence
}

func TestReportCuts(t *testing.T) {
	block, _, code := runReport(reportWorld(`{}`), "echo "+strings.Repeat("a ", 7000)+"; git push -f")
	if code != subcmd.ExitOK || !strings.Contains(block, "\n... (cut: ") || len(block) > 60_000 ||
		!strings.Contains(block, "\nreproduces: no: the call is longer than what is shown of it\n") {
		t.Errorf("%d, %d bytes: %s", code, len(block), block[:600])
	}
}

func TestReportKinds(t *testing.T) {
	for _, tt := range []struct{ args, block, said string }{
		{"git push -f", "**permgate report: false prompt**", "/issues/new?template=false-prompt.yml"},
		{"--kind missed git push -f", "expected: the call is asked about or denied", "/security/advisories/new"},
		{"--kind missed git push -f", "", "may be a vulnerability"},
		{"--kind other ls", "**permgate report: other**", "/issues/new/choose"},
		{"--allowedTools Bash make", "**permgate report: missed command**", "SECURITY.md"},
		{"--hide vroom ls vroom", "ls private1", "nothing was sent"},
		{"--keep contoso cat a/contoso/b", "cat a/contoso/b", ""},
		{"--tool Edit /etc/hosts", `{"file_path":"/etc/hosts"}`, ""},
	} {
		block, said, code := runReport(reportWorld(`{}`), strings.Fields(tt.args)...)
		if code != subcmd.ExitOK || !strings.Contains(block, tt.block) || !strings.Contains(said, tt.said) {
			t.Errorf("%s: %d, %s\n%s", tt.args, code, said, block)
		}
	}
	if _, said, code := runReport(reportWorld(`{}`), "--kind", "bug", "ls"); code != subcmd.ExitError || !strings.Contains(said, "hint: the kinds are "+strings.Join(reportKindNames(), ", ")) {
		t.Errorf("%d, %s", code, said)
	}
}

// TestReportSettings: a report shows no settings but those that take part.
func TestReportSettings(t *testing.T) {
	block, _, _ := runReport(reportWorld(`{"permissions": {"deny": ["Bash(git push:*)", "Bash(vroom:*)"], "allow": ["Bash(npm:*)"]}}`), "git push")
	want := "/home/user/work/project/.claude/settings.json, as far as it takes part:\n\n```json\n{\"permissions\": {\"deny\": [\"Bash(git push:*)\"]}}\n```\n"
	if !strings.Contains(block, want) || strings.Contains(block, "vroom") || strings.Contains(block, "npm") {
		t.Error(block)
	}
	block, _, _ = runReport(reportWorld(`{}`), "rm -rf /")
	if !strings.Contains(block, "/home/user/.claude/permgate.json, as far as it takes part:\n\n```json\n{\"catastrophic\": \"deny\"}\n```\n") {
		t.Error(block)
	}
	if !slices.Contains(strings.Split(block, "\n"), "reproduces: yes") {
		t.Error(block)
	}
}

// TestReportForms: each kind leads to a form that there is, and the forms of calls ask for a report.
func TestReportForms(t *testing.T) {
	folder := filepath.Join("..", "..", ".github", "ISSUE_TEMPLATE")
	for i := range reportKinds {
		_, form, ok := strings.Cut(reportKinds[i].where, "?template=")
		if _, err := os.Stat(filepath.Join(folder, form)); ok && err != nil {
			t.Error(err)
		}
	}
	for _, form := range []string{"false-prompt.yml", "missed-command.yml", "host.yml"} {
		text, err := os.ReadFile(filepath.Join(folder, form))
		if err != nil {
			t.Fatal(err)
		}
		_, args, _ := strings.Cut(string(text), "`permgate report ")
		args, _, _ = strings.Cut(args, "`")
		fs := flagSet(reportCommand())
		if err := fs.Parse(strings.Fields(args)); args == "" || err != nil {
			t.Errorf("%s: permgate report %s: %v", form, args, err)
		} else if k := fs.Lookup("kind"); k.Changed && findReportKind(k.Value.String()) == nil {
			t.Errorf("%s: there is no kind %s", form, k.Value)
		}
		if form == "missed-command.yml" && !strings.Contains(string(text), findReportKind("missed").where) {
			t.Errorf("%s does not name the private form", form)
		}
	}
}

// TestReportHidesNames: a name is hidden where a tool has it, and where quoting kept it out of the text.
func TestReportHidesNames(t *testing.T) {
	for _, args := range [][]string{
		{"--tool", "mcp__marigold__drop", "{}"}, {`ls mari''gold`}, {`ls $'\x6darigold'`}, {`ls "/srv/mari"gold/x`},
	} {
		block, said, code := runReport(reportWorld("{}"), append([]string{"--hide", "marigold"}, args...)...)
		if code != subcmd.ExitOK || strings.Contains(block, "marigold") {
			t.Errorf("%q: exit %d %s\n%s", args, code, said, block)
		}
	}
}

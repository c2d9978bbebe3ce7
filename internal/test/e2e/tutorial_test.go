package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestTutorial follows docs/tutorial.md from its first line to its last: files
// of its sh blocks are saved under the name in their first line, every command
// of its console blocks is run in one shell's place, and what is printed has to
// be what the page shows.
func TestTutorial(t *testing.T) {
	t.Parallel()
	skipShort(t)
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(err)
		}
	}
	name := filepath.Join("docs", "tutorial.md")
	page, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	golden.File(t, name, newTutorial(t).follow(string(page)))
}

// follow returns a page as it would be now.
func (g *tutorial) follow(page string) string {
	return regexp.MustCompile("(?ms)^```(console|sh)\n(.*?)^```$").ReplaceAllStringFunc(page, func(block string) string {
		language, text, _ := strings.Cut(strings.TrimPrefix(strings.TrimSuffix(block, "```"), "```"), "\n")
		if language == "console" {
			return "```console\n" + g.session(text) + "```"
		}
		if file, _, ok := strings.Cut(strings.TrimPrefix(text, "# "), ":"); ok {
			if err := os.WriteFile(filepath.Join(g.home, file), []byte(text), 0o644); err != nil {
				g.t.Fatal(err)
			}
		}
		return block
	})
}

// A tutorial is a home directory, and where the reader is in it.
type tutorial struct {
	t         *testing.T
	home, cwd string
}

func newTutorial(t *testing.T) *tutorial {
	showsLinux(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g := &tutorial{t: t, home: filepath.Join(dir, "home")}
	g.cwd = g.home
	bin := filepath.Join(g.home, ".local", "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := linkProgram(filepath.Join(bin, "permgate")); err != nil {
		t.Fatal(err)
	}
	return g
}

// session runs the commands of a block; a line that starts with "> " goes on
// with the command above it.
func (g *tutorial) session(block string) string {
	var got strings.Builder
	lines := strings.SplitAfter(block, "\n")
	for i := 0; i < len(lines); i++ {
		command, ok := strings.CutPrefix(lines[i], "$ ")
		if !ok {
			continue
		}
		got.WriteString(lines[i])
		for ; i+1 < len(lines) && strings.HasPrefix(lines[i+1], "> "); i++ {
			command += strings.TrimPrefix(lines[i+1], "> ")
			got.WriteString(lines[i+1])
		}
		got.WriteString(g.run(strings.TrimSuffix(command, "\n")))
	}
	return got.String()
}

// run runs a command and returns what it prints, without what differs from one
// time and place to another.
func (g *tutorial) run(command string) string {
	if strings.Contains(command, "permgate log") || strings.Contains(command, "--last") {
		g.steady()
	}
	cmd := exec.Command("sh", "-c", command+"\npwd -P >"+filepath.Join(g.home, "..", "cwd"))
	cmd.Dir = g.cwd
	cmd.Env = []string{
		"HOME=" + g.home, "PATH=" + filepath.Join(g.home, ".local", "bin") + string(os.PathListSeparator) + os.Getenv("PATH"),
		"XDG_STATE_HOME=" + filepath.Join(g.home, ".local", "state"), "TZ=UTC", "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=You", "GIT_AUTHOR_EMAIL=you@example.com", "GIT_COMMITTER_NAME=You", "GIT_COMMITTER_EMAIL=you@example.com",
	}
	out, err := cmd.CombinedOutput()
	if _, exit := err.(*exec.ExitError); err != nil && !exit {
		g.t.Fatal(err)
	}
	if cwd, err := os.ReadFile(filepath.Join(g.home, "..", "cwd")); err == nil {
		g.cwd = strings.TrimSpace(string(cwd))
	}
	text := strings.ReplaceAll(string(out), g.home, "/home/you")
	for _, r := range [...]struct{ pattern, now string }{
		{`\(\d+ \w+ ago\)`, "(2 minutes ago)"},
		{`\(on \d{4}-\d\d-\d\d \d\d:\d\d\)`, "(on 2026-11-20 14:20)"},
		{`(?m)^  permgate: .*\n`, ""}, // the version
		{`/backup/greet-[0-9a-f]+/`, "/backup/greet-a9d96497/"},
		{`\.bak-[0-9]+(-[0-9]+)?`, ".bak-20261120142000"},
		{`, \d+ KiB`, ", 12 KiB"},
		{`(it answered .* in )[0-9.]+m?s`, "${1}12ms"},
	} {
		text = regexp.MustCompile(r.pattern).ReplaceAllString(text, r.now)
	}
	return text
}

// steady gives the log a clock that always shows the same.
func (g *tutorial) steady() {
	name := filepath.Join(g.home, ".local", "state", "permgate", "log.jsonl")
	log, err := os.ReadFile(name)
	if err != nil {
		g.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(steadyLog(string(log))), 0o600); err != nil {
		g.t.Fatal(err)
	}
}

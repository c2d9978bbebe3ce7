package e2e

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/test/golden"
)

// TestReadme checks that the sessions of the README, of docs/reference.md, of
// docs/log.md, of docs/replay.md and of docs/prove.md are those a user sees, and so is the picture of the README:
// permgate is installed for Claude Code, the settings of the page's json block, or of the page before, are the user's
// own, and every line of the console blocks is run. Before the log is shown an agent makes the calls of readmeCalls.
func TestReadme(t *testing.T) {
	showsLinux(t)
	r := newReadme(t, "{}")
	r.settings("README.md")
	r.picture()
	r.calls()
	r.page("README.md")
	r = newReadme(t, "{}")
	r.settings(filepath.Join("docs", "reference.md"))
	r.page(filepath.Join("docs", "reference.md"))
	r.calls()
	r.page(filepath.Join("docs", "log.md"))
	r.replayed("replay")
	r = newReadme(t, "{}")
	r.settings(filepath.Join("docs", "prove.md"))
	r.replayed("prove")
}

// replayed checks a page that compares the settings with those of its jsonc block.
func (r *readme) replayed(page string) {
	name := filepath.Join("docs", page+".md")
	data, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	settings, _, ok := fenced(string(data), "jsonc")
	if !ok {
		r.t.Fatalf("%s shows no settings", name)
	}
	if err := os.WriteFile(filepath.Join(r.app, "new.json"), []byte(settings), 0o600); err != nil {
		r.t.Fatal(err)
	}
	r.page(name)
}

// settings installs permgate under the settings that a page shows first.
func (r *readme) settings(page string) {
	data, err := os.ReadFile(page)
	if err != nil {
		r.t.Fatal(err)
	}
	settings, _, ok := fenced(string(data), "json")
	if !ok {
		r.t.Fatalf("%s shows no settings", page)
	}
	r.install(settings)
}

// page runs the console blocks of a page and compares, or writes, what they show.
func (r *readme) page(name string) {
	data, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	text := string(data)
	parts := strings.Split(text, "```console\n")
	if len(parts) == 1 {
		r.t.Fatalf("%s shows no session", name)
	}
	for i := 1; i < len(parts); i++ {
		block, rest, _ := strings.Cut(parts[i], "```\n")
		parts[i] = r.session(block) + "```\n" + rest
	}
	golden.File(r.t, name, strings.Join(parts, "```console\n"))
}

// showsLinux skips the test of a page with paths and files that are others on Windows.
func showsLinux(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the page shows what is printed on Linux")
	}
}

// A readme is the place the README's sessions are run in.
type readme struct {
	t                    *testing.T
	dir, home, app, path string
}

func newReadme(t *testing.T, settings string) *readme {
	dir := t.TempDir()
	r := &readme{t: t, dir: dir, home: filepath.Join(dir, "home"), app: filepath.Join(dir, "home", "app"), path: filepath.Join(dir, "bin")}
	for _, d := range []string{filepath.Join(r.app, ".git"), filepath.Join(r.app, ".gen"), filepath.Join(r.app, "src"), r.path} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.app, "src", "main.go"), []byte("package main\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(r.app, ".gen", "settings.json"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := linkProgram(filepath.Join(r.path, "permgate")); err != nil {
		t.Fatal(err)
	}
	return r
}

// install puts settings into the user's file of Claude Code and registers the hook there.
func (r *readme) install(settings string) {
	dir := filepath.Join(r.home, ".claude")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "settings.json"), []byte(settings), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.app, ".gen")); err != nil {
		r.t.Fatal(err)
	}
	if out := r.run("permgate install --host claude --yes", ""); !strings.Contains(out, "registered with Claude Code") {
		r.t.Fatal(out)
	}
}

// run runs one line and returns what it prints.
func (r *readme) run(line, stdin string, env ...string) string {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = r.app
	cmd.Env = append(r.env(), env...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if _, exit := err.(*exec.ExitError); err != nil && !exit {
		r.t.Fatal(err)
	}
	return string(out)
}

func (r *readme) env() []string {
	return []string{"HOME=" + r.home, "PATH=" + r.path, "XDG_STATE_HOME=" + filepath.Join(r.dir, "state"), "TZ=UTC"}
}

// session runs the commands of a block and returns it as it would be now, except
// what differs from one time and place to another.
func (r *readme) session(block string) string {
	var got strings.Builder
	for line := range strings.Lines(block) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(command, "permgate "), " ")
		if word = strings.TrimSpace(word); !slices.Contains([]string{"check", "explain", "log", "allow", "rules", "test", "lint", "trust", "auto", "replay", "prove", "policy"}, word) {
			r.t.Fatalf("not run: %s", command)
		}
		out := strings.ReplaceAll(r.run(command, ""), r.home, "/home/you")
		out = regexp.MustCompile(`\(\d+ \w+ ago\)`).ReplaceAllString(out, "(2 minutes ago)")
		got.WriteString(line + regexp.MustCompile(`(?m)^  permgate: .*\n`).ReplaceAllString(out, ""))
	}
	return got.String()
}

// readmeCalls are what an agent does before the second session: event, and the
// rest of the payload.
var readmeCalls = []struct{ event, payload string }{
	{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"git status"},"tool_use_id":"1"`},
	{"PostToolUse", `"tool_name":"Bash","tool_input":{"command":"git status"},"tool_use_id":"1"`},
	{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"npm run build 2>&1 | tail -20"},"tool_use_id":"2"`},
	{"PostToolUseFailure", `"tool_name":"Bash","tool_input":{"command":"npm run build 2>&1 | tail -20"},"tool_use_id":"2"`},
	{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"cat .env"},"tool_use_id":"3"`},
	{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"make test"},"tool_use_id":"4"`},
	{"PostToolUse", `"tool_name":"Bash","tool_input":{"command":"make test"},"tool_use_id":"4"`},
	{"PreToolUse", `"tool_name":"Bash","tool_input":{"command":"git push origin main"},"tool_use_id":"5"`},
	{"SessionEnd", `"reason":"other"`},
}

// calls has the hook decide the calls, and then gives the log a clock that
// always shows the same.
func (r *readme) calls() {
	for _, c := range readmeCalls {
		r.run("permgate hook --host claude", `{"session_id":"0c9e","transcript_path":"/home/you/.claude/projects/x/0c9e.jsonl","permission_mode":"default","hook_event_name":"`+c.event+`",`+c.payload+`}`)
	}
	name := filepath.Join(r.dir, "state", "permgate", "log.jsonl")
	log, err := os.ReadFile(name)
	if err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(steadyLog(string(log))), 0o600); err != nil {
		r.t.Fatal(err)
	}
}

// steadyLog gives the lines of a log the times of a clock that always shows the
// same.
func steadyLog(log string) string {
	n := 0
	log = regexp.MustCompile(`"Timestamp":"[^"]*"`).ReplaceAllStringFunc(log, func(string) string {
		n++
		return `"Timestamp":"` + time.Date(2026, 11, 20, 14, 3, 4*n, 0, time.UTC).Format(time.RFC3339) + `"`
	})
	return regexp.MustCompile(`"permgate\.duration_us":\d+`).ReplaceAllStringFunc(log, func(string) string {
		n += 7
		return fmt.Sprintf(`"permgate.duration_us":%d`, 800+n*10)
	})
}

// fenced returns the first code block of a language and where it starts.
func fenced(text, language string) (block string, at int, ok bool) {
	open := "```" + language + "\n"
	at = strings.Index(text, open) + len(open)
	if at < len(open) {
		return "", 0, false
	}
	block, _, ok = strings.Cut(text[at:], "```\n")
	return block, at, ok
}

package main

import (
	"bytes"
	"debug/elf"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"permgate/internal/gate"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata/script")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"permgate": func() {
		gate.TestOnlyWorld = sandbox
		main()
	}})
}

// sandbox keeps the settings of the machine out of the tests: the home
// directory is HOME, and the managed folders are beside it.
func sandbox(w *gate.World) {
	w.PasswdHome = os.Getenv("HOME")
	managed := filepath.Join(filepath.Dir(w.PasswdHome), "managed")
	for _, name := range [...]string{"gen", "san", "claude-code"} {
		w.ManagedDir = append(w.ManagedDir, filepath.Join(managed, name))
	}
}

// skipShort leaves out what starts hundreds of processes.
func skipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("starts hundreds of processes: skipped by -short")
	}
}

// TestScript runs testdata/script with this very program as permgate. Every
// script has a home directory and a git project of its own, and starts in the
// project.
func TestScript(t *testing.T) {
	skipShort(t)
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *update,
		Setup:               setup,
		Condition: func(cond string) (bool, error) {
			return cond == "pty" && (runtime.GOOS == "linux" || runtime.GOOS == "darwin"), nil
		},
	})
}

func setup(env *testscript.Env) error {
	home, app := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "app")
	for _, dir := range []string{home, filepath.Join(app, ".git"), filepath.Join(env.WorkDir, "tmp")} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	env.Setenv("ROOT", root) // the source, for committed copies of what is printed
	env.Setenv("HOME", home)
	env.Setenv("TMPDIR", filepath.Join(env.WorkDir, "tmp"))
	env.Setenv("XDG_STATE_HOME", filepath.Join(env.WorkDir, "state"))
	env.Cd = app
	return nil
}

// TestReadme checks that the sessions the README shows are those a user sees:
// permgate is installed for Claude Code, the settings of the first json block are
// the user's own, and every line of the console blocks is run. Between the first and the second an agent makes the
// calls of readmeCalls. -update rewrites the blocks.
func TestReadme(t *testing.T) {
	data, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	settings, _, ok := fenced(text, "json")
	if !ok {
		t.Fatal("README.md has no json block")
	}
	r := newReadme(t, "{}")
	r.install(settings)
	parts := strings.Split(text, "```console\n")
	if len(parts) != 4 {
		t.Fatalf("README.md has %d console blocks", len(parts)-1)
	}
	for i := 1; i < len(parts); i++ {
		if i == 2 {
			r.calls()
		}
		block, rest, _ := strings.Cut(parts[i], "```\n")
		got := r.session(block)
		if got != block && !*update {
			t.Errorf("the session is\n%s\nREADME.md shows\n%s", got, block)
		}
		parts[i] = got + "```\n" + rest
	}
	if now := strings.Join(parts, "```console\n"); *update && now != text {
		if err := os.WriteFile("README.md", []byte(now), 0o644); err != nil {
			t.Fatal(err)
		}
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
	for _, d := range []string{filepath.Join(r.app, ".git"), filepath.Join(r.app, ".gen"), r.path} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(r.app, ".gen", "settings.json"), []byte(settings), 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(self, filepath.Join(r.path, "permgate")); err != nil { // see TestMain
		t.Skip(err)
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
func (r *readme) run(line, stdin string) string {
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir = r.app
	cmd.Env = r.env()
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

// session runs the commands of a block and returns it as it would be now, but
// for what differs from one time and place to another.
func (r *readme) session(block string) string {
	var got strings.Builder
	for line := range strings.Lines(block) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		if !isCommand {
			continue
		}
		word, _, _ := strings.Cut(strings.TrimPrefix(command, "permgate "), " ")
		if word = strings.TrimSpace(word); !slices.Contains([]string{"check", "explain", "log", "allow", "rules", "test", "lint", "trust"}, word) {
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

// TestImports checks the arrows of docs/architecture.md.
func TestImports(t *testing.T) {
	for _, tt := range []struct {
		pkg     string
		without []string
	}{
		{"./hookio", []string{"permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./rules", []string{"permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./bashsafety", []string{"permgate/hookio", "permgate/rules", "permgate/decide", "permgate/internal/", "mvdan.cc/sh/v3/expand", "mvdan.cc/sh/v3/interp"}},
		{"./hookio/redact", []string{"permgate/hookio", "permgate/rules", "permgate/bashsafety", "permgate/decide", "permgate/internal/"}},
		{"./decide", []string{"permgate/internal/"}},
		{"./internal/scripts", []string{"permgate/hookio", "permgate/decide", "permgate/internal/gate", "permgate/internal/cli", "permgate/internal/disk"}},
		{"./internal/log", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/internal/disk"}},
		{"./internal/profile", []string{"permgate/internal/cli", "permgate/internal/gate", "permgate/internal/disk", "permgate/hookio", "permgate/decide", "permgate/bashsafety"}},
		{"./internal/schema", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/decide", "permgate/bashsafety", "github.com/santhosh-tekuri/"}},
		{"./internal/complete", []string{"permgate/internal/cli", "permgate/hookio", "permgate/rules"}},
		{"./internal/lint", []string{"permgate/internal/cli", "permgate/internal/agents", "permgate/internal/propose", "permgate/internal/term"}},
		{"./internal/policytest", []string{"permgate/internal/cli", "permgate/internal/edit", "permgate/internal/lint"}},
		{"./internal/trust", []string{"permgate/hookio", "permgate/bashsafety", "permgate/decide", "permgate/internal/gate", "permgate/internal/disk", "permgate/internal/edit"}},
		{"./internal/edit", []string{"permgate/hookio", "permgate/rules", "permgate/decide", "permgate/internal/gate", "permgate/internal/disk"}},
		{"./internal/propose", []string{"permgate/internal/gate", "permgate/internal/cli", "permgate/internal/disk", "permgate/internal/edit"}},
		{"./internal/gate", []string{"permgate/internal/cli", "permgate/internal/hook"}},
		{"./internal/hook", []string{"permgate/internal/cli", "permgate/internal/agents", "permgate/internal/edit"}},
		{".", []string{"html/template", "text/template", "encoding/xml", "net/http", "os/user", "os/exec"}},
	} {
		if _, err := exec.LookPath("go"); err != nil {
			t.Skip(err)
		}
		out, err := exec.Command("go", "list", "-deps", tt.pkg).Output()
		if err != nil {
			t.Fatalf("go list %s: %v", tt.pkg, err)
		}
		for _, dep := range strings.Fields(string(out)) {
			for _, bad := range tt.without {
				if bad == "os/user" && runtime.GOOS == "darwin" {
					continue // there it asks the directory service, without the C library
				}
				if dep == bad || strings.HasSuffix(bad, "/") && strings.HasPrefix(dep, bad) {
					t.Errorf("%s imports %s", tt.pkg, dep)
				}
			}
		}
	}
}

// TestStatic checks that a release build needs no dynamic loader, which would
// cost more than everything the hook does.
func TestStatic(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "permgate")
	build(t, bin)
	f, err := elf.Open(bin)
	if err != nil {
		t.Skipf("no ELF file here: %v", err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP {
			t.Error("the binary is dynamically linked")
		}
	}
}

// TestInit checks that no package of ours does anything before main: the hook
// would pay for it on every call.
func TestInit(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "permgate")
	build(t, bin)
	cmd := exec.Command(bin, "version")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Stdout = &stderr, io.Discard
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "init ") {
		t.Fatal("no trace")
	}
	for _, line := range strings.Split(stderr.String(), "\n") {
		if strings.HasPrefix(line, "init permgate") || strings.HasPrefix(line, "init main") {
			t.Error(line)
		}
	}
}

// build builds permgate the way install.sh does.
func build(t *testing.T, name string) {
	t.Helper()
	cmd := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", name, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
}

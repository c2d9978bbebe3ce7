package wine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// stateDir is where the log is, in the home folder.
const stateDir = ".local/state/permgate"

// TestCrowd starts hooks at once, of one session and with one log that is rotated meanwhile, and changes the settings that they
// read: each answers, no line of the log is lost or torn, and the session and the settings are whole.
func TestCrowd(t *testing.T) {
	form := os.Getenv(wineVar)
	if form == "" {
		t.Skip(wineVar + "=short or all runs the tests of Windows through wine")
	}
	n, changes := 20, 2
	if form == "all" {
		n, changes = 200, 6
	}
	w := newWine(t)
	c := w.crowd(t, n)
	began := time.Now()
	c.start()
	t.Logf("started after %v", time.Since(began))
	for i := range changes {
		if out, err := c.permgate("allow", "--host", "claude", "--scope", "user", "--yes", fmt.Sprintf("make rule%d", i)).CombinedOutput(); err != nil {
			t.Errorf("allow %d: %v: %s", i, err, out)
		}
		if out, err := c.permgate("session", "allow", "--yes", "--session", "s", fmt.Sprintf("Bash(make session%d)", i)).CombinedOutput(); err != nil {
			t.Errorf("session %d: %v: %s", i, err, out)
		}
	}
	t.Logf("changed after %v", time.Since(began))
	c.wait()
	t.Logf("answered after %v", time.Since(began))
	files := c.logged()
	if files < 2 {
		t.Error("the log was not rotated")
	}
	c.whole(changes)
	t.Logf("%d hooks at once, %d changes of settings and session meanwhile: all answered, %d lines in %d log files",
		n, 2*changes, n, files)
}

// A crowd are hooks in a home folder of their own.
type crowd struct {
	*wine
	t       *testing.T
	program string
	home    string
	hooks   []*exec.Cmd
	outs    []bytes.Buffer
}

func (w *wine) crowd(t *testing.T, n int) *crowd {
	c := &crowd{wine: w, t: t, program: filepath.Join(w.dir, "permgate.exe"), home: w.home(t),
		hooks: make([]*exec.Cmd, n), outs: make([]bytes.Buffer, n)}
	if out, err := w.goCommand("build", "-ldflags=-s -w", "-overlay", w.patient(t), "-o", c.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, dir := range [...]string{".claude", "project/.git"} {
		if err := os.MkdirAll(filepath.Join(c.home, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	c.write(".claude/settings.json", testenv.CrowdSettings)
	c.write(".claude/permgate.json", `{"audit": {"level": "full", "maxBytes": 65536, "keep": 100}}`)
	for i := range c.hooks {
		call := testenv.CrowdCalls[i%len(testenv.CrowdCalls)]
		cmd := c.permgate("hook", "--host", "claude", "--event", "PreToolUse")
		cwd, _ := json.Marshal(`C:\users\` + filepath.Base(c.home) + `\project`)
		cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","cwd":%s,"permission_mode":"default",`+
			`"hook_event_name":"PreToolUse","tool_name":%q,"tool_input":%s,"tool_use_id":"t%d"}`,
			cwd, call.Tool, strings.NewReplacer("#", fmt.Sprint(i), "}", `,"description":"`+strings.Repeat("x", 4000)+`"}`).Replace(call.Input), i))
		cmd.Stdout, cmd.Stderr = &c.outs[i], &c.outs[i]
		c.hooks[i] = cmd
	}
	return c
}

// patient is the overlay of the tests, and a hook that has more time: hundreds of processes of wine share the processors here.
func (w *wine) patient(t *testing.T) string {
	file, err := filepath.Abs(filepath.Join(root, "internal/gate/hook/hook.go"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	more := strings.NewReplacer("cpuLimit  = 2 * time.Second", "cpuLimit = time.Hour", "wallLimit = 4 * time.Second", "wallLimit = time.Hour").
		Replace(string(text))
	overlay, err2 := os.ReadFile(w.overlay(t))
	if err != nil || err2 != nil || strings.Count(more, "= time.Hour") != 2 {
		t.Fatalf("%s is another than expected: %v, %v", file, err, err2)
	}
	hook := fmt.Sprintf("{%q:%q,", file, w.write(t, "hook.go", more))
	return w.write(t, "patient.json", strings.Replace(string(overlay), ":{", ":"+hook, 1))
}

// home is the folder of the user in the prefix.
func (w *wine) home(t *testing.T) string {
	found, _ := filepath.Glob(filepath.Join(w.dir, "prefix/drive_c/users/*"))
	for _, name := range found {
		if filepath.Base(name) != "Public" {
			return name
		}
	}
	t.Fatal("no user in the prefix: ", found)
	return ""
}

func (c *crowd) write(name, text string) {
	if err := os.WriteFile(filepath.Join(c.home, name), []byte(text), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

func (c *crowd) permgate(args ...string) *exec.Cmd {
	cmd := c.command(c.wine.program, append([]string{c.program}, args...)...)
	cmd.Dir = filepath.Join(c.home, "project")
	return cmd
}

func (c *crowd) start() {
	for i, cmd := range c.hooks {
		if err := cmd.Start(); err != nil {
			c.t.Fatal(i, err)
		}
	}
}

// wait waits for every answer.
func (c *crowd) wait() {
	for i, cmd := range c.hooks {
		err := cmd.Wait()
		text, call := c.outs[i].String(), testenv.CrowdCalls[i%len(testenv.CrowdCalls)]
		if err != nil || !strings.Contains(text, `"permissionDecision":"`+call.Want+`"`) {
			c.t.Errorf("%d: %s %s: %v, %s instead of %s", i, call.Tool, call.Input, err, text, call.Want)
		}
	}
}

// logged checks that every call is in the log once, and returns how many files that has.
func (c *crowd) logged() int {
	dir := filepath.Join(c.home, stateDir)
	calls := map[string]int{}
	skipped, err := log.ReadDir(dir, func(r *log.Record) { calls[r.CallID]++ })
	if err != nil || skipped != 0 {
		c.t.Errorf("%q: %d lines skipped: %v", dir, skipped, err)
	}
	for i := range c.hooks {
		if name := fmt.Sprint("t", i); calls[name] != 1 {
			c.t.Errorf("call %s is there %d times", name, calls[name])
		}
	}
	files, _ := log.Files(dir)
	for _, name := range files {
		text, _ := os.ReadFile(name)
		for line := range bytes.Lines(text) {
			if line[len(line)-1] != '\n' || len(line) > 1 && !json.Valid(line) {
				c.t.Errorf("%s: %q", name, line)
			}
		}
	}
	when, what := log.LastError(dir)
	if what != "" {
		c.t.Errorf("%v: %s", when, what)
	}
	return len(files)
}

// whole checks the settings and the session, which have every change, and that nothing else was left.
func (c *crowd) whole(changes int) {
	var rules, grants []string
	for i := range changes {
		rules, grants = append(rules, fmt.Sprintf("Bash(make rule%d)", i)), append(grants, fmt.Sprintf("Bash(make session%d)", i))
	}
	var settings struct{ Permissions struct{ Allow []string } }
	c.read(".claude/settings.json", &settings)
	if want := append([]string{"Bash(git:*)", "Read(./src/**)"}, rules...); !slices.Equal(settings.Permissions.Allow, want) {
		c.t.Errorf("the settings allow %q instead of %q", settings.Permissions.Allow, want)
	}
	var session struct{ Allow []string }
	c.read(filepath.Join(stateDir, "session-s.json"), &session)
	if !slices.Equal(session.Allow, grants) {
		c.t.Errorf("the session allows %q instead of %q", session.Allow, grants)
	}
	for _, dir := range [...]string{".claude", stateDir} {
		entries, _ := os.ReadDir(filepath.Join(c.home, dir))
		for _, e := range entries {
			if strings.HasPrefix(e.Name(), ".") {
				c.t.Errorf("%s was left in %s", e.Name(), dir)
			}
		}
	}
}

func (c *crowd) read(name string, into any) {
	text, err := os.ReadFile(filepath.Join(c.home, name))
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		c.t.Errorf("%s: %v: %s", name, err, text)
	}
}

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/test/executable"
	"github.com/permgate--owner/permgate/internal/test/testenv"
)

// A sandboxed is one project with a settings file, and the program to ask.
type sandboxed struct {
	t                   *testing.T
	bin, home, app, log string
}

func newSandboxed(t *testing.T) *sandboxed {
	t.Helper()
	dir := t.TempDir()
	s := &sandboxed{t, filepath.Join(dir, "permgate"), filepath.Join(dir, "home"), filepath.Join(dir, "home", "app"), filepath.Join(dir, "state")}
	if err := os.Symlink(program, s.bin); err != nil { // see TestMain
		t.Skip(err)
	}
	for _, d := range []string{filepath.Join(s.app, ".git"), filepath.Join(s.home, ".claude")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s.write(filepath.Join(s.home, ".claude", "settings.json"), `{"permissions": {"allow": ["Bash(git:*)"], "ask": ["Bash(git push:*)"], "deny": ["Bash(git reset:*)"]}}`)
	return s
}

func (s *sandboxed) write(name, text string) {
	s.t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
}

// hook is a start of the hook about a shell command.
func (s *sandboxed) hook(command, id string) *exec.Cmd {
	cmd := exec.Command(s.bin, "hook", "--host", "claude", "--event", "PreToolUse", "--state", s.log)
	cmd.Dir = s.app
	cmd.Env = []string{"HOME=" + s.home}
	cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"session_id":"s","transcript_path":"/x/.claude/s.jsonl","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":%q},"tool_use_id":%q}`, command, id))
	return cmd
}

// answers are what the hook says to three commands.
func (s *sandboxed) answers() string {
	s.t.Helper()
	var out bytes.Buffer
	for i, command := range []string{"git status", "git push", "git reset --hard"} {
		cmd := s.hook(command, fmt.Sprint(i))
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &stderr
		err := cmd.Run()
		fmt.Fprintln(&out, err, stderr.String())
	}
	return out.String()
}

// records reads the log: how often each call is in it, and the lines skipped.
func (s *sandboxed) records() (calls map[string]int, skipped int) {
	s.t.Helper()
	calls = map[string]int{}
	skipped, err := log.ReadDir(s.log, func(r *log.Record) { calls[r.CallID]++ })
	if err != nil {
		s.t.Fatal(err)
	}
	return calls, skipped
}

// TestLogNeverDecides: whatever is in the way of the log, answers, exit codes
// and stderr are those of a hook that can write it.
func TestLogNeverDecides(t *testing.T) {
	skipShort(t)
	s := newSandboxed(t)
	want := s.answers()
	if strings.Count(want, `"permissionDecision":"`) != 3 || strings.Count(want, "<nil>") != 3 {
		t.Fatal(want)
	}
	if calls, _ := s.records(); len(calls) != 3 {
		t.Fatalf("%v", calls)
	}
	dir := filepath.Dir(s.log)
	for _, c := range []struct {
		name string
		make func(log string) error
	}{
		{"the folder is a file", func(log string) error { return os.WriteFile(log, nil, 0o600) }},
		{"the folder is below a file", func(log string) error { return os.WriteFile(filepath.Dir(log), nil, 0o600) }},
		{"the log is a folder", func(l string) error { return os.MkdirAll(filepath.Join(l, log.Name), 0o700) }},
		{"the log is a symlink to a device", func(l string) error {
			os.MkdirAll(l, 0o700)
			return os.Symlink("/dev/full", filepath.Join(l, log.Name))
		}},
		{"the log is a pipe", func(l string) error {
			os.MkdirAll(l, 0o700)
			return mkfifo(filepath.Join(l, log.Name))
		}},
		{"the disk is full", func(l string) error { os.MkdirAll(l, 0o700); return fill(t, l) }},
		{"the disk is read-only", func(l string) error { os.MkdirAll(l, 0o700); return readOnly(t, l) }},
		{"the log is huge and cannot be rotated", func(l string) error {
			os.MkdirAll(filepath.Join(l, "log.1.jsonl", "x"), 0o700)
			os.MkdirAll(filepath.Join(l, "log.5.jsonl", "x"), 0o700)
			os.WriteFile(filepath.Join(l, log.Name), []byte("x"), 0o600)
			return os.Truncate(filepath.Join(l, log.Name), log.DefaultMaxBytes)
		}},
	} {
		s.log = filepath.Join(dir, strings.ReplaceAll(c.name, " ", "-"), "state")
		if c.name != "the folder is below a file" {
			os.MkdirAll(filepath.Dir(s.log), 0o755)
		}
		if err := c.make(s.log); err != nil {
			t.Logf("not tried: %s: %v", c.name, err)
			continue
		}
		if got := s.answers(); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, want)
		}
	}
}

// TestFileSizeLimit: a quota that ends in a signal is an error of the log only.
func TestFileSizeLimit(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no ulimit")
	}
	s := newSandboxed(t)
	os.MkdirAll(s.log, 0o700)
	s.write(filepath.Join(s.log, log.Name), strings.Repeat("\n", 4096))
	plain := s.hook("git status", "1")
	want, err := plain.Output()
	if err != nil {
		t.Fatal(err)
	}
	limited := s.hook("git status", "2")
	limited.Args = append([]string{"sh", "-c", `ulimit -f 1; exec "$0" "$@"`}, limited.Args...)
	limited.Path = "/bin/sh"
	got, err := limited.Output()
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
}

// TestManyHooks runs hooks while others do, over a log that is rotated meanwhile:
// every answer is given, every line is whole, none is lost.
func TestManyHooks(t *testing.T) {
	skipShort(t)
	s := newSandboxed(t)
	s.write(filepath.Join(s.home, ".claude", "permgate.json"), `{"audit": {"level": "full", "maxBytes": 65536, "keep": 100}}`)
	n := testenv.Count(t, 40, 200, 200)
	cmds := make([]*exec.Cmd, n)
	outs := make([]bytes.Buffer, n)
	for i := range cmds {
		cmds[i] = s.hook("git status "+strings.Repeat("x", 40*i), fmt.Sprint("t-", i))
		cmds[i].Stdout = &outs[i]
	}
	executable.Turns(cmds, func(i int, err error) {
		if err != nil || !strings.Contains(outs[i].String(), `"permissionDecision":"allow"`) {
			t.Errorf("%d: %v, %s", i, err, outs[i].String())
		}
	})
	calls, skipped := s.records()
	for i := range n {
		if calls[fmt.Sprint("t-", i)] != 1 {
			t.Errorf("call %d is there %d times", i, calls[fmt.Sprint("t-", i)])
		}
	}
	files, _ := log.Files(s.log)
	if skipped != 0 || len(calls) != n || len(files) < 2 {
		t.Errorf("%d calls, %d lines skipped, %d files", len(calls), skipped, len(files))
	}
}

// TestKilledHooks kills hooks at random moments: an answer is whole or not
// there, what the next hook writes is read, and every line but torn ones is JSON.
func TestKilledHooks(t *testing.T) {
	skipShort(t)
	s := newSandboxed(t)
	for i := range testenv.Count(t, 15, 40, 40) {
		cmd := s.hook("git status", fmt.Sprint("k-", i))
		var out bytes.Buffer
		cmd.Stdout = &out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(i*13%29) * time.Millisecond)
		cmd.Process.Kill()
		cmd.Wait()
		if out.Len() > 0 && !json.Valid(out.Bytes()) {
			t.Errorf("half an answer: %s", out.String())
		}
	}
	if out, err := s.hook("git push", "after").Output(); err != nil || !strings.Contains(string(out), `"ask"`) {
		t.Errorf("%s, %v", out, err)
	}
	calls, _ := s.records()
	if calls["after"] != 1 {
		t.Errorf("%v", calls)
	}
	t.Logf("%d killed hooks had written their line", len(calls)-1)
}

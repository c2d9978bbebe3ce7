package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/internal/gate"
)

// endless is the variable that makes the program of the tests work for ever in the
// middle of a decision.
const endless = "TEST_ENDLESS"

func workForEver(w *gate.World) {
	w.Getenv = func(string) string {
		//lint:ignore SA5002 it is meant to spin
		for {
		}
	}
}

// asProgram is the binary of the tests by the name of the program, and so behaves like that (TestMain).
func asProgram(t *testing.T) string {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(t.TempDir(), "permgate")
	if err := os.Symlink(exe, program); err != nil {
		t.Fatal(err)
	}
	return program
}

// TestLatePayload: a host that is slow to send its call gets it decided, though the time for a decision has passed.
func TestLatePayload(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("takes seconds: skipped by -short; and needs a symbolic link")
	}
	t.Parallel()
	program := asProgram(t)
	late, send := io.Pipe()
	time.AfterFunc(3*time.Second, func() {
		_, _ = io.WriteString(send, `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"rm -rf /"}}`)
		_ = send.Close()
	})
	cmd := exec.Command(program, "hook", "--host", "claude", "--event", "PreToolUse")
	cmd.Env, cmd.Stdin = []string{"HOME=" + t.TempDir()}, late
	out, err := cmd.Output()
	if err != nil || !strings.Contains(string(out), "rm -rf /") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestDeadline starts the program as its hosts do, with one thread and as many as
// there are: whatever it is busy with, or waits for, its answer comes.
func TestDeadline(t *testing.T) {
	if testing.Short() || runtime.GOOS == "windows" {
		t.Skip("takes seconds of work: skipped by -short; and needs a symbolic link")
	}
	program := asProgram(t)
	const payload = `{"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"}}`
	for name, set := range map[string][]string{
		"works, one thread":  {endless + "=1", "GOMAXPROCS=1"},
		"works":              {endless + "=1"},
		"waits, one thread":  {"GOMAXPROCS=1"},
		"waits for its call": nil,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(program, "hook", "--host", "claude", "--event", "PreToolUse")
			cmd.Env = append([]string{"HOME=" + t.TempDir()}, set...)
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			stdin, err := cmd.StdinPipe() // it stays open
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			if len(set) > 0 && set[0] == endless+"=1" {
				if _, err := stdin.Write([]byte(payload)); err != nil {
					t.Error(err)
				}
			}
			err = cmd.Wait()
			why := "no payload came within 4 s"
			if len(set) > 0 && set[0] == endless+"=1" {
				why = "the deadline passed"
			}
			if err != nil || !strings.Contains(stdout.String(), `"permissionDecision":"ask"`) ||
				!strings.Contains(stderr.String(), why) {
				t.Errorf("%v: %q, %q", err, &stdout, &stderr)
			}
		})
	}
}

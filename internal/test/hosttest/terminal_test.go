package hosttest

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A Terminal is one run of a host as a person sees it, in a terminal of tmux.
type Terminal struct{ tmux, socket string }

// Open starts the host with the arguments and environment of a person's session; the test is skipped
// where tmux is missing. The run ends with the test.
func (s *Session) Open(t testing.TB, program, args, env []string) *Terminal {
	t.Helper()
	tmux, err := exec.LookPath("tmux")
	if err != nil {
		t.Skipf("real host in a terminal: %v", err)
	}
	term := &Terminal{tmux, filepath.Join(s.Home, "tmux")}
	run := []string{tmux, "-S", term.socket, "-f", os.DevNull, "new-session", "-d", "-x", "140", "-y", "50", "env", "-i"}
	run = append(run, s.environment(program, env)...)
	run = append(run, "TERM=xterm-256color")
	run = append(append(run, program...), args...)
	cmd := exec.Command(run[0], run[1:]...)
	cmd.Dir = s.Project
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("tmux: %v\n%s", err, out)
	}
	pid, _ := exec.Command(tmux, "-S", term.socket, "display-message", "-p", "#{pane_pid}").Output()
	t.Cleanup(func() {
		exec.Command(tmux, "-S", term.socket, "kill-server").Run()
		await(strings.TrimSpace(string(pid)))
	})
	return term
}

// await waits for the end of a process, which writes to its home until then.
func await(pid string) {
	n, err := strconv.Atoi(pid)
	if err != nil {
		return
	}
	for end := time.Now().Add(idleLimit); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		p, err := os.FindProcess(n)
		if err != nil || p.Signal(syscall.Signal(0)) != nil {
			return
		}
	}
}

// Screen returns what the terminal shows.
func (term *Terminal) Screen() string {
	out, _ := exec.Command(term.tmux, "-S", term.socket, "capture-pane", "-p").CombinedOutput()
	return string(out)
}

// Wait waits until the screen shows the text.
func (term *Terminal) Wait(t testing.TB, text string) {
	t.Helper()
	for end := time.Now().Add(idleLimit); time.Now().Before(end); time.Sleep(200 * time.Millisecond) {
		if strings.Contains(term.Screen(), text) {
			return
		}
	}
	t.Fatalf("the screen never showed %q:\n%s", text, term.Screen())
}

// Type sends keys by their tmux names: "Enter", or text as it is.
func (term *Terminal) Type(keys ...string) {
	for _, k := range keys {
		exec.Command(term.tmux, "-S", term.socket, "send-keys", k).Run()
		time.Sleep(300 * time.Millisecond) // a paste is not taken for typing
	}
}

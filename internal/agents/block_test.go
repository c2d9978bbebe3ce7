package agents

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/permgate--owner/permgate/internal/test/executable"
)

// TestBlocks runs the command that install writes with hooks that end in every
// way, in every shell there is: whatever is no answer ends with exit code 2 and
// a word on standard error, and an answer stays as it is. The form for Windows
// is one for sh, too.
func TestBlocks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs programs that are shell scripts")
	}
	dir := t.TempDir()
	program := func(name, script string) string {
		path := filepath.Join(dir, name)
		executable.Write(t, path, "#!/bin/sh\n"+script+"\n")
		return path
	}
	h := Lookup("droid") // on Windows not known: what cmd and sh read alike
	for _, tt := range []struct {
		name, program   string
		code            int
		stdout, contain string
	}{
		{"answer", program("answer", "echo '{}'"), 0, "{}\n", ""},
		{"silence", program("silence", ":"), 0, "", ""},
		{"refusal", program("refusal", "echo why >&2; exit 2"), 2, "", "why\n"},
		{"mute", program("mute", "exit 2"), 2, "", noAnswer},
		{"failed", program("failed", "exit 1"), 2, "", noAnswer},
		{"killed", program("killed", "kill -9 $$"), 2, "", noAnswer},
		{"missing", filepath.Join(dir, "it's gone", "permgate"), 2, "", noAnswer},
	} {
		for _, shell := range [...]string{"sh", "bash", "dash", "zsh", "fish", "ksh", "busybox"} {
			if _, err := exec.LookPath(shell); err != nil {
				continue
			}
			for _, goos := range [...]string{"linux", "windows"} {
				if goos == "windows" && shell != "sh" && shell != "bash" {
					continue
				}
				words := []string{"-c", command(goos, h, tt.program, Event(h, "PreToolUse"))}
				if shell == "busybox" {
					words = append([]string{"sh"}, words...)
				}
				cmd := exec.Command(shell, words...)
				var stdout, stderr bytes.Buffer
				cmd.Stdout, cmd.Stderr = &stdout, &stderr
				if err := cmd.Run(); cmd.ProcessState == nil {
					t.Fatal(err)
				}
				if code := cmd.ProcessState.ExitCode(); code != tt.code || stdout.String() != tt.stdout || !bytes.Contains(stderr.Bytes(), []byte(tt.contain)) ||
					(tt.code == 0) != (stderr.Len() == 0) {
					t.Errorf("%s in %s, form of %s: exit code %d, %q, %q", tt.name, shell, goos, code, &stdout, &stderr)
				}
			}
		}
	}
}

// TestDenies is TestBlocks for a host that no exit code stops: what is no answer ends in one that denies.
func TestDenies(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs programs that are shell scripts")
	}
	dir, h := t.TempDir(), Lookup("antigravity")
	denied := `{"decision":"deny","reason":"` + noAnswer + `"}` + "\n"
	for _, tt := range []struct{ name, script, want string }{
		{"answer", "echo '{\"decision\":\"ask\"}'", `{"decision":"ask"}` + "\n"},
		{"refusal", "echo why >&2; exit 2", denied},
		{"failed", "exit 1", denied},
		{"killed", "kill -9 $$", denied},
		{"it's gone", "", denied},
	} {
		program := filepath.Join(dir, tt.name)
		if tt.script != "" {
			executable.Write(t, program, "#!/bin/sh\n"+tt.script+"\n")
		}
		for _, shell := range [...]string{"sh", "bash", "dash", "zsh", "fish", "ksh"} {
			if _, err := exec.LookPath(shell); err != nil {
				continue
			}
			out, err := exec.Command(shell, "-c", command("linux", h, program, Event(h, "PreToolUse"))).Output()
			if err != nil || string(out) != tt.want {
				t.Errorf("%s in %s: %v, %q instead of %q", tt.name, shell, err, out, tt.want)
			}
		}
	}
}

// TestOneThread runs what install writes for every event of every host, in the
// shells that may run it, with a program that tells what it finds in its
// environment and among its arguments.
func TestOneThread(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a program that is a shell script")
	}
	program := filepath.Join(t.TempDir(), "permgate")
	executable.Write(t, program, "#!/bin/sh\necho \"$GOMAXPROCS $*\"\n")
	t.Setenv("GOMAXPROCS", "")
	var in, want strings.Builder // one text for each shell, with a subshell for each command
	for _, h := range Hosts() {
		for i := range h.Register.Events {
			ev := &h.Register.Events[i]
			threads := ""
			if h.Register.Sh || ev.Gates && (h.Register.OrExit2 || h.Register.OrDeny) {
				threads = "1"
			}
			if !h.Register.Exec {
				in.WriteString("(\n" + command("linux", h, program, ev) + "\n); echo $?\n")
				want.WriteString(threads + " hook --host " + h.Name + " --event " + ev.Name + "\n0\n")
			}
		}
	}
	for _, shell := range [...]string{"sh", "bash", "dash", "zsh", "ksh"} {
		if _, err := exec.LookPath(shell); err != nil {
			continue
		}
		if out, err := exec.Command(shell, "-c", in.String()).Output(); err != nil || string(out) != want.String() {
			t.Errorf("in %s: %v\n%s\ninstead of\n%s", shell, err, out, want.String())
		}
	}
}

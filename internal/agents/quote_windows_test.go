package agents

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/permgate--owner/permgate/hookio"
)

// echoVar makes this test program one that shows what it was given, and ends with a code.
const echoVar = "PERMGATE_TEST_ECHO"

func TestMain(m *testing.M) {
	code, err := strconv.Atoi(os.Getenv(echoVar))
	if err != nil {
		os.Exit(m.Run())
	}
	in, _ := io.ReadAll(os.Stdin)
	fmt.Printf("%q %s\n", os.Args, in)
	os.Exit(code)
}

// ways are how agent programs start a shell: its whole command line.
var ways = []struct {
	name  string
	shell hookio.Shell
	line  func(text string) string
}{
	{"node's spawn with shell", 0, func(text string) string { return `cmd.exe /d /s /c "` + text + `"` }},
	{"Python's and C's", 0, func(text string) string { return `cmd.exe /c "` + text + `"` }},
	{"arguments that are escaped", hookio.NoQuotes, func(text string) string { return "cmd.exe /c " + syscall.EscapeArg(text) }},
	{"words", hookio.NoQuotes, func(text string) string { return text }},
	{"PowerShell", hookio.PowerShell, func(text string) string {
		return "powershell.exe -NoProfile -NonInteractive -Command " + syscall.EscapeArg(text)
	}},
}

// TestQuotedOnWindows starts what install writes as agent programs do, with a permgate.exe in every folder that is not refused:
// it gets its arguments and what it reads, and a program that fails, or is gone, ends with 2 and a reason. PowerShell is started
// where there is one: that of wine does nothing.
func TestQuotedOnWindows(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a hundred shells")
	}
	ended := exec.Command("powershell.exe", "-NoProfile", "-Command", "exit 7").Run()
	for _, h := range [...]*hookio.Host{Lookup("droid"), Lookup("codex"), Lookup("antigravity")} {
		shell := h.Register.OnWindows.Shell
		if shell == hookio.PowerShell && fmt.Sprint(ended) != "exit status 7" {
			t.Logf("%s is not started: there is no PowerShell", h.Title)
			continue
		}
		for _, path := range windowsPaths {
			t.Run(h.Name+" "+path, func(t *testing.T) {
				drive, folder, _ := strings.Cut(path, `:\`)
				exe := filepath.Join(t.TempDir(), folder)
				if err := quotable("windows", h, exe); drive != "C" || err != nil {
					t.Skip("refused")
				}
				copyTo(t, exe)
				for _, way := range ways {
					if way.shell == shell {
						started(t, h, exe, way.line)
					}
				}
			})
		}
	}
}

func copyTo(t *testing.T, exe string) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(self)
	if err == nil {
		err = os.MkdirAll(filepath.Dir(exe), 0o755)
	}
	if err == nil {
		err = os.WriteFile(exe, text, 0o755)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func started(t *testing.T, h *hookio.Host, exe string, line func(string) string) {
	for _, event := range [...]string{"PreToolUse", "PostToolUse"} {
		ev := Event(h, event)
		if ev == nil || ev.Gates && h.Register.OnWindows.Shell == 0 && !knowsOr(t) {
			continue
		}
		text := line(command(runtime.GOOS, h, exe, ev))
		want := fmt.Sprintf("%q in\n", []string{exe, "hook", "--host", h.Name, "--event", event})
		code, out, _ := startLine(t, text, 0)
		if code != 0 || strings.ReplaceAll(out, "\r\n", "\n") != want {
			t.Errorf("%s: %d, %s instead of %s", text, code, out, want)
		}
		if !ev.Gates || !h.Register.OrExit2 {
			continue
		}
		if code, _, said := startLine(t, text, 1); code != 2 || !strings.Contains(said, noAnswer) {
			t.Errorf("%s: a program that fails: %d, %s", text, code, said)
		}
		gone := line(command(runtime.GOOS, h, exe+".gone.exe", ev))
		if code, _, said := startLine(t, gone, 0); code != 2 || !strings.Contains(said, noAnswer) {
			t.Errorf("%s: a program that is gone: %d, %s", gone, code, said)
		}
	}
}

// knowsOr reports whether cmd runs what follows || only where the program failed: that of wine 8 always does.
func knowsOr(t *testing.T) bool {
	code, _, _ := startLine(t, `cmd.exe /d /s /c "ver || exit 3"`, 0)
	return code == 0
}

// startLine runs a command line as it is.
func startLine(t *testing.T, line string, ends int) (code int, out, said string) {
	program, _, _ := strings.Cut(line, " ")
	cmd := exec.Command(program)
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: line}
	cmd.Env = append(os.Environ(), echoVar+"="+strconv.Itoa(ends))
	cmd.Stdin = strings.NewReader("in")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); cmd.ProcessState == nil {
		t.Errorf("%s: %v", line, err)
		return -1, "", ""
	}
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

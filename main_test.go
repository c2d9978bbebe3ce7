package main

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/hook"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
	"github.com/permgate--owner/permgate/internal/test/sandbox"
)

// TestMain makes the test binary the program itself where it is started under
// its name, kept out of the settings of the machine. internal/test/e2e builds and
// starts it that way.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == "permgate" {
		gate.TestOnlyWorld = sandboxed
		operator.TestOnlyTemp = []string{}
		if os.Getenv("TEST_SLASHES") != "" {
			os.Exit(run(time.Now(), os.Args[1:], os.Stdin, slashed{os.Stdout}, slashed{os.Stderr}))
		}
		main()
		return
	}
	os.Exit(m.Run())
}

// slashed writes paths of Windows in the folder of a test with slashes, as the scripts of internal/test/e2e state them.
type slashed struct{ to io.Writer }

var onDrive = regexp.MustCompile(`[A-Za-z]:(\\{1,2}[^\\/:*?"<>|\s]+)+`)

func (s slashed) Write(text []byte) (int, error) {
	slashes := strings.NewReplacer(`\\`, "/", `\`, "/")
	work := filepath.ToSlash(filepath.Dir(os.Getenv("HOME")))
	_, err := s.to.Write(onDrive.ReplaceAllFunc(text, func(name []byte) []byte {
		if with := slashes.Replace(string(name)); len(with) >= len(work) && strings.EqualFold(with[:len(work)], work) {
			return []byte(with)
		}
		return name
	}))
	return len(text), err
}

// sandboxed is sandbox.World, and a decision without an end where one is asked for.
func sandboxed(w *gate.World) {
	sandbox.World(w)
	if w.Getenv(endless) != "" {
		workForEver(w)
	}
}

// TestInit checks that no package of ours does anything before main: the hook
// would pay for it on every call. That the stack is asked for first is a gain.
func TestInit(t *testing.T) {
	cmd := exec.Command(release(t), "version")
	cmd.Env = []string{"GODEBUG=inittrace=1"}
	var stderr bytes.Buffer
	cmd.Stderr, cmd.Stdout = &stderr, io.Discard
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(stderr.String(), "init ") {
		t.Fatal("no trace")
	}
	first := ""
	for _, line := range strings.Split(stderr.String(), "\n") {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "init "), " @")
		if strings.HasPrefix(name, module) && name != stackPackage || name == "main" {
			t.Error(line)
		}
		if name == stackPackage || name == "internal/godebug" {
			first = cmp.Or(first, name) // godebug is the first that needs more of the stack
		}
	}
	if first != stackPackage {
		t.Error("the stack grows before it is asked for")
	}
}

// module is what go.mod calls this program.
const (
	module       = "github.com/permgate--owner/permgate"
	stackPackage = module + "/internal/stack"
)

// TestOwner checks that the whole repository names one owner, that of go.mod.
func TestOwner(t *testing.T) {
	out, err := exec.Command("git", "grep", "-Ihoiw", "-E", `github\.com/[a-z0-9-]+/permgate`).Output()
	if err != nil {
		t.Skipf("no git repository here: %v", err)
	}
	for _, named := range slices.Compact(strings.Fields(string(out))) {
		if named != module {
			t.Errorf("%s is named, go.mod says %s", named, module)
		}
	}
	mod, err := os.ReadFile("go.mod")
	if line, _, _ := strings.Cut(string(mod), "\n"); err != nil || line != "module "+module {
		t.Errorf("go.mod begins with %q: %v", line, err)
	}
}

// TestLateLog: when the deadline comes while the log is written, the process
// ends with the exit code of the answer, and says nothing more.
func TestLateLog(t *testing.T) {
	var out, err bytes.Buffer
	a := &hook.Answerer{Start: time.Now(), Out: &out, Err: &err}
	a.Write([]byte("the answer\n"))
	if code := a.OnDeadline(); code != 0 || out.String() != "the answer\n" || err.Len() != 0 {
		t.Errorf("%d, %q, %q", code, out.String(), err.String())
	}
	a = &hook.Answerer{Start: time.Now(), Out: brokenPipe{}, Err: &err}
	a.Write([]byte("the answer\n"))
	err.Reset()
	if code := a.OnDeadline(); code != 2 || err.Len() != 0 {
		t.Errorf("%d, %q", code, err.String())
	}
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("oh no: TOKEN=hunter2") }

// TestFaultsAreLogged: what could not be decided is answered, and in the log.
func TestFaultsAreLogged(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		event, want, fault string
		run                func(*hook.Answerer) int
	}{
		{"PreToolUse", `"permissionDecision":"ask"`, log.FaultPanic, func(a *hook.Answerer) int { return decision(a, panics{}) }},
		{"PreToolUse", `"permissionDecision":"ask"`, log.FaultDeadline, func(a *hook.Answerer) int { return a.OnDeadline() }},
		{"PostToolUse", "", log.FaultPanic, func(a *hook.Answerer) int { return decision(a, panics{}) }},
		{"PostToolUse", "", log.FaultDeadline, func(a *hook.Answerer) int { return a.OnDeadline() }},
		{"SessionEnd", "", log.FaultUnreadable, func(a *hook.Answerer) int { return decision(a, strings.NewReader("{")) }},
	} {
		var out, stderr bytes.Buffer
		state := filepath.Join(dir, c.event+c.fault)
		f := &gate.Flags{Host: "claude", Event: c.event, Home: dir, Cwd: dir, State: state}
		a := &hook.Answerer{Start: time.Now(), Out: &out, Err: &stderr, Flags: f}
		a.SetCall(hookio.Unread(hookio.Options{Host: f.Host, Event: f.Event}))
		if code := c.run(a); code != 0 || !strings.Contains(out.String(), c.want) || c.want == "" && out.Len()+stderr.Len() > 0 {
			t.Errorf("%s, %s: exit %d, %q, %q", c.event, c.fault, code, out.String(), stderr.String())
		}
		var got []*log.Record
		log.ReadDir(state, func(r *log.Record) { got = append(got, r) })
		if len(got) != 1 || got[0].Fault != c.fault || got[0].HostEvent != c.event || strings.Contains(got[0].Reason, "hunter2") {
			t.Errorf("%s, %s: %+v", c.event, c.fault, got)
		}
	}
}

// TestOneAnswer: a deadline that comes while the answer leaves adds nothing to it.
func TestOneAnswer(t *testing.T) {
	var out, stderr bytes.Buffer
	a := &hook.Answerer{Start: time.Now(), Out: &out, Err: &stderr, Flags: &gate.Flags{State: t.TempDir()}}
	a.SetCall(hookio.Unread(hookio.Options{Host: "claude"}))
	a.Write([]byte("the answer\n"))
	if code := a.Fault(log.FaultDeadline, "late"); code != 0 || out.String() != "the answer\n" || stderr.Len() != 0 {
		t.Errorf("%d, %q, %q", code, out.String(), stderr.String())
	}
	if files, _ := log.Files(a.Flags.State); len(files) != 0 {
		t.Error("a fault that was none is logged")
	}
}

package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
)

// patience is how long doctor waits for a hook: longer than its own deadline,
// shorter than the time-out that install writes.
const patience = 6 * time.Second

// run starts a registered hook as its host would, with the sample call of the
// host's literal, and compares the answer with the one this process gives.
// Nothing is started but this very binary, by a command install would write;
// grants and log of the run go to a folder of its own.
func (c *checkup) run(h *hookio.Host, r *registered, f *agents.Found, what string) {
	x := sample(h, f.Known)
	if x == nil {
		return // an event no sample is known of only tells the log
	}
	dir, err := os.MkdirTemp("", "permgate-doctor-")
	if err != nil {
		c.add(warn, h.Name, "", "%s: not run: %v", what, err)
		return
	}
	defer os.RemoveAll(dir)
	project, err := c.sampleProject(dir)
	if err != nil {
		c.add(warn, h.Name, "", "%s: not run: %v", what, err)
		return
	}
	if project != c.dirs.Project {
		defer os.RemoveAll(project)
	}
	set := []hookio.Pair{{From: "XDG_STATE_HOME", To: dir}, {From: gate.AskNobody, To: "1"}}
	if h.ProjectVar != "" {
		set = append(set, hookio.Pair{From: h.ProjectVar, To: project})
	}
	want, decision, err := c.expected(h, f, x, project, set)
	if err != nil {
		c.add(fail, h.Name, "", "%s: the sample call cannot be read: %v", what, err)
		return
	}
	began := time.Now()
	got, code, err := start(argv(h, f), project, dir, x.In, set)
	took := time.Since(began).Round(time.Millisecond)
	const report = "permgate explain shows how calls are decided; please report this"
	switch {
	case err != nil:
		c.add(fail, h.Name, report, "%s: run as %s would: %v", what, h.Title, err)
	case killed(code):
		c.add(fail, h.Name, whyKilled(f.Program), "%s: run as %s would, it was killed", what, h.Title)
	case code != 0:
		c.add(fail, h.Name, report, "%s: run as %s would, it ended with exit code %d", what, h.Title, code)
	case !bytes.Equal(got, want):
		c.add(fail, h.Name, report, "%s: run as %s would, it answered %q instead of %q", what, h.Title,
			brief(got), brief(want))
	case c.policy(h).Posture.AuditLevel().Level != "off" && !exists(filepath.Join(dir, "permgate", log.Name)):
		c.add(fail, h.Name, report, "%s: run as %s would, it answered %s and logged nothing", what, h.Title, decision)
	default:
		c.add(fine, h.Name, "", "%s: run as %s would, it answered %s in %v", what, h.Title, decision, took)
	}
}

// killed reports whether an exit code is that of a process the system killed, or of the shell that ran it.
func killed(code int) bool { return code == -1 || code == 128+int(syscall.SIGKILL) }

// whyKilled is where to look when the system ends the binary at its start.
func whyKilled(program string) string {
	if runtime.GOOS == "darwin" {
		return "codesign -dv " + quoteArg(program) + ", xattr and spctl: see macOS in docs/install.md"
	}
	return "the system's log says why: journalctl -k, or dmesg"
}

func brief(b []byte) string {
	if len(b) > 200 {
		b = append(b[:200:200], "..."...)
	}
	return string(b)
}

// sample is the example of a host for an event, preferably one whose payload
// names it.
func sample(h *hookio.Host, ev *hookio.HookEvent) *hookio.Example {
	event := hookio.Unread(hookio.Options{Host: h.Name, Event: ev.Name}).Event
	var any *hookio.Example
	for i := range h.Examples {
		x := &h.Examples[i]
		if x.Event != event {
			continue
		}
		if strings.Contains(x.In, `"`+ev.Name+`"`) {
			return x
		}
		if any == nil {
			any = x
		}
	}
	return any
}

// sampleProject is the folder a hook is run in: the project at hand, unless the
// folder for its log lies in there. The hook would take that for a diversion and
// log to the user's own folder; then it gets an empty project beside it.
func (c *checkup) sampleProject(scratch string) (string, error) {
	project, err := filepath.EvalSymlinks(c.dirs.Project)
	if err != nil {
		return c.dirs.Project, nil
	}
	real, err := filepath.EvalSymlinks(scratch)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(project, real); err != nil || rel == ".." ||
		strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return c.dirs.Project, nil
	}
	return os.MkdirTemp(filepath.Dir(scratch), "permgate-doctor-")
}

// expected is what this process answers to a sample, and the word for it.
func (c *checkup) expected(h *hookio.Host, f *agents.Found, x *hookio.Example, project string,
	set []hookio.Pair) (line []byte, decision string, err error) {
	call, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: h.Name, Event: f.Event})
	if err != nil {
		return nil, "", err
	}
	if !call.Event.Decides() {
		return nil, "silence", nil
	}
	world := c.world
	world.Cwd = project
	world.Getenv = func(name string) string {
		for _, p := range set {
			if p.From == name {
				return p.To
			}
		}
		return c.world.Getenv(name)
	}
	flags := &gate.Flags{Host: h.Name, Event: f.Event, Headless: len(f.Options) > 0}
	gate.PinCwd(call, flags, world)
	cs := gate.Case(call, flags, world)
	v := decide.Decide(cs)
	line = hookio.Write(nil, call, v.Answer(cs))
	decision = answer(cs, v)
	if decision != v.Decision.String() {
		decision += " (decided: " + v.Decision.String() + ")"
	}
	return line, decision, nil
}

// argv is how a host starts a hook.
func argv(h *hookio.Host, f *agents.Found) []string {
	words := append([]string{f.Program, "hook", "--host", h.Name, "--event", f.Event}, f.Options...)
	switch {
	case h.Register.Exec || runtime.GOOS == "windows": // there, which shell it is depends on the machine
		return words
	case exists("/bin/sh"):
		return []string{"/bin/sh", "-c", f.Text}
	}
	return words
}

// start runs a program with input and returns what it wrote and its exit code, -1 after a signal.
// It is killed when it takes too long. scratch is a folder for its input and output.
func start(argv []string, cwd, scratch, input string, set []hookio.Pair) (out []byte, code int, err error) {
	in, output := filepath.Join(scratch, "in"), filepath.Join(scratch, "out")
	if err := os.WriteFile(in, []byte(input), 0o600); err != nil {
		return nil, 0, err
	}
	stdin, err := os.Open(in)
	if err != nil {
		return nil, 0, err
	}
	defer stdin.Close()
	stdout, err := os.Create(output)
	if err != nil {
		return nil, 0, err
	}
	defer stdout.Close()
	silent, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		return nil, 0, err
	}
	defer silent.Close()
	p, err := os.StartProcess(argv[0], argv, &os.ProcAttr{Dir: cwd, Env: environ(set),
		Files: []*os.File{stdin, stdout, silent}})
	if err != nil {
		return nil, 0, err
	}
	late := time.AfterFunc(patience, func() { p.Kill() })
	state, err := p.Wait()
	if !late.Stop() {
		return nil, 0, fmt.Errorf("it took longer than %v", patience)
	}
	if err != nil {
		return nil, 0, err
	}
	out, err = os.ReadFile(output)
	return out, state.ExitCode(), err
}

// environ is this process's environment with some variables set.
func environ(set []hookio.Pair) []string {
	var out []string
	for _, kv := range os.Environ() {
		name, _, _ := strings.Cut(kv, "=")
		keep := true
		for _, p := range set {
			keep = keep && p.From != name
		}
		if keep {
			out = append(out, kv)
		}
	}
	for _, p := range set {
		out = append(out, p.From+"="+p.To)
	}
	return out
}

// executableFile reports whether the system would start a file.
func executableFile(info os.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

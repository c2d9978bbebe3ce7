package hosts

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/explain"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/log"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// binary looks at the program itself: who can replace it replaces every answer.
func (c *checkup) binary() {
	exe, err := executable(c.Env)
	if err != nil {
		c.add(fail, "binary", "./install.sh", "%v", err)
		return
	}
	c.exe = exe
	c.add(fine, "binary", "", "%s, version %s", c.Path(exe), c.Version())
	file := exe
	if target, err := filepath.EvalSymlinks(exe); err == nil {
		file = target
	}
	for _, name := range [...]string{file, filepath.Dir(file), filepath.Dir(exe)} {
		info, err := c.World.Files.Stat(name)
		if err == nil && c.World.Files.OthersWrite(info) && info.Mode()&os.ModeSticky == 0 {
			c.add(fail, "binary", subcmd.NotOthers("go-w", name),
				"others can write to %s and so replace every answer", c.Path(name))
			return
		}
	}
}

// hosts looks at every host that is here or registered; asked says that the user named it.
func (c *checkup) hosts(hosts []*hookio.Host, asked bool) {
	any := false
	for _, h := range hosts {
		regs := c.registrations(h)
		for i := range regs {
			any = true
			c.registration(h, &regs[i])
		}
		plugin, off := c.dirs.Plugin(h, c.ReadText)
		switch where := c.hostFound(h); {
		case plugin.Name != "" && len(regs) == 0:
			any = true
			c.plugin(h, plugin, off)
		case len(regs) > 0:
			c.twice(h, regs, plugin.Name)
			c.off(h, regs)
			c.newPosture(h, regs)
			c.mode(h)
			c.called(h, regs)
			c.release(h)
		case asked:
			c.add(fail, h.Name, installLine(h), "the hook is not registered with %s", h.Title)
		case where != "":
			c.add(fine, h.Name, "", "%s is installed (%s), but the hook is not registered; run %s", h.Title, c.Path(where), installLine(h))
		}
	}
	if !any && !asked {
		c.add(fail, "hosts", "permgate install --list",
			"the hook is not registered with any agent program: nothing is decided")
	}
}

func (c *checkup) release(h *hookio.Host) {
	if h.Driven.Version == "" {
		c.add(fine, h.Name, "", "%s is experimental: permgate was never run with it (docs/hosts-status.md)", h.Title)
		return
	}
	tested := h.Driven.Version + ", the last one permgate was tested with (" + h.Driven.Day + ")"
	version, err := c.dirs.Release(h)
	order := agents.CompareReleases(version, h.Driven.Version)
	switch {
	case err != nil:
		c.add(fine, h.Name, "", "release unknown, %v; permgate was tested with %s (%s)", err, h.Driven.Version, h.Driven.Day)
	case version == "":
	case order > 0:
		c.add(fine, h.Name, "", "release %s is newer than %s", version, tested)
	case order < 0:
		c.add(fine, h.Name, "", "release %s is older than %s", version, tested)
		c.unseen(h, version)
	default:
		c.add(fine, h.Name, "", "release %s", tested)
	}
}

// unseen says what a release runs without the hook, because it does not know an event that install registers.
func (c *checkup) unseen(h *hookio.Host, version string) {
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		off := func(p agents.Place) bool {
			doc, err := edit.Parse(p.Name, c.ReadText(p.Name))
			return err == nil && edit.On(edit.Member(&doc.Root, ev.Off))
		}
		if !c.dirs.Lacks(h, ev.Name) || slices.ContainsFunc(c.dirs.Places(h), off) {
			continue
		}
		fix := "upgrade to " + ev.Since + ", or set " + ev.Off + " to true in its settings, which switches them off"
		c.add(warn, h.Name, fix, "release %s has no %s event, so %s run without permgate", version, ev.Name, ev.What)
	}
}

func (c *checkup) registration(h *hookio.Host, r *registered) {
	again := "permgate install --host " + h.Name + (&installOptions{scope: r.Scope}).scopeFlag()
	if err := cmp.Or(r.err, agents.Readable(h, c.Path(r.Name), c.ReadText(r.Name))); err != nil {
		c.add(fail, h.Name, "correct the file", "%v", err)
		return
	}
	if info, err := c.World.Files.Stat(r.Name); err == nil && c.World.Files.OthersWrite(info) {
		c.add(fail, h.Name, subcmd.NotOthers("go-w", r.Name), "others can write to %s and so remove the hook", c.Path(r.Name))
	}
	c.managedBinary(h, r)
	var seen []string
	for i := range r.found {
		f := &r.found[i]
		if by := c.hidden(h, r, f.Event); by != "" {
			fix := again
			if h.Register.Inherits {
				fix = "take " + f.Event + " out of " + c.Path(by)
			}
			c.add(fail, h.Name, fix, "%s (%s): not read, because %s has %s too", f.Event, f.Place, c.Path(by), f.Event)
			continue
		}
		if f.Known != nil && f.All && !f.Beside {
			if slices.Contains(seen, f.Event) {
				c.add(warn, h.Name, "remove one of them",
					"%s (%s): a second hook for the same event, so every call is decided twice", f.Event, f.Place)
			}
			seen = append(seen, f.Event)
		}
		c.handler(h, f, again)
	}
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		switch missing := !slices.Contains(seen, ev.Name) && !c.dirs.Lacks(h, ev.Name); {
		case missing && ev.Records:
			c.add(warn, h.Name, again, "%s: no hook for all %s events, so the log has no outcomes", c.Path(r.Name), ev.Name)
		case missing:
			c.add(fail, h.Name, again, "%s: no hook for all %s events", c.Path(r.Name), ev.Name)
		}
	}
	for i := range h.Register.Beside {
		c.beside(h, r, &h.Register.Beside[i], again)
	}
}

// beside looks at a text next to the hooks, without which the host does not run them.
func (c *checkup) beside(h *hookio.Host, r *registered, f *hookio.TextFile, again string) {
	name := filepath.Join(filepath.Dir(r.Name), filepath.FromSlash(f.Path))
	text := string(c.ReadText(name))
	info, err := c.World.Files.Stat(name)
	switch {
	case text == "":
		c.add(fail, h.Name, again, "%s is missing, so %s runs no hook", c.Path(name), h.Title)
	case f.Mark == "" || text == f.Text():
	case f.Ours([]byte(text)):
		c.add(fail, h.Name, again, "%s is not as this permgate writes it", c.Path(name))
	default:
		c.add(fail, h.Name, "move it away, then "+again, "%s is another program's, so %s runs no hook", c.Path(name), h.Title)
	}
	if err == nil && f.Mark != "" && c.World.Files.OthersWrite(info) {
		c.add(fail, h.Name, subcmd.NotOthers("go-w", name), "others can write to %s and so remove the hook", c.Path(name))
	}
}

// managedBinary looks at what root's settings start: the binary has to be root's, too.
func (c *checkup) managedBinary(h *hookio.Host, r *registered) {
	info, err := c.World.Files.Stat(r.Name)
	if r.Scope != hookio.ForManaged || err != nil || len(r.found) == 0 {
		return
	}
	exe := r.found[0].Program
	if uid, known := c.World.Files.Owner(info); !known || uid != 0 || !filepath.IsAbs(exe) {
		return
	}
	if by := replaceable(c.Env, exe); by != "" {
		c.add(fail, h.Name, intoPlace(exe, h), "others than root can replace %s, which managed settings lead to", c.Path(by))
	}
}

// hidden returns the file that keeps the host from reading an event of r.
func (c *checkup) hidden(h *hookio.Host, r *registered, event string) string {
	places := c.dirs.Places(h)
	if h.Register.Inherits { // the last that holds it counts
		slices.Reverse(places)
	}
	for _, p := range places {
		if p.Name == r.Name {
			break
		}
		if !h.Register.Inherits && (!p.Hides || p.Scope != r.Scope) {
			continue
		}
		if doc, err := edit.Parse(p.Name, c.ReadText(p.Name)); err == nil && agents.Holds(p, doc, event) {
			return p.Name
		}
	}
	return ""
}

func (c *checkup) handler(h *hookio.Host, f *agents.Found, again string) {
	what := f.Event + " (" + f.Place + ")"
	if c.dirs.Lacks(h, f.Event) {
		c.add(warn, h.Name, again+", which takes it out", "%s: the installed release does not know this event", what)
		return
	}
	problem := c.program(f)
	if !f.All || f.Beside {
		again = "fix or remove it; install leaves it unchanged"
	}
	switch {
	case f.Known == nil:
		c.add(warn, h.Name, "remove it", "%s: install does not register this event", what)
		return
	case problem != "":
		c.add(fail, h.Name, again, "%s: %s", what, problem)
		return
	case !f.Plain:
		if len(f.Options) > 0 {
			again = "remove the options you do not want"
		}
		c.add(warn, h.Name, again, "%s: differs from what install writes, so it was not run: %s", what, f.Text)
		return
	case len(f.Stale) > 0:
		names := make([]string, len(f.Stale))
		bad := warn
		for i, k := range f.Stale {
			if names[i] = k.Name; k.Name == h.Register.Timeout {
				names[i] += " (permgate may need " + k.JSON + ")"
			}
			if k.Name == h.Register.FailShut.Name || k.Name == h.Register.Timeout {
				bad = fail // a failure would not block
			}
		}
		c.add(bad, h.Name, again, "%s: outdated: %s", what, strings.Join(names, ", "))
	case !f.All:
		c.add(warn, h.Name, again, "%s: covers only some tools", what)
	}
	c.run(h, f, what)
}

func (c *checkup) program(f *agents.Found) string {
	if !filepath.IsAbs(f.Program) {
		return "the binary is not an absolute path: which one runs depends on the directory and PATH"
	}
	info, err := os.Stat(f.Program)
	switch {
	case err != nil:
		return f.Program + " does not exist"
	case info.IsDir() || !executableFile(info):
		return f.Program + " is not executable"
	}
	own, err := os.Stat(c.exe)
	if err != nil || !os.SameFile(own, info) {
		return "runs another binary, which doctor does not start: " + f.Program
	}
	return ""
}

// twice warns of a hook in several scopes: it is called that often.
func (c *checkup) twice(h *hookio.Host, regs []registered, plugin string) {
	var names []string
	for i := range regs {
		names = append(names, c.Path(regs[i].Name))
	}
	if plugin != "" {
		names = append(names, "the plugin "+h.Register.Plugin)
	}
	if len(names) > 1 {
		c.add(warn, h.Name, "permgate uninstall --host "+h.Name+" --scope ...",
			"registered %d times, so every call is decided %[1]d times: %s", len(names), strings.Join(names, ", "))
	}
}

// plugin says what is known of hooks that a plugin registers: its own script finds the binary.
func (c *checkup) plugin(h *hookio.Host, on agents.Place, off string) {
	c.add(fine, h.Name, "", "the plugin %s has the hook (%s)", h.Register.Plugin, c.Path(on.Name))
	if off != "" {
		c.add(fail, h.Name, "remove it from "+c.Path(off), "the hook does not run in this project: %s switches the plugin off", c.Path(off))
	}
	regs := []registered{{Place: on}}
	c.off(h, regs)
	c.mode(h)
	c.called(h, regs)
	c.release(h)
}

func (c *checkup) off(h *hookio.Host, regs []registered) {
	var told []string
	for i := range regs {
		for _, o := range c.dirs.Off(h, regs[i].Scope, c.ReadText, c.Path) {
			if slices.Contains(told, o.Place) {
				continue
			}
			told = append(told, o.Place)
			where := ""
			if o.Scope == hookio.ForProject {
				where = " in this project"
			}
			c.add(fail, h.Name, "remove "+o.Key+" from "+o.Place, "the hook does not run%s: %s is %s (%s)",
				where, o.Key, o.Value, o.Place)
		}
	}
}

// mode says how calls of a host are decided here, and loudly when they only are watched.
func (c *checkup) mode(h *hookio.Host) {
	p := c.Policy(h)
	c.add(fine, h.Name, "", "default mode: %s%s", p.Mode.Value, c.From(p.Mode))
	if s := p.Posture.Enforce; s.Value == "false" {
		c.add(warn, h.Name, "permgate install --host "+h.Name+" --enforce",
			"OBSERVE MODE: calls are decided and logged, but only managed denies are answered%s", c.From(s))
	}
}

// patience is longer than a hook's own deadline, and shorter than the time-out that install writes.
const patience = 6 * time.Second

// run starts a registered hook as its host would and compares the answer with that of this process. Only this very
// binary is started, by a command install would write; its grants and log go to a temporary folder.
func (c *checkup) run(h *hookio.Host, f *agents.Found, what string) {
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
	set := map[string]string{"XDG_STATE_HOME": dir, gate.AskNobody: "1"}
	if h.ProjectVar != "" {
		set[h.ProjectVar] = project
	}
	want, decision, err := c.expected(h, f, x, project, set)
	if err != nil {
		c.add(fail, h.Name, "", "%s: the sample call cannot be read: %v", what, err)
		return
	}
	began := time.Now()
	got, code, err := start(argv(h, f), project, x.In, set)
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
	case c.Policy(h).Posture.AuditLevel().Level != "off" && !subcmd.Exists(filepath.Join(dir, "permgate", log.Name)):
		c.add(fail, h.Name, report, "%s: run as %s would, it answered %s and logged nothing", what, h.Title, decision)
	default:
		c.add(fine, h.Name, "", "%s: run as %s would, it answered %s in %v", what, h.Title, decision, took)
	}
}

// killed reports whether an exit code is that of a process the system killed, or of the shell that ran it.
func killed(code int) bool { return code == -1 || code == 128+int(syscall.SIGKILL) }

func whyKilled(program string) string {
	if runtime.GOOS == "darwin" {
		return "codesign -dv " + subcmd.QuoteArg(program) + ", xattr and spctl: see macOS in docs/install.md"
	}
	return "the system's log says why: journalctl -k, or dmesg"
}

func brief(b []byte) string {
	if len(b) > 200 {
		b = append(b[:200:200], "..."...)
	}
	return string(b)
}

// sample is an example of a host for an event, preferably one whose payload names it.
func sample(h *hookio.Host, ev *hookio.HookEvent) *hookio.Example {
	event := hookio.Unread(hookio.Options{Host: h.Name, Event: ev.Name}).Event
	var any *hookio.Example
	for _, x := range h.Examples() {
		if x.Event != event {
			continue
		}
		if strings.Contains(x.In, `"`+ev.Name+`"`) {
			return &x
		}
		if any == nil {
			any = &x
		}
	}
	return any
}

// sampleProject is the folder a hook is run in: the project, unless the temporary folder is in it. The hook would
// take that for a diversion and log to the user's folder; then it gets an empty project.
func (c *checkup) sampleProject(scratch string) (string, error) {
	project, err := filepath.EvalSymlinks(c.dirs.Project)
	if err != nil {
		return c.dirs.Project, nil
	}
	real, err := filepath.EvalSymlinks(scratch)
	if err != nil {
		return "", err
	}
	if rel, err := filepath.Rel(project, real); err != nil || !filepath.IsLocal(rel) {
		return c.dirs.Project, nil
	}
	return os.MkdirTemp(filepath.Dir(scratch), "permgate-doctor-")
}

func (c *checkup) expected(h *hookio.Host, f *agents.Found, x *hookio.Example, project string,
	set map[string]string) (line []byte, decision string, err error) {
	call, err := hookio.Read(strings.NewReader(x.In), hookio.Options{Host: h.Name, Event: f.Event})
	if err != nil {
		return nil, "", err
	}
	if !call.Event.Decides() {
		return nil, "silence", nil
	}
	world := c.World
	world.Cwd = project
	world.Getenv = func(name string) string {
		if value, ok := set[name]; ok {
			return value
		}
		return c.World.Getenv(name)
	}
	flags := &gate.Flags{Host: h.Name, Event: f.Event, Headless: len(f.Options) > 0}
	gate.PinCwd(call, flags, world)
	cs := gate.Case(call, flags, world)
	v := decide.Decide(cs)
	line = hookio.Write(nil, call, v.Answer())
	decision = explain.Answer(v)
	if decision != v.Decision().String() {
		decision += " (decided: " + v.Decision().String() + ")"
	}
	return line, decision, nil
}

func argv(h *hookio.Host, f *agents.Found) []string {
	words := append([]string{f.Program, "hook", "--host", h.Name, "--event", f.Event}, f.Options...)
	switch {
	case h.Register.Exec || runtime.GOOS == "windows": // there, which shell it is depends on the machine
		return words
	case subcmd.Exists("/bin/sh"):
		return []string{"/bin/sh", "-c", f.Text}
	}
	return words
}

// start runs a program and returns its output and exit code, -1 after a signal. It is killed when late.
func start(argv []string, cwd, input string, set map[string]string) (out []byte, code int, err error) {
	env := os.Environ()
	for name, value := range set {
		env = append(env, name+"="+value) // the last one of a name counts
	}
	end := operator.Start{File: argv[0], Args: argv[1:], Env: env, Dir: cwd, Stdin: []byte(input),
		Timeout: patience, Out: hookio.MaxPayload}.Run()
	var exit *exec.ExitError
	switch {
	case end.Late:
		return nil, 0, fmt.Errorf("it took longer than %v", patience)
	case end.Err != nil && !errors.As(end.Err, &exit):
		return nil, 0, end.Err
	}
	return end.Out, end.Code, nil
}

func executableFile(info os.FileInfo) bool {
	return runtime.GOOS == "windows" || info.Mode()&0o111 != 0
}

package cli

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate/operator"
)

// binary looks at the program itself: who can replace it replaces every answer.
func (c *checkup) binary() {
	exe, err := c.executable()
	if err != nil {
		c.add(fail, "binary", "./install.sh", "%v", err)
		return
	}
	c.exe = exe
	c.add(fine, "binary", "", "%s, version %s", c.path(exe), version())
	file := exe
	if target, err := filepath.EvalSymlinks(exe); err == nil {
		file = target
	}
	for _, name := range [...]string{file, filepath.Dir(file), filepath.Dir(exe)} {
		if info, err := os.Stat(name); err == nil && c.world.Files.OthersWrite(info) && info.Mode()&os.ModeSticky == 0 {
			c.add(fail, "binary", "chmod go-w "+quoteArg(name),
				"others can write to %s and so replace every answer", c.path(name))
			return
		}
	}
}

// hosts looks at every host that is here or registered; asked says that the
// user named it.
func (c *checkup) hosts(hosts []*hookio.Host, asked bool) {
	any := false
	for _, h := range hosts {
		regs := c.registrations(c.dirs, h, c.exe)
		for i := range regs {
			any = true
			c.registration(h, &regs[i])
		}
		plugin, off := c.dirs.Plugin(h, c.readText)
		switch where := c.hostFound(c.dirs, h); {
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
			c.add(fine, h.Name, "", "%s is installed (%s), but the hook is not registered; run %s", h.Title, c.path(where), installLine(h))
		}
	}
	if !any && !asked {
		c.add(fail, "hosts", "permgate install --list",
			"the hook is not registered with any agent program: nothing is decided")
	}
}

// release compares the release of a host that is installed with the last one permgate was run with.
func (c *checkup) release(h *hookio.Host) {
	if h.Driven.Version == "" {
		c.add(fine, h.Name, "", "%s is experimental: permgate was never run with it (docs/hosts-status.md)", h.Title)
		return
	}
	tested := h.Driven.Version + ", the last one permgate was tested with (" + h.Driven.Day + ")"
	for _, name := range h.Register.Programs {
		if programOn(c.world.Getenv("PATH"), name) == "" {
			continue
		}
		version, err := operator.Version(name, c.policy(h), c.world.Environ())
		order := compareReleases(version, h.Driven.Version)
		switch {
		case err != nil:
			c.add(fine, h.Name, "", "release unknown, %v; permgate was tested with %s (%s)", err, h.Driven.Version, h.Driven.Day)
		case order > 0:
			c.add(fine, h.Name, "", "release %s is newer than %s", version, tested)
		case order < 0:
			c.add(fine, h.Name, "", "release %s is older than %s", version, tested)
		default:
			c.add(fine, h.Name, "", "release %s", tested)
		}
		return
	}
}

// compareReleases compares two versions number by number. What is no number, as in 1.0.0-rc.1, counts as 0.
func compareReleases(a, b string) int {
	x, y := strings.Split(a, "."), strings.Split(b, ".")
	for i := range max(len(x), len(y)) {
		var n, m int
		if i < len(x) {
			n, _ = strconv.Atoi(x[i])
		}
		if i < len(y) {
			m, _ = strconv.Atoi(y[i])
		}
		if n != m {
			return cmp.Compare(n, m)
		}
	}
	return 0
}

// registration looks at one file and runs the hooks in it.
func (c *checkup) registration(h *hookio.Host, r *registered) {
	again := "permgate install --host " + h.Name + (&installOptions{scope: r.Scope}).scopeFlag()
	if r.err != nil {
		c.add(fail, h.Name, "fix the file", "%v", r.err)
		return
	}
	if info, err := os.Stat(r.Name); err == nil && c.world.Files.OthersWrite(info) {
		c.add(fail, h.Name, "chmod go-w "+quoteArg(r.Name), "others can write to %s and so remove the hook", c.path(r.Name))
	}
	seen := ""
	for i := range r.found {
		f := &r.found[i]
		if by := c.hidden(h, r, f.Event); by != "" {
			c.add(fail, h.Name, again, "%s (%s): not read, because %s has %s too", f.Event, f.Place, c.path(by), f.Event)
			continue
		}
		if f.Known != nil && f.All && !f.Beside {
			if strings.Contains("\n"+seen, "\n"+f.Event+"\n") {
				c.add(warn, h.Name, "remove one of them",
					"%s (%s): a second hook for the same event, so every call is decided twice", f.Event, f.Place)
			}
			seen += f.Event + "\n"
		}
		c.handler(h, r, f, again)
	}
	for i := range h.Register.Events {
		ev := &h.Register.Events[i]
		switch missing := !strings.Contains("\n"+seen, "\n"+ev.Name+"\n"); {
		case missing && ev.Records:
			c.add(warn, h.Name, again, "%s: no hook for all %s events, so the log has no outcomes", c.path(r.Name), ev.Name)
		case missing:
			c.add(fail, h.Name, again, "%s: no hook for all %s events", c.path(r.Name), ev.Name)
		}
	}
}

// hidden returns the file that keeps the host from reading an event of r.
func (c *checkup) hidden(h *hookio.Host, r *registered, event string) string {
	for _, p := range c.dirs.Places(h) {
		if p.Name == r.Name {
			break
		}
		if !p.Hides || p.Scope != r.Scope {
			continue
		}
		if doc, err := edit.Parse(p.Name, c.readText(p.Name)); err == nil && agents.Holds(p, doc, event) {
			return p.Name
		}
	}
	return ""
}

// handler looks at one registered hook and runs it.
func (c *checkup) handler(h *hookio.Host, r *registered, f *agents.Found, again string) {
	what := f.Event + " (" + f.Place + ")"
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
	case !f.Plain && len(f.Options) > 0:
		c.add(warn, h.Name, "remove the options you do not want",
			"%s: differs from what install writes, so it was not run: %s", what, f.Text)
		return
	case !f.Plain:
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
	c.run(h, r, f, what)
}

// program says what is wrong with the binary a hook runs, "" for nothing.
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
		names = append(names, c.path(regs[i].Name))
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
	c.add(fine, h.Name, "", "the plugin %s has the hook (%s)", h.Register.Plugin, c.path(on.Name))
	if off != "" {
		c.add(fail, h.Name, "remove it from "+c.path(off), "the hook does not run in this project: %s switches the plugin off", c.path(off))
	}
	regs := []registered{{Place: on}}
	c.off(h, regs)
	c.mode(h)
	c.called(h, regs)
}

// off looks for settings of the host that keep its hooks from running.
func (c *checkup) off(h *hookio.Host, regs []registered) {
	told := ""
	for i := range regs {
		for _, o := range c.dirs.Off(h, regs[i].Scope, c.readText, c.path) {
			if strings.Contains(told, o.Place+"\n") {
				continue
			}
			told += o.Place + "\n"
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
	p := c.policy(h)
	c.add(fine, h.Name, "", "default mode: %s%s", p.Mode.Value, c.from(p.Mode))
	if s := p.Posture.Enforce; s.Value == "false" {
		c.add(warn, h.Name, "permgate install --host "+h.Name+" --enforce",
			"OBSERVE MODE: calls are decided and logged, but only managed denies are answered%s", c.from(s))
	}
}

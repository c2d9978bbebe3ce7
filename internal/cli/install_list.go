package cli

import (
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
)

// A registered is one file in which the hook is registered for a host.
type registered struct {
	agents.Place
	found []agents.Found
	err   error // the file cannot be read; found is empty then
}

// program is the binary that is called, "several" when there is more than one.
func (r *registered) program() string {
	name := r.found[0].Program
	for _, f := range r.found {
		if f.Program != name {
			return "several"
		}
	}
	return name
}

// current reports whether install would change nothing.
func (r *registered) current(h *hookio.Host) bool {
	n := 0
	for _, f := range r.found {
		if f.Known != nil && f.All && len(f.Stale) == 0 {
			n++
		}
	}
	return n >= len(h.Register.Events)
}

// registrations returns the files of a host that hold handlers of ours, and
// those that cannot be read.
func (e *env) registrations(d *agents.Dirs, h *hookio.Host, exe string) []registered {
	var out []registered
	var read []string // in a home directory that is the project too, two scopes have one file
	for _, p := range d.Places(h) {
		target, text, _, err := edit.Read(p.Name)
		if err == nil && len(text) == 0 || slices.Contains(read, target) {
			continue
		}
		read = append(read, target)
		var doc *edit.Doc
		if err == nil {
			doc, err = edit.Parse(e.path(p.Name), text)
		}
		r := registered{Place: p, err: err}
		if err == nil {
			r.found = agents.Find(h, p, doc, exe)
		}
		if r.err != nil || len(r.found) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// listHosts prints one line for every host, or the one that is named, and one
// for every file in which the hook is registered with it.
func listHosts(e *env, only string, args []string) int {
	switch {
	case len(args) > 0:
		return e.fail("permgate install --list", "unexpected operand %q", args[0])
	case only != "" && agents.Lookup(only) == nil:
		return e.fail("permgate install --list", "%s: no automatic registration for this program", only)
	}
	dirs, err := e.dirs()
	if err != nil {
		return e.fail("", "%v", err)
	}
	exe, _ := e.executable() // "" makes every registration outdated, which it is
	for _, h := range agents.Hosts() {
		if only != "" && h != agents.Lookup(only) {
			continue
		}
		found := "not found"
		if where := e.hostFound(dirs, h); where != "" {
			found = "found: " + e.path(where)
		}
		status := "experimental"
		if h.Driven.Version != "" {
			status = "tested with " + h.Driven.Version
		}
		fmt.Fprintf(e.out, "%-9s%-22s%s; %s\n", h.Name, h.Title, found, status)
		regs := e.registrations(dirs, h, exe)
		for i := range regs {
			r := &regs[i]
			if r.err != nil {
				fmt.Fprintf(e.out, "         %s: %v\n", r.Scope, r.err)
				continue
			}
			state := "enforces"
			if e.policy(h).Posture.Enforce.Value == "false" {
				state = "OBSERVES, answers nothing: permgate install --host " + h.Name + " --enforce"
			}
			fmt.Fprintf(e.out, "         %s: %s runs %s; %s\n", r.Scope, e.path(r.Name), e.path(r.program()), state)
			if !r.current(h) {
				fmt.Fprintf(e.out, "         outdated: permgate install --host %s%s\n", h.Name,
					(&installOptions{scope: r.Scope}).scopeFlag())
			}
		}
		if plugin, _ := dirs.Plugin(h, e.readText); plugin.Name != "" {
			fmt.Fprintf(e.out, "         %s: the plugin %s, switched on in %s\n", plugin.Scope, h.Register.Plugin, e.path(plugin.Name))
		} else if len(regs) == 0 && found != "not found" {
			fmt.Fprintf(e.out, "         not registered: %s\n", installLine(h))
		}
	}
	return exitOK
}

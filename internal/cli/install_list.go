package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"permgate/hookio"
	"permgate/internal/agents"
	"permgate/internal/edit"
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

// hostFound returns where a host's program is on PATH, or the folder that shows
// it was used, "" when there is no trace of it. A folder in which there is nothing
// but what install made is no trace.
func (e *env) hostFound(d *agents.Dirs, h *hookio.Host) string {
	for _, name := range h.Register.Programs {
		for _, dir := range filepath.SplitList(e.world.Getenv("PATH")) {
			for _, ext := range [...]string{"", ".exe", ".cmd"} {
				file := filepath.Join(dir, name+ext)
				if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() && (runtime.GOOS == "windows" || info.Mode()&0o111 != 0 && ext == "") {
					return file
				}
			}
		}
	}
	if folder := d.Path(h.Register, h.Register.Folder); exists(folder) && !e.onlyOurs(d, folder, 0) {
		return folder
	}
	return ""
}

// onlyOurs reports whether a folder holds nothing but what permgate makes: files
// of registrations that hold no more than that, permgate.json, and backups of both.
func (e *env) onlyOurs(d *agents.Dirs, folder string, depth int) bool {
	const most = 32 // entries; more are not ours
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > most || depth > 3 {
		return false
	}
	for _, entry := range entries {
		name := filepath.Join(folder, entry.Name())
		switch {
		case entry.IsDir() && e.onlyOurs(d, name, depth+1):
		case entry.Name() == "permgate.json" || edit.IsBackup(entry.Name()):
		case entry.Type().IsRegular() && e.registersOnly(d, name):
		default:
			return false
		}
	}
	return true
}

// registersOnly reports whether a file holds hooks of permgate and nothing else,
// or goes with one that does.
func (e *env) registersOnly(d *agents.Dirs, name string) bool {
	for _, h := range agents.Hosts() {
		for _, p := range d.Places(h) {
			for _, f := range h.Register.Beside {
				if name == filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path)) && string(e.readText(name)) == f.Text {
					return true
				}
			}
			if name != p.Name {
				continue
			}
			doc, err := edit.Parse(name, e.readText(name))
			if err != nil {
				return false
			}
			if _, err := agents.Unregister(p, doc); err == nil && agents.Bare(h, doc) {
				return true
			}
		}
	}
	return false
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
		fmt.Fprintf(e.out, "%-9s%-22s%s\n", h.Name, h.Title, found)
		regs := e.registrations(dirs, h, exe)
		for i := range regs {
			r := &regs[i]
			if r.err != nil {
				fmt.Fprintf(e.out, "         %s: %v\n", r.Scope, r.err)
				continue
			}
			state := "enforces"
			if e.policy(h).Gate.Enforce.Value == "false" {
				state = "OBSERVES, answers nothing: permgate install --host " + h.Name + " --enforce"
			}
			fmt.Fprintf(e.out, "         %s: %s runs %s; %s\n", r.Scope, e.path(r.Name), e.path(r.program()), state)
			if !r.current(h) {
				fmt.Fprintf(e.out, "         outdated: permgate install --host %s%s\n", h.Name, (&installOptions{scope: r.Scope}).scopeFlag())
			}
		}
		if len(regs) == 0 && found != "not found" {
			fmt.Fprintf(e.out, "         not registered: permgate install --host %s\n", h.Name)
		}
	}
	return exitOK
}

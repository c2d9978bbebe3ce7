// Package agents reads the registration every host carries as data: where its
// hooks are kept, what the entry to add looks like, and how to tell that it is
// there.
package agents

import (
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
)

// Hosts returns the hosts permgate can register itself with, by name.
func Hosts() []*hookio.Host {
	var out []*hookio.Host
	for _, h := range hookio.Hosts() {
		if h.Register != nil {
			out = append(out, h)
		}
	}
	slices.SortFunc(out, func(a, b *hookio.Host) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Names returns the names of Hosts, separated by sep.
func Names(sep string) string {
	var names []string
	for _, h := range Hosts() {
		names = append(names, h.Name)
	}
	return strings.Join(names, sep)
}

// Lookup returns the host called name, nil if permgate cannot register itself there.
func Lookup(name string) *hookio.Host {
	if h := hookio.Lookup(name); name != "" && h != nil && h.Register != nil {
		return h
	}
	return nil
}

// Dirs are the folders a machine has for the "~/", the project's and the
// administrator's part of a registration.
type Dirs struct {
	Home, Project string
	Cwd           string // at or below Project, "" for Project itself
	System        string // stands in for /etc in tests; "" is the system's own
	Getenv        func(string) string
	Exists        func(name string) bool
	// Waits is how long programs of the operator's may keep a call of a host waiting; nil for never.
	Waits func(*hookio.Host) time.Duration
}

// Path returns the file a path of a registration means.
func (d *Dirs) Path(r *hookio.Registration, name string) string {
	rest, inHome := strings.CutPrefix(name, "~/")
	switch {
	case !inHome && !rooted(name):
		return filepath.Join(d.Project, filepath.FromSlash(name))
	case !inHome && d.System != "":
		return filepath.Join(d.System, filepath.FromSlash(strings.TrimPrefix(name, "/etc/")))
	case !inHome:
		return name
	}
	if r.Moved.From != "" && strings.HasPrefix(name, r.Moved.From+"/") {
		if dir := d.Getenv(r.Moved.To); filepath.IsAbs(dir) {
			return filepath.Join(dir, filepath.FromSlash(name[len(r.Moved.From)+1:]))
		}
	}
	return filepath.Join(d.Home, filepath.FromSlash(rest))
}

// rooted reports whether a path of a registration is absolute on the system it is for.
func rooted(name string) bool { return strings.HasPrefix(name, "/") || len(name) > 1 && name[1] == ':' }

// A Place is one file a host reads hooks from.
type Place struct {
	*hookio.HookFile
	Name string // the file on this machine

	waits func(*hookio.Host) time.Duration // see Dirs
	host  *hookio.Host
}

// wait is how long programs of the operator's may keep a call waiting. The settings
// are read for it.
func (p *Place) wait() time.Duration {
	if p.waits == nil {
		return 0
	}
	return p.waits(p.host)
}

// Place returns where a host keeps the hooks of a scope; ok is false when it
// has no such scope.
func (d *Dirs) Place(h *hookio.Host, scope string) (Place, bool) {
	for _, p := range d.Places(h) {
		if p.Scope == scope && (!p.IfThere || d.Exists(p.Name)) {
			return p, true
		}
	}
	return Place{}, false
}

// Places returns every file of the host on this system, in the order in which
// the first that is there counts.
func (d *Dirs) Places(h *hookio.Host) []Place {
	var out []Place
	seen := "" // scopes whose file for this very system was found
	for i := range h.Register.Files {
		f := &h.Register.Files[i]
		if f.OS == runtime.GOOS {
			seen += f.Scope + ","
		} else if f.OS != "" || strings.Contains(seen, f.Scope+",") {
			continue
		}
		out = append(out, Place{f, d.Path(h.Register, f.Path), d.Waits, h})
	}
	return out
}

// Plugin returns where the user or the administrator switches on a plugin with the hooks of the host, "" in Name for
// nowhere, and the file of the project that switches it off again, which it cannot do to the administrator's. read
// returns a file's text, nil when there is none.
func (d *Dirs) Plugin(h *hookio.Host, read func(name string) []byte) (on Place, off string) {
	if h.Register.Plugin == "" {
		return on, off
	}
	managed := false
	for _, p := range d.Places(h) {
		doc, err := edit.Parse(p.Name, read(p.Name))
		if err != nil {
			continue
		}
		switch v := edit.Member(edit.Member(&doc.Root, "enabledPlugins"), h.Register.Plugin); {
		case v == nil:
		case p.Scope == hookio.ForProject && minimal(v) == "false":
			off = p.Name
		case p.Scope != hookio.ForProject && minimal(v) == "true" && !managed:
			on, managed = p, p.Scope == hookio.ForManaged
		}
	}
	if managed || on.Name == "" {
		off = ""
	}
	return on, off
}

// Usual is the user's file of a host that install makes where there is none.
func Usual(h *hookio.Host) string {
	for i := range h.Register.Files {
		if f := &h.Register.Files[i]; f.Scope == hookio.ForUser && !f.IfThere && (f.OS == "" || f.OS == runtime.GOOS) {
			return f.Path
		}
	}
	return ""
}

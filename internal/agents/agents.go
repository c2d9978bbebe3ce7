// Package agents reads every host's registration: where its hooks are, what to add, and whether it is there.
package agents

import (
	"cmp"
	"fmt"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tailscale/hujson"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/tree"
)

// Hosts returns the hosts permgate can register itself with, by name.
func Hosts() []*hookio.Host {
	out := slices.DeleteFunc(hookio.Hosts(), func(h *hookio.Host) bool { return h.Register == nil })
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

// Dirs are the folders that the paths of a registration begin with.
type Dirs struct {
	Home, Project string
	Cwd           string // at or below Project, "" for Project itself
	System        string // replaces /etc in tests; "" is the system's own
	OS            string // whose files and commands are meant, as GOOS; "" is this system
	Getenv        func(string) string
	Exists        func(name string) bool
	// Waits is how long programs of the operator's may keep a call of a host waiting; nil for never.
	Waits func(*hookio.Host) time.Duration
	// Release is that of the host's program; "" is not known, with the reason if there is a program. nil knows none.
	Release func(*hookio.Host) (string, error)
}

// Lacks reports whether the release of a host does not know an event. One that is not known is the newest.
func (d *Dirs) Lacks(h *hookio.Host, event string) bool {
	ev := Event(h, event)
	if ev == nil || ev.Since == "" || d.Release == nil {
		return false
	}
	release, err := d.Release(h)
	return err == nil && release != "" && CompareReleases(release, ev.Since) < 0
}

// CompareReleases compares two versions number by number.
func CompareReleases(a, b string) int { return slices.Compare(numbers(a), numbers(b)) }

func numbers(release string) (list []int) {
	for _, digits := range strings.FieldsFunc(release, func(r rune) bool { return r < '0' || r > '9' }) {
		n, _ := strconv.Atoi(digits)
		list = append(list, n)
	}
	return list
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
	os    string // see Dirs
	lacks func(event string) bool
}

func (p *Place) goos() string { return cmp.Or(p.os, runtime.GOOS) }

// wait is how long programs of the operator's may keep a call waiting, by the settings.
func (p *Place) wait() time.Duration {
	if p.waits == nil {
		return 0
	}
	return p.waits(p.host)
}

// Place returns where a host keeps the hooks of a scope; ok is false if it has no such scope.
func (d *Dirs) Place(h *hookio.Host, scope string) (Place, bool) {
	for _, p := range d.Places(h) {
		if p.Scope == scope && (!p.IfThere || d.Exists(p.Name)) {
			return p, true
		}
	}
	return Place{}, false
}

// Places returns every file of the host on this system; of several, the first that is there counts.
func (d *Dirs) Places(h *hookio.Host) []Place {
	var out []Place
	lacks := func(event string) bool { return d.Lacks(h, event) }
	seen := "" // scopes whose file for this very system was found
	for i := range h.Register.Files {
		f := &h.Register.Files[i]
		if f.OS == cmp.Or(d.OS, runtime.GOOS) && (d.System == "" || f.Scope != hookio.ForManaged) {
			seen += f.Scope + ","
		} else if f.OS != "" || strings.Contains(seen, f.Scope+",") {
			continue
		}
		out = append(out, Place{f, d.Path(h.Register, f.Path), d.Waits, h, d.OS, lacks})
	}
	return out
}

// Plugin returns where the user or the administrator switches on a plugin with the hooks of the host, "" in Name for
// nowhere, and the file of the project that switches it off again, which it cannot do to the administrator's. read
// returns a file's text, or nil if none.
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
		switch v := edit.Member(&doc.Root, "enabledPlugins", h.Register.Plugin); {
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

// Usual is the user's file of a host that install makes on a system without one.
func Usual(h *hookio.Host, goos string) string {
	for i := range h.Register.Files {
		if f := &h.Register.Files[i]; f.Scope == hookio.ForUser && !f.IfThere && (f.OS == "" || f.OS == goos) {
			return f.Path
		}
	}
	return ""
}

// An Off is a setting of a host that keeps its hooks from running.
type Off struct {
	*hookio.OffSwitch
	Place string // file:line:col, or file:line of a TOML file
}

// Off returns the settings that stop the hooks of a scope, the administrator's first.
// read returns a file's text or nil; show is how messages spell its name.
func (d *Dirs) Off(h *hookio.Host, scope string, read func(name string) []byte, show func(name string) string) []Off {
	var out []Off
	for i := range h.Register.Off {
		o := &h.Register.Off[i]
		if o.Spares == scope {
			continue
		}
		for _, name := range d.offFiles(h, o) {
			if place := isOff(o, show(name), read(name)); place != "" {
				out = append(out, Off{o, place})
			}
		}
	}
	return out
}

func (d *Dirs) offFiles(h *hookio.Host, o *hookio.OffSwitch) []string {
	var out []string
	if o.Path != "" {
		out = []string{d.Path(h.Register, o.Path)}
	} else {
		for _, p := range d.Places(h) {
			if p.Scope == o.Scope {
				out = append(out, p.Name)
			}
		}
	}
	if o.Scope == hookio.ForProject {
		out = append(out, d.below(out)...)
	}
	return out
}

// below returns the files between the project and the working directory that the host may read.
func (d *Dirs) below(names []string) []string {
	var out []string
	for dir := d.Cwd; dir != "" && dir != d.Project && dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, name := range names {
			if rel, err := filepath.Rel(d.Project, name); err == nil {
				out = append(out, filepath.Join(dir, rel))
			}
		}
	}
	return out
}

// isOff returns where a file sets the switch, "" when it does not.
func isOff(o *hookio.OffSwitch, name string, text []byte) string {
	if len(text) == 0 {
		return ""
	}
	path := strings.Split(o.Key, ".")
	if strings.HasSuffix(o.Path, ".toml") {
		v, err := tree.TOML(string(text))
		if err != nil {
			return ""
		}
		for _, key := range path {
			v = v.Get(key)
		}
		if v.Text != o.Value {
			return ""
		}
		return fmt.Sprintf("%s:%d", name, 1+strings.Count(string(text[:v.Off]), "\n"))
	}
	doc, err := edit.Parse(name, text)
	if err != nil {
		return ""
	}
	v := edit.Member(&doc.Root, path...)
	if v == nil || !switched(v, o.Value) {
		return ""
	}
	return doc.Pos(v)
}

// switched reports whether a setting has or lists a value. All but false and null may mean true.
func switched(v *hujson.Value, value string) bool {
	is := func(v hujson.Value) bool { return minimal(&v) == value }
	return is(*v) || slices.ContainsFunc(edit.Elements(v), is) || value == "true" && edit.On(v)
}

// recordKey says which version of the posture wrote a host's section, 1 without it. Gates skip keys that begin with $.
const recordKey = "$posture"

// An Absence is what a host's section of a permgate.json lacks of the recommended keys.
type Absence struct {
	New     []hookio.Recommended // they came after the version that wrote the section
	Removed []hookio.Recommended // that version wrote them: a user removed them
}

// Absent compares a host's section of a permgate.json, or what it sets for all hosts, with the recommended keys.
func Absent(h *hookio.Host, d *edit.Doc) (a Absence) {
	section, wrote := edit.Member(&d.Root, "hosts", h.Name), writtenBy(h, d)
	for _, k := range h.Register.Posture {
		switch {
		case edit.Member(section, k.Name) != nil, edit.Member(&d.Root, k.Name) != nil:
		case k.Since > wrote:
			a.New = append(a.New, k)
		default:
			a.Removed = append(a.Removed, k)
		}
	}
	return a
}

// Written reports whether install wrote a host's section of a permgate.json.
func Written(h *hookio.Host, d *edit.Doc) bool {
	return writtenBy(h, d) > 0
}

// writtenBy is the version of the recommended posture that wrote a host's section, 0 for none.
func writtenBy(h *hookio.Host, d *edit.Doc) (version int) {
	section := edit.Member(&d.Root, "hosts", h.Name)
	for _, k := range h.Register.Posture {
		if k.Since == 1 && edit.Member(section, k.Name) != nil {
			version = 1
		}
	}
	if record := edit.Member(section, recordKey); record != nil {
		if n, err := strconv.Atoi(minimal(record)); err == nil && n > 0 {
			version = n
		}
	}
	return version
}

// newest is the version of the posture that this permgate recommends.
func newest(h *hookio.Host) int {
	version := 1
	for _, k := range h.Register.Posture {
		version = max(version, k.Since)
	}
	return version
}

// Recommend adds the recommended keys that are new since a host's section of a permgate.json was written, with all also
// those that were removed from it, and returns them. A section that a newer permgate wrote stays as it is.
func Recommend(h *hookio.Host, d *edit.Doc, all bool) ([]hookio.Recommended, error) {
	wrote, latest := writtenBy(h, d), newest(h)
	absent := Absent(h, d)
	var added []hookio.Recommended
	for _, k := range h.Register.Posture {
		if !slices.Contains(absent.New, k) && !(all && slices.Contains(absent.Removed, k)) {
			continue
		}
		if wrote > latest {
			return nil, fmt.Errorf("a newer permgate wrote hosts.%s (posture %d): upgrade permgate", h.Name, wrote)
		}
		// adding may move the tree: look the section up again
		section, err := d.Object("hosts", h.Name)
		if err != nil {
			return added, err
		}
		if err := d.AddMember(section, k.Name, k.JSON); err != nil {
			return added, fmt.Errorf("%s: %w", k.Name, err)
		}
		added = append(added, k)
	}
	if len(added) == 0 || latest == 1 || writtenBy(h, d) >= latest {
		return added, nil
	}
	return added, d.SetMember(edit.Member(&d.Root, "hosts", h.Name), recordKey, strconv.Itoa(latest))
}

// NewPosture is the permgate.json that install writes for a host without one.
func NewPosture(h *hookio.Host) (*edit.Doc, error) {
	doc, err := edit.Parse("permgate.json", nil)
	if err == nil {
		_, err = Recommend(h, doc, true)
	}
	return doc, err
}

// Observe sets enforce false in the host's section: only managed denies are answered then. Off takes the key out again.
func Observe(h *hookio.Host, d *edit.Doc, on bool) error {
	section, err := d.Object("hosts", h.Name)
	if err != nil {
		return err
	}
	old := edit.Member(section, "enforce")
	switch {
	case on && (old == nil || minimal(old) != "false"): // true as well: it is asked for by name
		return d.SetMember(section, "enforce", "false")
	case !on && old != nil && minimal(old) != "true":
		return d.RemoveMember(section, "enforce")
	}
	return nil
}

// Enforce sets enforce true in the host's section of a managed file that has no enforce: no user can turn that off.
func Enforce(h *hookio.Host, d *edit.Doc) (set bool, err error) {
	section, err := d.Object("hosts", h.Name)
	if err != nil || edit.Member(section, "enforce") != nil {
		return false, err
	}
	return true, d.AddMember(section, "enforce", "true")
}

// Unrecommend takes what Recommend and Observe wrote out of the host's section,
// with objects left empty. It returns what it removed and what has another value.
func Unrecommend(h *hookio.Host, d *edit.Doc) (gone, kept []string, err error) {
	section := edit.Member(&d.Root, "hosts", h.Name)
	for _, k := range append([]hookio.Recommended{{Name: "enforce", JSON: "false"}}, h.Register.Posture...) {
		old := edit.Member(section, k.Name)
		switch {
		case old == nil:
			continue
		case minimal(old) != k.JSON && !(k.Name == "enforce" && minimal(old) == "true"):
			kept = append(kept, k.Name+" is "+minimal(old))
			continue
		}
		if err := d.RemoveMember(section, k.Name); err != nil {
			return gone, kept, fmt.Errorf("%s: %w", k.Name, err)
		}
		gone = append(gone, k.Name)
	}
	if edit.Member(section, recordKey) != nil {
		if err := d.RemoveMember(section, recordKey); err != nil {
			return gone, kept, err
		}
		gone = append(gone, recordKey)
	}
	if len(gone) == 0 {
		return nil, kept, nil
	}
	return gone, kept, d.RemoveEmpty("hosts", h.Name)
}

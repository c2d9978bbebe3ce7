package hosts

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

func (t *target) planHooks() ([]*subcmd.Change, []string, error) {
	e, o, h, p := t.Env, t.o, t.h, t.place
	ch, doc, err := subcmd.ReadForChange(e, p.Name)
	if err != nil {
		return nil, nil, err
	}
	var notes []string
	if h.Register.Inherits {
		if notes, err = t.inherit(doc); err != nil {
			return nil, nil, err
		}
	}
	if o.scope == hookio.ForProject {
		notes = append(notes, "everyone on this project gets this hook, with this path to the binary: "+t.exe)
	}
	ch.What = t.hookSummary(h, p, doc)
	if err := agents.Register(h, p, doc, t.exe); err != nil {
		return nil, nil, err
	}
	ch.Text = doc.Bytes()
	if err := agents.Readable(h, e.Path(p.Name), ch.Text); err != nil {
		return nil, nil, err
	}
	ch.Readable(o.scope)
	out := []*subcmd.Change{ch}
	for _, f := range h.Register.Beside {
		name := filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path))
		side, err := subcmd.LoadText(name)
		if err != nil {
			return nil, nil, err
		}
		if len(side.Old) == 0 || f.Ours(side.Old) { // a text of the user's own is left alone
			side.Text = []byte(f.Text())
			side.Readable(o.scope)
		}
		out = append(out, side)
	}
	for _, other := range t.dirs.Places(h) { // where it was before a file that counts more came to be
		if other.Scope != p.Scope || other.Name == p.Name {
			continue
		}
		more, n, err := t.planRemoval(other)
		if err != nil {
			return nil, nil, err
		}
		if n > 0 {
			out = append(out, more...)
			notes = append(notes, "removed from "+e.Path(other.Name)+", its former place")
		}
	}
	return out, notes, nil
}

// hookSummary is what install would change in the hooks of a file, nil for nothing.
func (m *machine) hookSummary(h *hookio.Host, p agents.Place, doc *edit.Doc) (what []string) {
	absent, outdated, lacked := agents.Missing(h, p, doc, m.exe)
	of := [...]string{" added that run " + m.Path(m.exe), " updated", " removed that the installed release lacks"}
	for i, names := range [...][]string{absent, outdated, lacked} {
		if len(names) > 0 {
			what = append(what, subcmd.Plural(len(names), "hook", "hooks")+of[i]+": "+strings.Join(names, ", "))
		}
	}
	return what
}

// inherit deals with hosts that run the hooks of .claude only while no file of their own has the event.
func (t *target) inherit(doc *edit.Doc) ([]string, error) {
	const event = "PreToolUse" // PermissionRequest is never inherited
	if edit.Member(&doc.Root, "hooks", event) != nil {
		return nil, nil
	}
	claude, _ := t.dirs.Place(agents.Lookup("claude"), hookio.ForUser)
	_, theirs, err := subcmd.ReadForChange(t.Env, claude.Name)
	if err != nil {
		return nil, fmt.Errorf("%w; %s reads the hooks of this file too", err, t.h.Title)
	}
	hidden := t.h.Title + " no longer runs the PreToolUse hooks of .claude files, now that its own file has some"
	if t.o.scope != hookio.ForUser {
		if agents.Others(theirs, event) {
			hidden += "; copy those from " + t.Path(claude.Name) + " by hand if you want them here"
		}
		return []string{hidden + ", nor those of lower native files"}, nil
	}
	n, err := agents.Copy(doc, theirs, event)
	if n > 0 {
		hidden += fmt.Sprintf("; %[2]d from %[1]s were copied", t.Path(claude.Name), n)
	}
	return []string{hidden}, err
}

// planPosture adds recommended keys to permgate.json. Values that are set stay, except enforce with --observe or
// --enforce; where the hook is registered already, only keys new since then are added.
func (t *target) planPosture() (*subcmd.Change, []hookio.Recommended, error) {
	e, o, h := t.Env, t.o, t.h
	name, err := e.PostureFile(h, o.scope)
	if err != nil {
		return nil, nil, err
	}
	ch, doc, err := subcmd.ReadForChange(e, name)
	if err != nil {
		return nil, nil, err
	}
	again := agents.Written(h, doc) && slices.ContainsFunc(t.registrations(h), func(r registered) bool {
		return len(r.found) > 0 && (r.Scope == hookio.ForManaged) == (o.scope == hookio.ForManaged)
	})
	keys, err := agents.Recommend(h, doc, !again)
	if err != nil {
		return nil, nil, err
	}
	switch {
	case again:
		ch.What = append(ch.What, newKeys(h, keys)...)
	case len(keys) > 0:
		ch.What = append(ch.What, "posture for "+h.Title+": "+keyNames(keys)+" (permgate help posture)")
	}
	if o.scope == hookio.ForManaged && !o.observe {
		set, err := agents.Enforce(h, doc)
		if err != nil {
			return nil, nil, err
		}
		if set {
			ch.What = append(ch.What, "enforce true: users and projects cannot turn answers off")
		}
	}
	if before := string(doc.Bytes()); o.observe || o.enforceNow {
		if err := agents.Observe(h, doc, o.observe); err != nil {
			return nil, nil, err
		}
		switch changed := before != string(doc.Bytes()); {
		case changed && o.observe:
			ch.What = append(ch.What, "observe mode on: calls are logged, not answered (enforce false)")
		case changed:
			ch.What = append(ch.What, "observe mode off: calls are answered (enforce false removed)")
		}
	}
	ch.Text = doc.Bytes()
	if o.scope == hookio.ForManaged {
		ch.Readable(o.scope)
	}
	return ch, keys, nil
}

// executable is the path to register: the name on PATH that leads to this file, for it survives updates, else the file.
func executable(e *subcmd.Env) (string, error) {
	file, err := findExecutable(e)
	if err == nil && !utf8.ValidString(file) {
		return "", fmt.Errorf("the path of this binary is not UTF-8, and no JSON file can name it: %q", file)
	}
	return file, err
}

func findExecutable(e *subcmd.Env) (string, error) {
	var own os.FileInfo
	exe, err := e.World.Exe()
	if err == nil {
		own, err = os.Stat(exe)
	}
	if err != nil {
		return "", fmt.Errorf("cannot find permgate's own binary: %w", err)
	}
	name := "permgate"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(e.World.Getenv("PATH")) {
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && filepath.IsAbs(dir) && os.SameFile(info, own) {
			return file, nil
		}
	}
	if base := strings.TrimSuffix(filepath.Base(exe), ".exe"); base != "permgate" {
		return "", fmt.Errorf("this binary is named %s; hooks are recognised by the name permgate", base)
	}
	return exe, nil
}

// hostFound returns the host's program on PATH, or a folder that shows it was used, "" for neither. A folder with
// only what install made shows nothing.
func (m *machine) hostFound(h *hookio.Host) string {
	if _, file := m.Program(h); file != "" {
		return file
	}
	if folder := m.dirs.Path(h.Register, h.Register.Folder); subcmd.Exists(folder) && !m.onlyOurs(folder, 0) {
		return folder
	}
	return ""
}

// onlyOurs reports whether a folder holds only registrations, permgate.json and their backups.
func (m *machine) onlyOurs(folder string, depth int) bool {
	const most = 32 // entries; more are not ours
	entries, err := os.ReadDir(folder)
	if err != nil || len(entries) > most || depth > 3 {
		return false
	}
	return !slices.ContainsFunc(entries, func(entry os.DirEntry) bool {
		switch name := filepath.Join(folder, entry.Name()); {
		case entry.Name() == "permgate.json" || edit.IsBackup(entry.Name()):
			return false
		case entry.IsDir():
			return !m.onlyOurs(name, depth+1)
		default:
			return !entry.Type().IsRegular() || !m.registersOnly(name)
		}
	})
}

// registersOnly reports whether a file holds only permgate's hooks, or goes with one that does.
func (m *machine) registersOnly(name string) bool {
	for _, h := range agents.Hosts() {
		for _, p := range m.dirs.Places(h) {
			for _, f := range h.Register.Beside {
				if name == filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path)) && f.Ours(m.ReadText(name)) {
					return true
				}
			}
			if name != p.Name {
				continue
			}
			doc, err := edit.Parse(name, m.ReadText(name))
			if err != nil {
				return false
			}
			if _, err := agents.Unregister(p, doc, nil); err == nil && agents.Bare(h, doc) {
				return true
			}
		}
	}
	return false
}

// A system is one that --print writes files for.
type system struct {
	name, goos, exe string // exe is where docs/fleet.md puts the binary
	rules           rules.OS
}

var systems = [...]system{
	{"linux", "linux", "/usr/local/bin/permgate", rules.Linux},
	{"macos", "darwin", "/usr/local/bin/permgate", rules.MacOS},
	{"windows", "windows", `C:\Program Files\permgate\permgate.exe`, rules.Windows},
}

// printFiles prints the files that a managed registration consists of, for machines that are set up by other means.
func printFiles(e *subcmd.Env, o *installOptions) int {
	const usage = "permgate install --host claude --scope managed --print --os windows"
	at := slices.IndexFunc(systems[:], func(s system) bool { return s.name == o.os })
	h := agents.Lookup(o.host)
	switch {
	case o.scope != hookio.ForManaged:
		return e.Fail(usage, "--print is for --scope managed: its files name no home directory")
	case at < 0:
		return e.Fail(usage, "unknown system %q; linux, macos and windows are known", hookio.Escape(o.os))
	case h == nil:
		return e.Fail(usage, "%s: no automatic registration for this program", hookio.Escape(o.host))
	}
	s := systems[at]
	if o.exe != "" {
		s.exe = o.exe
	}
	dirs := agents.Dirs{OS: s.goos, Getenv: e.World.Getenv, Exists: func(string) bool { return false }}
	p, ok := dirs.Place(h, hookio.ForManaged)
	if !ok {
		return e.Fail("", "%s has no hook file of scope managed on %s that permgate can write", h.Title, s.name)
	}
	hooks, err := edit.Parse(p.Name, nil)
	if err == nil {
		err = agents.Register(h, p, hooks, s.exe)
	}
	if err != nil {
		return e.Fail("", "%v", err)
	}
	posture, err := agents.NewPosture(h)
	if err == nil {
		_, err = agents.Enforce(h, posture)
	}
	if err != nil {
		return e.Fail("", "%v", err)
	}
	root := slices.Index(load.Roots[:], cmp.Or(subcmd.OwnRoot(h), ".claude"))
	show := func(name string, text []byte) {
		fmt.Fprintf(e.Machine(), "== %s\n%s\n", name, strings.TrimSuffix(string(text), "\n"))
	}
	show(p.Name, hooks.Bytes())
	dir := p.Name[:strings.LastIndexAny(p.Name, `/\`)+1]
	for _, f := range h.Register.Beside {
		show(dir+f.Path, []byte(f.Text()))
	}
	show(s.rules.Native(load.ManagedDirs(s.rules)[root]+"/"+load.ManagedGate), posture.Bytes())
	return subcmd.ExitOK
}

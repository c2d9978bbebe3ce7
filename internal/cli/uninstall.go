package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
)

// uninstallCommand takes the hook out again.
func uninstallCommand() *Command {
	var o installOptions
	return &Command{
		Name:  "uninstall",
		Args:  "--host NAME",
		Short: "remove the hook again",
		Long: `Removes what install added: the entries that run permgate's hook from the agent
program's settings, and the recommended posture from permgate.json unless another
registration of the program needs it. Every other byte of the files stays, including
keys of permgate.json you changed. A file install created is deleted once it is empty.
The output lists what stays: backups (--backups removes them), and the log, session
grants and trust records (permgate state --clean removes those).

It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []Example{
			{"permgate uninstall --host claude --dry-run", "what would change; --diff shows every line"},
			{"permgate uninstall --host claude --backups", "with the backups install made"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs)
			fs.BoolVar(&o.noBackup, "backups", false, "also remove backups of the files, and make none")
		},
		Run: func(e *env, args []string) int { return uninstall(e, &o, args) },
	}
}

// A removal is what uninstall does and what it leaves.
type removal struct {
	hooks   []*change // files of the program; the first is its hook file
	entries int       // hooks in them
	posture *change   // permgate.json, nil where nothing of it goes
	kept    []string  // keys of it that a user set
	backups []*change
	left    []string // backups that stay
}

func uninstall(e *env, o *installOptions, args []string) int {
	h, place, code := o.place(e, args)
	if h == nil {
		return code
	}
	r, err := planUninstall(e, o, h)
	if err != nil {
		return e.failFile(err)
	}
	changes := append(append(r.hooks, r.posture), r.backups...)
	if r.entries == 0 && len(changed(changes)) == 0 {
		fmt.Fprintf(e.out, "not registered in %s; nothing to do\n", e.path(place.Name))
		r.stays(e, h)
		return exitOK
	}
	if done, code := e.apply(&o.writeOptions, changes...); !done {
		return code
	}
	if r.entries > 0 {
		from := r.hooks[0]
		fmt.Fprintf(e.out, "removed %s from %s%s\n", plural(r.entries, "entry", "entries"), e.path(from.name), from.kept(e))
	} else {
		fmt.Fprintf(e.out, "not registered in %s\n", e.path(place.Name))
	}
	for _, ch := range changed(changes) {
		switch {
		case len(ch.text) == 0:
			fmt.Fprintf(e.out, "deleted %s\n", e.path(ch.name))
			e.removeEmpty(filepath.Dir(ch.name))
		case ch == r.posture:
			fmt.Fprintf(e.out, "posture of %s removed from %s%s\n", h.Title, e.path(ch.name), ch.kept(e))
		}
		if ch.backup != "" {
			r.left = append(r.left, ch.backup)
		}
	}
	r.stays(e, h)
	return exitOK
}

// planUninstall works out what goes.
func planUninstall(e *env, o *installOptions, h *hookio.Host) (*removal, error) {
	dirs, err := e.dirs()
	if err != nil {
		return nil, err
	}
	r := &removal{}
	for _, p := range dirs.Places(h) { // where hooks may also be kept, they may have been
		if p.Scope != o.scope {
			continue
		}
		more, n, err := planRemoval(e, h, p)
		if err != nil {
			return nil, err
		}
		r.hooks, r.entries = append(r.hooks, more...), r.entries+n
		if err := r.oldTexts(e, o, p.Name); err != nil {
			return nil, err
		}
	}
	if err := r.planPosture(e, o, h, dirs); err != nil {
		return nil, err
	}
	return r, nil
}

// planRemoval works out what the files of one place become without the hook.
func planRemoval(e *env, h *hookio.Host, p agents.Place) ([]*change, int, error) {
	ch, doc, err := readForChange(e, p.Name)
	if err != nil {
		return nil, 0, err
	}
	n, err := agents.Unregister(p, doc)
	if err != nil || n == 0 {
		return nil, 0, err
	}
	ch.text = doc.Bytes()
	ch.what = []string{plural(n, "hook", "hooks") + " of permgate removed"}
	out := []*change{ch}
	ours := func(d *edit.Doc) bool { return len(agents.Find(h, p, d, "")) > 0 }
	if ch.target != p.Name || !agents.Bare(h, doc) || !p.Own && e.wasThere(ch, ours) {
		return out, n, nil // of a link the file would be left over
	}
	ch.text = nil // the whole file goes
	for _, f := range h.Register.Beside {
		side, err := loadText(filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, 0, err
		}
		if bytes.Equal(side.old, []byte(f.Text)) {
			side.text = nil
			out = append(out, side)
		}
	}
	return out, n, nil
}

// wasThere reports whether a file was there before install: one of its backups
// does not hold what install writes.
func (e *env) wasThere(ch *change, ours func(*edit.Doc) bool) bool {
	for _, name := range edit.OldTexts(e.keptAs(ch.target)) {
		doc, err := edit.Parse(name, e.readText(name))
		if err != nil || !ours(doc) {
			return true
		}
	}
	return false
}

// planPosture works out what permgate.json becomes without what install wrote
// for the host, unless another registration of the host goes by the same file.
func (r *removal) planPosture(e *env, o *installOptions, h *hookio.Host, dirs *agents.Dirs) error {
	exe, _ := e.executable()
	regs := e.registrations(dirs, h, exe)
	for i := range regs {
		if (regs[i].Scope == hookio.ForManaged) == (o.scope == hookio.ForManaged) && regs[i].Scope != o.scope {
			return nil
		}
	}
	name, err := e.postureFile(h, o.scope)
	if err != nil {
		return err
	}
	ch, doc, err := readForChange(e, name)
	if err != nil {
		return err
	}
	gone, kept, err := agents.Unrecommend(h, doc)
	if err != nil {
		return err
	}
	for _, k := range kept {
		r.kept = append(r.kept, e.path(name)+": "+k)
	}
	if err := r.oldTexts(e, o, name); err != nil || len(gone) == 0 {
		return err
	}
	ch.text = doc.Bytes()
	ch.what = []string{"posture of " + h.Title + " removed: " + strings.Join(gone, ", ")}
	ours := func(d *edit.Doc) bool { return edit.Member(edit.Member(&d.Root, "hosts"), h.Name) != nil }
	if ch.target == name && strings.Join(strings.Fields(string(ch.text)), "") == "{}" && !e.wasThere(ch, ours) {
		ch.text = nil
	}
	r.posture = ch
	return nil
}

// oldTexts finds the backups of a file, which stay or go.
func (r *removal) oldTexts(e *env, o *installOptions, name string) error {
	target, _, _, err := edit.Read(name)
	if err != nil {
		return err
	}
	for _, b := range edit.OldTexts(e.keptAs(target)) {
		if !o.noBackup {
			r.left = append(r.left, b)
			continue
		}
		ch, err := loadText(b)
		if err != nil {
			return err
		}
		ch.text = nil
		r.backups = append(r.backups, ch)
	}
	return nil
}

// stays names what uninstall left.
func (r *removal) stays(e *env, h *hookio.Host) {
	for _, k := range r.kept {
		e.wrapped("stays: ", k+" (not what install wrote)")
	}
	if len(r.left) > 0 {
		var names []string
		for _, b := range r.left {
			names = append(names, e.path(b))
		}
		e.wrapped("stays: ", plural(len(names), "backup: ", "backups: ")+strings.Join(names, ", ")+
			" (permgate uninstall --host "+h.Name+" --backups removes them)")
	}
	if dirs, err := e.dirs(); err == nil {
		exe, _ := e.executable()
		for _, reg := range e.registrations(dirs, h, exe) {
			e.wrapped("stays: ", e.path(reg.Name)+" (registered with --scope "+reg.Scope+")")
		}
	}
	if dir := gate.StateDir(&gate.Flags{}, e.world); exists(dir) {
		e.wrapped("stays: ", e.path(dir)+" (log, session grants, trust records; permgate state --clean removes them)")
	}
	if exe, err := e.executable(); err == nil {
		fmt.Fprintf(e.out, "stays: %s (permgate itself)\n", e.path(exe))
		pages, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(exe)), "share", "man", "man[15]", "permgate*"))
		for _, p := range pages {
			fmt.Fprintf(e.out, "stays: %s (manual page)\n", e.path(p))
		}
	}
}

// removeEmpty removes folders from dir up that hold nothing any more, below the
// home directory and the project.
func (e *env) removeEmpty(dir string) {
	dirs, err := e.dirs()
	if err != nil {
		return
	}
	for _, top := range [...]string{dirs.Project, dirs.Home} {
		for at := dir; strings.HasPrefix(at, top+string(filepath.Separator)) && at != e.world.Cwd; at = filepath.Dir(at) {
			if os.Remove(at) != nil { // not empty
				return
			}
		}
	}
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
)

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

// oldTexts finds the backups of a file, and what becomes of them.
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

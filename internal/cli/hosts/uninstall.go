package hosts

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/native"
)

// UninstallCommand takes the hook out again.
func UninstallCommand() *subcmd.Command {
	var o installOptions
	return &subcmd.Command{
		Name:  "uninstall",
		Args:  "--host NAME",
		Short: "remove the hook again",
		Long: `Removes what install added: the entries that run permgate's hook from the agent
program's settings, and the recommended posture from permgate.json unless another
registration of the program needs it. With --scope user the rules go that export wrote,
in every project. Every other byte of the files stays, including
keys of permgate.json you changed. A file install created is deleted once it is empty.
The output lists what stays: backups (--backups removes them), and the log, session
grants and trust records (permgate state --clean removes those).

It changes what is asked about, so it needs a terminal to confirm on, or --yes.`,
		Examples: []subcmd.Example{
			{"permgate uninstall --host claude --dry-run", "what would change; --diff shows every line"},
			{"permgate uninstall --host claude --backups", "with the backups install made"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.register(fs)
			fs.BoolVar(&o.NoBackup, "backups", false, "also remove backups of the files, and make none")
		},
		Run: func(e *subcmd.Env, args []string) int { return uninstall(e, &o, args) },
	}
}

type removal struct {
	hooks   []*subcmd.Change // files of the program; the first is its hook file
	entries int              // hooks in them
	posture *subcmd.Change   // permgate.json, nil where nothing of it goes
	exports []*subcmd.Change // files with rules that export wrote, see unexport
	kept    []string         // keys of it that a user set
	backups []*subcmd.Change
	left    []string // backups that stay
}

func uninstall(e *subcmd.Env, o *installOptions, args []string) int {
	t, code := o.target(e, args)
	if t == nil {
		return code
	}
	t.exe, _ = executable(e)
	r, err := t.planUninstall()
	if err != nil {
		return e.FailFile(err)
	}
	changes := slices.Concat(r.hooks, []*subcmd.Change{r.posture}, r.backups, r.exports)
	if r.entries == 0 && len(subcmd.Changed(changes)) == 0 {
		fmt.Fprintf(e.Out, "not registered in %s; nothing to do\n", e.Path(t.place.Name))
		t.stays(r)
		return subcmd.ExitOK
	}
	if done, code := e.Apply(&o.WriteOptions, changes...); !done {
		return code
	}
	if r.entries > 0 {
		from := r.hooks[0]
		fmt.Fprintf(e.Out, "removed %s from %s%s\n", subcmd.Plural(r.entries, "entry", "entries"), e.Path(from.Name), from.Kept(e))
	} else {
		fmt.Fprintf(e.Out, "not registered in %s\n", e.Path(t.place.Name))
	}
	for _, ch := range subcmd.Changed(changes) {
		switch {
		case slices.Contains(r.exports, ch):
			fmt.Fprintf(e.Out, "exported rules removed from %s%s\n", e.Path(ch.Name), ch.Kept(e))
		case len(ch.Text) == 0:
			fmt.Fprintf(e.Out, "deleted %s\n", e.Path(ch.Name))
			t.removeEmpty(filepath.Dir(ch.Name))
		case ch == r.posture:
			fmt.Fprintf(e.Out, "posture of %s removed from %s%s\n", t.h.Title, e.Path(ch.Name), ch.Kept(e))
		}
		if ch.Backup != "" {
			r.left = append(r.left, ch.Backup)
		}
	}
	t.stays(r)
	return subcmd.ExitOK
}

func (t *target) planUninstall() (*removal, error) {
	r := &removal{}
	for _, p := range t.dirs.Places(t.h) { // where hooks may also be kept, they may have been
		if p.Scope != t.o.scope {
			continue
		}
		more, n, err := t.planRemoval(p)
		if err != nil {
			return nil, err
		}
		r.hooks, r.entries = append(r.hooks, more...), r.entries+n
		if err := t.oldTexts(r, p.Name); err != nil {
			return nil, err
		}
	}
	if err := t.planPostureRemoval(r); err != nil || t.o.scope != hookio.ForUser {
		return r, err
	}
	var err error
	r.exports, err = unexport(t.Env, native.Lookup(t.h.Name), r.hooks)
	return r, err
}

func (t *target) planRemoval(p agents.Place) ([]*subcmd.Change, int, error) {
	h := t.h
	ch, doc, err := subcmd.ReadForChange(t.Env, p.Name)
	if err != nil {
		return nil, 0, err
	}
	n, err := agents.Unregister(p, doc, nil)
	if err != nil {
		return nil, 0, err
	}
	var out []*subcmd.Change
	whole := false
	if n > 0 {
		ours := func(d *edit.Doc) bool { return len(agents.Find(h, p, d, "")) > 0 }
		// of a link the file would be left over
		whole = ch.Target == p.Name && agents.Bare(h, doc) && (p.Own || !t.wasThere(ch, ours))
		ch.What = []string{subcmd.Plural(n, "hook", "hooks") + " of permgate removed"}
		if ch.Text = doc.Bytes(); whole {
			ch.Text = nil
		}
		out = append(out, ch)
	}
	for _, f := range h.Register.Beside {
		side, err := subcmd.LoadText(filepath.Join(filepath.Dir(p.Name), filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, 0, err
		}
		// a plugin that finds no hook refuses every call: it goes, whatever else the file of the hooks holds
		if (whole || f.Mark != "") && f.Ours(side.Old) {
			side.Text = nil
			out = append(out, side)
		}
	}
	return out, n, nil
}

// wasThere reports whether the file is older than install: one of its backups lacks what install writes.
func (t *target) wasThere(ch *subcmd.Change, ours func(*edit.Doc) bool) bool {
	for _, name := range edit.OldTexts(t.KeptAs(ch.Target)) {
		doc, err := edit.Parse(name, t.ReadText(name))
		if err != nil || !ours(doc) {
			return true
		}
	}
	return false
}

// planPostureRemoval takes out of permgate.json what install wrote, unless another registration needs it.
func (t *target) planPostureRemoval(r *removal) error {
	e, o, h := t.Env, t.o, t.h
	for _, reg := range t.registrations(h) {
		if (reg.Scope == hookio.ForManaged) == (o.scope == hookio.ForManaged) && reg.Scope != o.scope {
			return nil
		}
	}
	name, err := e.PostureFile(h, o.scope)
	if err != nil {
		return err
	}
	ch, doc, err := subcmd.ReadForChange(e, name)
	if err != nil {
		return err
	}
	gone, kept, err := agents.Unrecommend(h, doc)
	if err != nil {
		return err
	}
	for _, k := range kept {
		r.kept = append(r.kept, e.Path(name)+": "+k)
	}
	if err := t.oldTexts(r, name); err != nil || len(gone) == 0 {
		return err
	}
	ch.Text = doc.Bytes()
	ch.What = []string{"posture of " + h.Title + " removed: " + strings.Join(gone, ", ")}
	ours := func(d *edit.Doc) bool { return edit.Member(&d.Root, "hosts", h.Name) != nil }
	if ch.Target == name && strings.Join(strings.Fields(string(ch.Text)), "") == "{}" && !t.wasThere(ch, ours) {
		ch.Text = nil
	}
	r.posture = ch
	return nil
}

func (t *target) oldTexts(r *removal, name string) error {
	target, _, _, err := edit.Read(name)
	if err != nil {
		return err
	}
	for _, b := range edit.OldTexts(t.KeptAs(target)) {
		if !t.o.NoBackup {
			r.left = append(r.left, b)
			continue
		}
		ch, err := subcmd.LoadText(b)
		if err != nil {
			return err
		}
		ch.Text = nil
		r.backups = append(r.backups, ch)
	}
	return nil
}

func (t *target) stays(r *removal) {
	e, h := t.Env, t.h
	for _, k := range r.kept {
		e.Wrapped("stays: ", k+" (not what install wrote)")
	}
	if len(r.left) > 0 {
		var names []string
		for _, b := range r.left {
			names = append(names, e.Path(b))
		}
		e.Wrapped("stays: ", subcmd.Plural(len(names), "backup: ", "backups: ")+strings.Join(names, ", ")+
			" (permgate uninstall --host "+h.Name+" --backups removes them)")
	}
	for _, reg := range t.registrations(h) {
		e.Wrapped("stays: ", e.Path(reg.Name)+" (registered with --scope "+reg.Scope+")")
	}
	if dir := gate.StateDir(&gate.Flags{}, e.World); subcmd.Exists(dir) {
		e.Wrapped("stays: ", e.Path(dir)+" (log, session grants, trust records; permgate state --clean removes them)")
	}
	if t.exe != "" {
		fmt.Fprintf(e.Out, "stays: %s (permgate itself)\n", e.Path(t.exe))
		pages, _ := filepath.Glob(filepath.Join(filepath.Dir(filepath.Dir(t.exe)), "share", "man", "man[15]", "permgate*"))
		for _, p := range pages {
			fmt.Fprintf(e.Out, "stays: %s (manual page)\n", e.Path(p))
		}
	}
}

// removeEmpty removes empty folders from dir up, below the home directory and the project.
func (t *target) removeEmpty(dir string) {
	for _, top := range [...]string{t.dirs.Project, t.dirs.Home} {
		for at := dir; strings.HasPrefix(at, top+string(filepath.Separator)) && at != t.World.Cwd; at = filepath.Dir(at) {
			if os.Remove(at) != nil { // not empty
				return
			}
		}
	}
}

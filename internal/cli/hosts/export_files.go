package hosts

import (
	"bytes"
	"errors"
	"maps"
	"path/filepath"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/native"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// An export is what is written for one program, and what was.
type export struct {
	e     *subcmd.Env
	h     *native.Host
	title string
	user  string // the user's settings file of the program

	mark   *subcmd.Change // the record, and what it said
	record *native.Record

	plan    *native.Plan
	targets []*exportTarget
	changes []*subcmd.Change // in the order to be written in
	drift   []exportLine     // what differs from what would be written
}

// An exportTarget is one file of the program.
type exportTarget struct {
	scope, name string
	want        []native.Rule
	change      *subcmd.Change
	doc         *edit.Doc // of settings
}

// exportFile is the user's file of a program: its settings, or rules that are permgate's alone.
func exportFile(e *subcmd.Env, h *native.Host) (string, error) {
	if h.InSettings {
		return e.SettingsFile(e.Policy(hookio.Lookup(h.Name)), hookio.Lookup(h.Name), rules.User.String())
	}
	dirs, err := e.Dirs()
	if err != nil {
		return "", err
	}
	hooks, _ := dirs.Place(hookio.Lookup(h.Name), hookio.ForUser)
	return filepath.Join(filepath.Dir(hooks.Name), "rules", "permgate.rules"), nil
}

// exportMark is the file that says that something was exported.
func exportMark(h *native.Host, file string) string {
	if h.InSettings {
		return filepath.Join(filepath.Dir(file), load.Exported)
	}
	return file
}

func exported(e *subcmd.Env, h *native.Host) bool {
	file, err := exportFile(e, h)
	return err == nil && subcmd.Exists(exportMark(h, file))
}

// newExport works out which rules a program gets, and what changes. Its error is about a file that is not to be
// touched.
func newExport(e *subcmd.Env, h *native.Host) (*export, error) {
	x := &export{e: e, h: h, title: hookio.Lookup(h.Name).Title, drift: []exportLine{}}
	var err error
	if x.user, err = exportFile(e, h); err != nil {
		return nil, err
	}
	w, err := x.withoutOwn()
	if err != nil {
		return nil, err
	}
	p := native.New(h, w)
	x.targets = []*exportTarget{{scope: rules.User.String(), name: x.user}}
	if h.InSettings {
		local, err := e.SettingsFile(p.Policy(), hookio.Lookup(h.Name), rules.Local.String())
		if err != nil {
			return nil, err
		}
		switch x.targets = append(x.targets, &exportTarget{scope: rules.Local.String(), name: local}); {
		case local == filepath.Join(filepath.Dir(x.user), filepath.Base(local)):
			p.NoLocal, x.targets = "there is no project", x.targets[:1]
		case e.World.Files.Tracked(local):
			p.NoLocal = "git tracks " + e.Path(local) + ", so it is not yours alone"
		}
		for _, s := range p.Policy().Sources {
			if doc, err := edit.Parse(s.Path, e.ReadText(s.Path)); err == nil && x.owned(s.Path) {
				p.Sandboxed = p.Sandboxed || edit.On(edit.Member(&doc.Root, "sandbox", "enabled"))
			}
		}
	}
	x.plan = p.Plan(x.owned)
	for i, list := range [][]native.Rule{x.plan.User, x.plan.Local}[:len(x.targets)] {
		x.targets[i].want = list
	}
	return x, x.edit()
}

// withoutOwn is the world without what was exported before: what is written hangs on people's rules alone.
func (x *export) withoutOwn() (gate.World, error) {
	w, file, err := x.e.World, "", error(nil)
	if file, err = exportFile(x.e, native.Lookup("claude")); err != nil {
		return w, err
	}
	if x.mark, err = subcmd.LoadText(filepath.Join(filepath.Dir(file), load.Exported)); err != nil {
		return w, err
	}
	if x.record, err = native.ReadRecord(x.e.Path(x.mark.Name), x.mark.Old); err != nil {
		return w, err
	}
	changes, err := unlisted(x.e, x.record, nil)
	for _, ch := range changes {
		if len(ch.Text) == 0 {
			ch.Text = []byte("{}")
		}
		if len(ch.Old) > 0 {
			w.Files = &subcmd.Preview{Files: w.Files, Name: x.e.World.OS.Canon(ch.Name), Text: ch.Text}
		}
	}
	return w, err
}

// edit works out what changes in the files, and what differs.
func (x *export) edit() error {
	if !x.h.InSettings {
		return x.editRules()
	}
	now, err := native.ReadRecord(x.e.Path(x.mark.Name), x.mark.Old)
	if err != nil {
		return err
	}
	p := x.e.Policy(hookio.Lookup(x.h.Name))
	maps.DeleteFunc(now.Stopped, func(folder string, _ []string) bool { return !subcmd.Exists(folder) })
	x.plan.Withhold(now, p.OS.Native(p.Project.Given))
	x.targets[0].want = x.plan.User
	for _, t := range x.targets {
		if err := x.settings(t, p, now); err != nil {
			return err
		}
	}
	x.order(x.mark, x.record, now)
	return nil
}

// settings changes one settings file, and the record with it.
func (x *export) settings(t *exportTarget, p *rules.Policy, record *native.Record) (err error) {
	if t.change, t.doc, err = x.e.OpenSettings(p, t.scope, t.name); err != nil {
		return err
	}
	key := x.e.World.OS.Canon(load.Resolve(x.e.World.Files, x.e.World.OS.Canon(t.name)))
	was := record.Files[key]
	record.Files[key] = native.Lists{}
	for _, list := range exportLists {
		if record.Files[key][list.String()], err = x.list(t, list, was[list.String()]); err != nil {
			return err
		}
	}
	t.change.Text = t.doc.Bytes()
	if len(t.change.Old) == 0 && edit.Empty(&t.doc.Root) {
		t.change.Text = nil
	}
	return nil
}

// list changes one list: ours are the rules in it that permgate wrote, kept those that it has now.
func (x *export) list(t *exportTarget, list rules.List, ours []string) (kept []string, err error) {
	differs := func(rule, what string) {
		x.drift = append(x.drift, exportLine{x.e.Path(t.name), list.String(), rule, "", what})
	}
	wanted := func(text string) bool {
		return slices.ContainsFunc(t.want, func(r native.Rule) bool { return r.List == list && r.Text == text })
	}
	there := t.doc.Rules(list.String())
	for _, text := range ours {
		switch {
		case !wanted(text):
			differs(text, "is out of date: your settings do not say it any more")
			if err := native.RemoveRule(t.doc, list, text); err != nil {
				return nil, err
			}
		case !slices.Contains(there, text):
			differs(text, "was edited or removed")
			fallthrough
		default:
			kept = append(kept, text)
		}
	}
	t.want = slices.DeleteFunc(t.want, func(r native.Rule) bool { // a person's own
		own := r.List == list && !slices.Contains(kept, r.Text) && slices.Contains(there, r.Text)
		if own && r.From != nil {
			x.plan.Kept = append(x.plan.Kept, r.From)
		}
		return own
	})
	for _, r := range t.want {
		if r.List != list {
			continue
		}
		if !slices.Contains(kept, r.Text) {
			differs(r.Text, "is not written yet")
			kept = append(kept, r.Text)
		}
		if _, err := t.doc.AddRule(list.String(), r.Text); err != nil {
			return nil, err
		}
	}
	slices.Sort(kept)
	return kept, nil
}

// order puts the changes in the order in which each moment is safe: an allow rule in a file is listed in the record.
func (x *export) order(record *subcmd.Change, was, now *native.Record) {
	both, last := *record, *record
	last.Text = now.Bytes()
	if both.Text = last.Text; !bytes.Equal(last.Text, record.Old) {
		both.Text = was.With(now).Bytes()
	}
	last.Old = both.Text
	x.changes = []*subcmd.Change{&both}
	for _, t := range x.targets {
		x.changes = append(x.changes, t.change)
	}
	x.changes = append(x.changes, &last)
	if len(x.drift) == 0 && len(subcmd.Changed(x.changes)) > 0 {
		x.drift = append(x.drift, exportLine{Path: x.e.Path(record.Name), Why: "is out of date"})
	}
}

// editRules writes a file that is permgate's alone.
func (x *export) editRules() (err error) {
	t := x.targets[0]
	if t.change, err = x.e.OpenText(x.e.Policy(nil), t.scope, t.name); err != nil {
		return err
	}
	if why := native.Foreign(string(t.change.Old)); why != "" {
		return errors.New(x.e.Path(t.name) + ":1:1: " + why)
	}
	t.change.Text = nil
	if len(t.want) > 0 {
		t.change.Text = []byte(native.CodexText(t.want))
	}
	if x.changes = []*subcmd.Change{t.change}; t.change.Changed() {
		x.drift = append(x.drift, exportLine{Path: x.e.Path(t.name), Why: "is out of date"})
	}
	return nil
}

// unexport takes out of every file what was exported to a program. Files that others are about to change are changed
// further.
func unexport(e *subcmd.Env, h *native.Host, others []*subcmd.Change) ([]*subcmd.Change, error) {
	if h == nil || !exported(e, h) {
		return nil, nil
	}
	user, err := exportFile(e, h)
	if err != nil {
		return nil, err
	}
	mark, err := subcmd.LoadText(exportMark(h, user))
	if err != nil {
		return nil, err
	}
	if !h.InSettings {
		if native.Foreign(string(mark.Old)) != "" {
			return nil, nil // a person's
		}
		mark.Text = nil
		return []*subcmd.Change{mark}, nil
	}
	record, err := native.ReadRecord(e.Path(mark.Name), mark.Old)
	if err != nil {
		return nil, err
	}
	changes, err := unlisted(e, record, others)
	mark.Text = nil
	return append(changes, mark), err // the record last: what it lists is no grant until then
}

// unlisted takes out of every file what a record lists, and returns those that are not among the others.
func unlisted(e *subcmd.Env, record *native.Record, others []*subcmd.Change) (out []*subcmd.Change, err error) {
	for _, name := range slices.Sorted(maps.Keys(record.Files)) {
		ch, err := subcmd.LoadText(name)
		if err != nil {
			return nil, err
		}
		if at := slices.IndexFunc(others, func(o *subcmd.Change) bool { return o.Target == ch.Target }); at >= 0 {
			ch = others[at]
		} else {
			out = append(out, ch)
		}
		if len(ch.Text) == 0 {
			continue
		}
		doc, err := edit.Parse(e.Path(ch.Name), ch.Text)
		if err != nil {
			return nil, err
		}
		for _, list := range exportLists {
			for _, text := range record.Files[name][list.String()] {
				if err := native.RemoveRule(doc, list, text); err != nil {
					return nil, err
				}
			}
		}
		if ch.Text = doc.Bytes(); edit.Empty(&doc.Root) {
			ch.Text = nil
		}
		ch.What = append(ch.What, "what permgate export wrote is removed")
	}
	return out, nil
}

var exportLists = [...]rules.List{rules.Deny, rules.Ask, rules.Allow}

package cli

import (
	"bytes"
	"fmt"
	"path/filepath"

	"permgate/hookio"
	"permgate/internal/agents"
)

func uninstallCommand() *Command {
	var o installOptions
	return &Command{
		Name:  "uninstall",
		Args:  "--host NAME",
		Short: "take the hook out again",
		Long: `Removes the entries that run permgate's hook from the settings of the agent
program, and nothing else: every other byte of the file stays. A file install made
for permgate alone goes when nothing else is in it. permgate.json, backups, log and
session state are left where they are.

It changes what will be asked, so it needs a terminal to ask on, or --yes.`,
		Examples: []Example{{"permgate uninstall --host claude --dry-run", "what would change; --diff shows every line"}},
		Flags:    o.register,
		Run:      func(e *env, args []string) int { return uninstall(e, &o, args) },
	}
}

func uninstall(e *env, o *installOptions, args []string) int {
	h, _, code := o.place(e, args)
	if h == nil {
		return code
	}
	dirs, err := e.dirs()
	if err != nil {
		return e.fail("", "%v", err)
	}
	var changes []*change
	n := 0
	for _, p := range dirs.Places(h) { // where hooks may also be kept, they may have been
		if p.Scope != o.scope {
			continue
		}
		more, removed, err := planRemoval(e, h, p)
		if err != nil {
			return e.failFile(err)
		}
		changes, n = append(changes, more...), n+removed
	}
	if n == 0 {
		p, _ := dirs.Place(h, o.scope)
		fmt.Fprintf(e.out, "not registered in %s; nothing to do\n", e.path(p.Name))
		return exitOK
	}
	if done, code := e.apply(&o.writeOptions, changes...); !done {
		return code
	}
	fmt.Fprintf(e.out, "removed %s from %s%s\n", plural(n, "entry", "entries"), e.path(changes[0].name), changes[0].kept(e))
	if posture, err := e.postureFile(h, o.scope); err == nil && o.scope != hookio.ForProject && exists(posture) {
		fmt.Fprintf(e.out, "%s stays; delete it if you no longer want it\n", e.path(posture))
	}
	return exitOK
}

// planRemoval works out what the files of one place become without the hook.
func planRemoval(e *env, h *hookio.Host, p agents.Place) ([]*change, int, error) {
	ch, doc, err := load(e, p.Name)
	if err != nil {
		return nil, 0, err
	}
	n, err := agents.Unregister(p, doc)
	if err != nil || n == 0 {
		return nil, 0, err
	}
	ch.text = doc.Bytes()
	ch.what = []string{plural(n, "hook", "hooks") + " of permgate taken out"}
	out := []*change{ch}
	if !p.Own || ch.target != p.Name || !agents.Bare(h, doc) { // a link would lead to nothing
		return out, n, nil
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

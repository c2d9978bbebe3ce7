package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/rules/load"
)

// replace writes one file. What the user had permgate write into a project's
// file is trusted without more ado: each grant that it adds, and no other that
// the file holds.
func (e *env) replace(ch *change) error {
	own := e.own(ch)
	defer own.close()
	if own != nil && own.stale {
		return fmt.Errorf("%s: %w", ch.target, edit.ErrChanged)
	}
	if err := edit.Replace(ch.target, ch.old, ch.text, ch.mode, ch.backup); err != nil {
		return err
	}
	own.wrote(e, ch)
	return nil
}

// An owned is a project's file while permgate writes it. nil is any other file.
type owned struct {
	dir    string       // the project
	before []load.Grant // what it grants before
	whole  bool         // all of that is trusted
	unlock func()
	stale  bool  // it does not hold any more what the change was made from
	err    error // why nothing can be recorded
}

// own looks at a project's file before it is written, and keeps other writers
// from recording until close.
func (e *env) own(ch *change) *owned {
	dir := filepath.Dir(filepath.Dir(ch.name))
	if !slices.Contains(load.Roots[:], filepath.Base(filepath.Dir(ch.name))) ||
		!slices.Contains([]string{"settings.json", "settings.local.json", "permgate.json"}, filepath.Base(ch.name)) {
		return nil
	}
	k := e.grantDiff(dir)
	if canon := e.world.OS.Canon(dir); k.policy.Project.Given != canon || canon == k.policy.Home.Given {
		return nil // the user's own folder
	}
	o := &owned{dir: dir, err: k.err}
	if o.err == nil {
		o.unlock, o.err = k.lock()
	}
	if now, err := os.ReadFile(ch.target); err == nil && !bytes.Equal(now, ch.old) {
		o.stale = true // by another permgate, it may be, that just now released the lock
		return o
	}
	k = e.grantDiff(dir) // what another writer recorded while this one waited
	o.whole = true
	if f := k.find(ch.name); f != nil {
		o.before, o.whole = f.Grants, f.Fault == nil && f.held == nil
	}
	return o
}

// wrote records what was written.
func (o *owned) wrote(e *env, ch *change) {
	if o == nil {
		return
	}
	k := e.grantDiff(o.dir)
	f := k.find(ch.name)
	if f == nil || f.Fault != nil || !bytes.Equal(f.Content, ch.text) {
		return // it is somebody else's by now
	}
	known := f.Recorded(f.trust)
	added, taken := without(f.Grants, o.before), without(o.before, f.Grants)
	now := without(union(known, added), taken)
	switch {
	case len(now) == len(known) && len(added) == 0 && !o.whole, len(f.Grants)+len(known) == 0:
		return
	case o.err == nil:
		content := f.Content
		if !o.whole { // the copy shows what was read, and this was not
			content = nil
			if last := f.last(); last != nil {
				content = last.Content
			}
		}
		o.err = k.put(e, f, now, content)
	}
	if hosts, _ := e.required(); o.err != nil && f.Needed && len(hosts) > 0 {
		fmt.Fprintf(e.err, "%s: %s counts only once trusted, and that could not be recorded: %v\n", e.cmd,
			e.path(ch.name), o.err)
	} else if f = e.grantDiff(o.dir).find(ch.name); f != nil && f.Needed && f.held != nil && len(hosts) > 0 {
		n := len(f.news())
		does, them := "they do", "them"
		if n == 1 {
			does, them = "it does", "it"
		}
		fmt.Fprintf(e.err, "%s: %s also contains %s that %s not trusted, so %s not count\n  hint: permgate trust shows and records %s\n", e.cmd, e.path(ch.name),
			plural(n, "grant", "grants"), map[bool]string{true: "was", false: "were"}[n == 1], does, them)
	}
}

func (o *owned) close() {
	if o != nil && o.unlock != nil {
		o.unlock()
	}
}

// find returns the entry of a file, nil if it is not there.
func (k *grantDiff) find(name string) *entry {
	for _, f := range k.entries {
		if f.Path == k.policy.OS.Canon(name) {
			return f
		}
	}
	return nil
}

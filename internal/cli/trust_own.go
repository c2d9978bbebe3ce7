package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"permgate/internal/edit"
	"permgate/rules"
)

// replace writes one file. What the user had permgate write into a project's
// file stays trusted without more ado: if what stood there before was trusted,
// or granted nothing. Otherwise adding one rule would launder all the others.
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
	dir    string // the project
	clean  bool   // what stands there is trusted, or grants nothing
	unlock func()
	stale  bool  // it does not hold any more what the change was made from
	err    error // why nothing can be recorded
}

// own looks at a project's file before it is written, and keeps other writers
// from recording until close.
func (e *env) own(ch *change) *owned {
	dir := filepath.Dir(filepath.Dir(ch.name))
	if !slices.Contains(rules.Roots[:], filepath.Base(filepath.Dir(ch.name))) || !slices.Contains([]string{"settings.json", "settings.local.json", "permgate.json"}, filepath.Base(ch.name)) {
		return nil
	}
	k := e.ledger(dir)
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
	k = e.ledger(dir) // what another writer recorded while this one waited
	f := k.find(ch.name)
	o.clean = f == nil || f.Fault == nil && (len(f.Grants) == 0 || f.matches())
	return o
}

// wrote records what was written.
func (o *owned) wrote(e *env, ch *change) {
	if o == nil {
		return
	}
	k := e.ledger(o.dir)
	f := k.find(ch.name)
	if f == nil || f.Fault != nil || len(f.Grants) == 0 || !bytes.Equal(f.Content, ch.text) {
		return // it grants nothing, or is somebody else's by now
	}
	if o.clean && o.err == nil {
		o.err = k.put(e, f)
	}
	if !f.Needed || o.clean && o.err == nil {
		return
	}
	switch hosts, _ := e.required(); {
	case len(hosts) == 0:
	case o.err != nil:
		fmt.Fprintf(e.err, "%s: %s counts only when it is trusted, and that could not be recorded: %v\n", e.cmd, e.path(ch.name), o.err)
	case !o.clean:
		fmt.Fprintf(e.err, "%s: %s held grants that nobody trusted, so it only restricts\n  hint: permgate trust shows all it grants, and records it\n", e.cmd, e.path(ch.name))
	}
}

func (o *owned) close() {
	if o != nil && o.unlock != nil {
		o.unlock()
	}
}

// find returns the entry of a file, nil if it is not there.
func (k *ledger) find(name string) *entry {
	for _, f := range k.entries {
		if f.Path == k.policy.OS.Canon(name) {
			return f
		}
	}
	return nil
}

// matches reports whether the content is what was recorded.
func (f *entry) matches() bool {
	return f.record != nil && bytes.Equal(f.record.Content, f.Content)
}

package cli

import (
	"bytes"
	"os"
	"path"

	"permgate/hookio"
	"permgate/internal/edit"
	"permgate/internal/gate"
	"permgate/internal/trust"
	"permgate/rules"
)

// A ledger is what the files of a project grant beside what was trusted of them.
type ledger struct {
	policy  *rules.Policy
	store   *trust.Store
	entries []*entry
	project string // real path
	gone    []*trust.Record
	err     error // why the store cannot be used
}

// An entry is one file.
type entry struct {
	rules.Claim
	file   string // real path
	record *trust.Record
	err    error // why the record cannot be used
}

// The states of a file.
const (
	stateTrusted   = "trusted"
	stateChanged   = "changed"
	stateUntrusted = "untrusted"
	stateNotNeeded = "not needed" // it grants nothing, or git does not track it
	stateFaulty    = "faulty"
	stateGone      = "gone"
)

func (f *entry) state() string {
	switch {
	case f.Fault != nil:
		return stateFaulty
	case !f.Needed:
		return stateNotNeeded
	case f.record == nil:
		return stateUntrusted
	case !f.matches():
		return stateChanged
	}
	return stateTrusted
}

func (f *entry) since() string {
	if f.record == nil {
		return ""
	}
	return trust.Date(f.record.When)
}

// ledger reads the files of the project in dir, "" for the one found from here.
func (e *env) ledger(dir string) *ledger {
	call := &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Cwd: dir, Project: dir}
	p, claims := rules.Claims(gate.Where(call, &gate.Flags{}, e.world), e.world.Files)
	k := &ledger{policy: p, store: gate.TrustStore(&gate.Flags{}, e.world, p)}
	k.project, _ = trust.Key(e.world.Files, e.world.OS, p.Project.Given, "/")
	all, err := k.store.All()
	k.err = err
	known := map[string]bool{}
	for _, c := range claims {
		f := &entry{Claim: c}
		_, f.file = trust.Key(e.world.Files, e.world.OS, p.Project.Given, c.Path)
		if k.err == nil {
			f.record, f.err = k.store.Get(k.project, f.file)
		}
		known[f.file] = true
		k.entries = append(k.entries, f)
	}
	for _, r := range all {
		if r.Project == k.project && !known[r.File] {
			k.gone = append(k.gone, r)
		}
	}
	return k
}

// holds reports whether a file is still what it was when it was shown.
func (k *ledger) holds(f *entry) bool {
	for _, have := range k.entries {
		if have.Path == f.Path {
			return k.err == nil && have.file == f.file && bytes.Equal(have.Content, f.Content) && have.Fault == nil
		}
	}
	return false
}

// lock keeps other processes from writing records. It makes the store.
func (k *ledger) lock() (release func(), err error) {
	if err := k.store.Prepare(); err != nil {
		return nil, err
	}
	return edit.Hold(k.store.Dir)
}

// put records what was read of a file. The caller holds the lock.
func (k *ledger) put(e *env, f *entry) error {
	r := trust.Record{Project: k.project, File: f.file, When: e.world.Now, Content: f.Content}
	name := k.store.File(r.Project, r.File)
	old, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	return edit.Replace(name, old, r.Text(), 0o600, "")
}

// recorded are the records of the project.
func (k *ledger) recorded() []*trust.Record {
	var out []*trust.Record
	for _, f := range k.entries {
		if f.record != nil {
			out = append(out, f.record)
		}
	}
	return append(out, k.gone...)
}

// realName is where a file of the project lies when no symlink inside of the
// project leads elsewhere.
func realName(k *ledger, name string) string {
	if p := k.policy.Project; rules.Within(name, p.Given) {
		return path.Join(p.Real, name[len(p.Given):])
	}
	return name
}

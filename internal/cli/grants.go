package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/trust"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// A grantDiff is what the files of a project grant, and what was trusted of it.
type grantDiff struct {
	policy  *rules.Policy
	store   *trust.Store
	at      trust.Place
	entries []*entry
	gone    []*trust.Record
	err     error // why the store cannot be used
}

// An entry is one file.
type entry struct {
	load.Claim
	file    string // real path
	records []*trust.Record
	trust   load.Trust
	held    []bool // by grant: not recorded; nil when all are
	err     error  // why the records cannot be used
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

// state is one of the states above.
func (f *entry) state() string {
	switch {
	case f.Fault != nil:
		return stateFaulty
	case !f.Needed:
		return stateNotNeeded
	case len(f.records) == 0:
		return stateUntrusted
	case f.held != nil:
		return stateChanged
	}
	return stateTrusted
}

// since is when the file was trusted last, as load.Trust has it.
func (f *entry) since() string { return f.trust.Since }

// news are the grants that were not recorded.
func (f *entry) news() []load.Grant {
	var out []load.Grant
	for i := range f.held {
		if f.held[i] {
			out = append(out, f.Grants[i])
		}
	}
	return out
}

// last is what was recorded last, nil if nothing was.
func (f *entry) last() *trust.Record {
	var last *trust.Record
	for _, r := range f.records {
		if last == nil || r.When.After(last.When) {
			last = r
		}
	}
	return last
}

// grantDiff reads the files of the project in dir, "" for the one found from here.
func (e *env) grantDiff(dir string) *grantDiff {
	call := &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Cwd: dir, Project: dir}
	p, claims := load.Claims(gate.LoadOptions(call, &gate.Flags{}, e.world), e.world.Files)
	k := &grantDiff{policy: p, store: gate.TrustStore(&gate.Flags{}, e.world, p)}
	k.at = trust.Locate(e.world.Files, e.world.OS, e.world.UID, p.Project.Given)
	all, err := k.store.All()
	k.err = err
	known := map[string]bool{}
	for _, c := range claims {
		f := &entry{Claim: c}
		_, f.file = trust.RealPaths(e.world.Files, e.world.OS, p.Project.Given, c.Path)
		if k.err == nil {
			f.records, f.err = k.store.Of(&k.at, f.file)
		}
		f.trust = trust.Sum(f.records, k.at.Project, c.Content)
		f.held = c.Withheld(f.trust)
		for _, key := range k.at.Keys(f.file) {
			known[k.store.File(key)] = true
		}
		k.entries = append(k.entries, f)
	}
	for _, r := range all {
		if k.at.Holds(r.Key) && !known[r.Name] {
			k.gone = append(k.gone, r)
		}
	}
	return k
}

// holds reports whether a file is still what it was when it was shown.
func (k *grantDiff) holds(f *entry) bool {
	for _, have := range k.entries {
		if have.Path == f.Path {
			return k.err == nil && have.file == f.file && bytes.Equal(have.Content, f.Content) && have.Fault == nil
		}
	}
	return false
}

// lock keeps other processes from writing records. It makes the store.
func (k *grantDiff) lock() (release func(), err error) {
	if err := k.store.Prepare(); err != nil {
		return nil, err
	}
	return edit.Hold(k.store.Dir)
}

// put records grants of a file: content is what it is to be compared with
// later. Older records of it end up in the new one. The caller holds the lock.
func (k *grantDiff) put(e *env, f *entry, grants []load.Grant, content []byte) error {
	if errors.Is(f.err, trust.ErrNewer) {
		return f.err
	}
	r := trust.Record{Key: k.at.Key(f.file), When: e.world.Now, Grants: grants, Content: content}
	name := k.store.File(r.Key)
	old, err := os.ReadFile(name)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := edit.Replace(name, old, r.Text(), 0o600, ""); err != nil {
		return err
	}
	for _, was := range f.records {
		if was.Name != name {
			if err := os.Remove(was.Name); err != nil && !os.IsNotExist(err) {
				return err
			}
		}
	}
	return nil
}

// union adds what is not there yet.
func union(list, more []load.Grant) []load.Grant {
	out := list[:len(list):len(list)]
	have := map[load.Grant]bool{}
	for _, g := range list {
		have[g.Key()] = true
	}
	for _, g := range more {
		if !have[g.Key()] {
			have[g.Key()] = true
			out = append(out, g)
		}
	}
	return out
}

// without takes out what is in less.
func without(list, less []load.Grant) []load.Grant {
	gone := map[load.Grant]bool{}
	for _, g := range less {
		gone[g.Key()] = true
	}
	var out []load.Grant
	for _, g := range list {
		if !gone[g.Key()] {
			out = append(out, g)
		}
	}
	return out
}

// recorded are the records of the project.
func (k *grantDiff) recorded() []*trust.Record {
	var out []*trust.Record
	for _, f := range k.entries {
		out = append(out, f.records...)
	}
	return append(out, k.gone...)
}

// realName is where a file of the project lies when no symlink inside of the
// project leads elsewhere.
func realName(k *grantDiff, name string) string {
	if p := k.policy.Project; rules.Within(name, p.Given) {
		return path.Join(p.Real, name[len(p.Given):])
	}
	return name
}

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
		return // another program has changed it by now
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

// all is what was recorded of a file, and all that it grants now: what was
// trusted once stays so, for another branch may still hold it.
func (k *grantDiff) all(f *entry) []load.Grant {
	return union(f.Recorded(k.find(f.Path).trust), f.Grants)
}

// required names the agent programs whose posture demands trust, and says of
// each where it is demanded.
func (e *env) required() (hosts []string, from []rules.Pos) {
	for _, h := range hookio.Hosts() {
		if s := e.policy(h).Posture.ProjectTrust; s.Value == "require" {
			hosts, from = append(hosts, h.Name), append(from, s.Pos)
		}
	}
	return hosts, from
}

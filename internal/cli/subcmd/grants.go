package subcmd

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

// A GrantDiff is what the files of a project grant, and what was trusted of it.
type GrantDiff struct {
	Policy  *rules.Policy
	Store   *trust.Store
	At      trust.Place
	Entries []*Entry
	Gone    []*trust.Record
	Err     error // why the store cannot be used
}

// An Entry is one file.
type Entry struct {
	load.Claim
	File    string // real path
	records []*trust.Record
	trust   load.Trust
	Held    []bool // by grant: not recorded; nil when all are
	Err     error  // why the records cannot be used
}

// The states of a file.
const (
	StateTrusted   = "trusted"
	StateChanged   = "changed"
	StateUntrusted = "untrusted"
	StateNotNeeded = "not needed" // it grants nothing, or git does not track it
	StateFaulty    = "faulty"
	StateGone      = "gone"
)

// State is one of the states above.
func (f *Entry) State() string {
	switch {
	case f.Fault != nil:
		return StateFaulty
	case !f.Needed:
		return StateNotNeeded
	case len(f.records) == 0:
		return StateUntrusted
	case f.Held != nil:
		return StateChanged
	}
	return StateTrusted
}

// Since is when the file was trusted last, as load.Trust has it.
func (f *Entry) Since() string { return f.trust.Since }

// News are the grants that were not recorded.
func (f *Entry) News() []load.Grant {
	var out []load.Grant
	for i := range f.Held {
		if f.Held[i] {
			out = append(out, f.Grants[i])
		}
	}
	return out
}

// Last is what was recorded last, nil if nothing was.
func (f *Entry) Last() *trust.Record {
	var last *trust.Record
	for _, r := range f.records {
		if last == nil || r.When.After(last.When) {
			last = r
		}
	}
	return last
}

// GrantDiff reads the files of the project in dir, "" for the one found from here.
func (e *Env) GrantDiff(dir string) *GrantDiff {
	call := &hookio.Call{Host: hookio.Lookup("generic"), Event: hookio.PreToolUse, Cwd: dir, Project: dir}
	p, claims := load.Claims(gate.LoadOptions(call, &gate.Flags{}, e.World), e.World.Files)
	k := &GrantDiff{Policy: p, Store: gate.TrustStore(&gate.Flags{}, e.World, p)}
	k.At = trust.Locate(e.World.Files, e.World.OS, e.World.UID, p.Project.Given)
	all, err := k.Store.All()
	k.Err = err
	known := map[string]bool{}
	for _, c := range claims {
		f := &Entry{Claim: c}
		_, f.File = trust.RealPaths(e.World.Files, e.World.OS, p.Project.Given, c.Path)
		if k.Err == nil {
			f.records, f.Err = k.Store.Of(&k.At, f.File)
		}
		f.trust = trust.Sum(f.records, k.At.Project, c.Content)
		f.Held = c.Withheld(f.trust)
		for _, key := range k.At.Keys(f.File) {
			known[k.Store.File(key)] = true
		}
		k.Entries = append(k.Entries, f)
	}
	for _, r := range all {
		if k.At.Holds(r.Key) && !known[r.Name] {
			k.Gone = append(k.Gone, r)
		}
	}
	return k
}

// Holds reports whether a file is still what it was when it was shown.
func (k *GrantDiff) Holds(f *Entry) bool {
	have := k.Find(f.Path)
	if have == nil || k.Err != nil || have.Fault != nil {
		return false
	}
	return have.File == f.File && bytes.Equal(have.Content, f.Content)
}

// Lock keeps other processes from writing records. It makes the store.
func (k *GrantDiff) Lock() (release func(), err error) {
	if err := k.Store.Prepare(); err != nil {
		return nil, err
	}
	return edit.Hold(k.Store.Dir)
}

// Put records grants of a file, and content to compare with, in place of older records. The caller holds the lock.
func (k *GrantDiff) Put(e *Env, f *Entry, grants []load.Grant, content []byte) error {
	if errors.Is(f.Err, trust.ErrNewer) {
		return f.Err
	}
	r := trust.Record{Key: k.At.Key(f.File), When: e.World.Now, Grants: grants, Content: content}
	name := k.Store.File(r.Key)
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

func union(list, more []load.Grant) []load.Grant {
	out, have := slices.Clip(list), grantKeys(list)
	for _, g := range more {
		if !have[g.Key()] {
			have[g.Key()] = true
			out = append(out, g)
		}
	}
	return out
}

func without(list, less []load.Grant) []load.Grant {
	gone := grantKeys(less)
	return slices.DeleteFunc(slices.Clone(list), func(g load.Grant) bool { return gone[g.Key()] })
}

func grantKeys(list []load.Grant) map[load.Grant]bool {
	keys := map[load.Grant]bool{}
	for _, g := range list {
		keys[g.Key()] = true
	}
	return keys
}

// Recorded are the records of the project.
func (k *GrantDiff) Recorded() []*trust.Record {
	var out []*trust.Record
	for _, f := range k.Entries {
		out = append(out, f.records...)
	}
	return append(out, k.Gone...)
}

// RealName is where a file of the project lies when no symlink in there leads elsewhere.
func RealName(k *GrantDiff, name string) string {
	if p := k.Policy.Project; rules.Within(name, p.Given) {
		return path.Join(p.Real, name[len(p.Given):])
	}
	return name
}

// Replace writes one file. The grants it adds to a project's file are trusted, and no others.
func (e *Env) Replace(ch *Change) error {
	own := e.own(ch)
	defer own.close()
	if own != nil && own.stale {
		return fmt.Errorf("%s: %w", ch.Target, edit.ErrChanged)
	}
	if err := edit.Replace(ch.Target, ch.Old, ch.Text, ch.mode, ch.Backup); err != nil {
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

// own looks at a project's file before it is written, and locks the records until close.
func (e *Env) own(ch *Change) *owned {
	dir := filepath.Dir(filepath.Dir(ch.Name))
	if !slices.Contains(load.Roots[:], filepath.Base(filepath.Dir(ch.Name))) ||
		!slices.Contains([]string{"settings.json", "settings.local.json", "permgate.json"}, filepath.Base(ch.Name)) {
		return nil
	}
	k := e.GrantDiff(dir)
	if canon := e.World.OS.Canon(dir); k.Policy.Project.Given != canon || canon == k.Policy.Home.Given {
		return nil // the user's own folder
	}
	o := &owned{dir: dir, err: k.Err}
	if o.err == nil {
		o.unlock, o.err = k.Lock()
	}
	if now, err := os.ReadFile(ch.Target); err == nil && !bytes.Equal(now, ch.Old) {
		o.stale = true // by another permgate, it may be, that just now released the lock
		return o
	}
	k = e.GrantDiff(dir) // what another writer recorded while this one waited
	o.whole = true
	if f := k.Find(ch.Name); f != nil {
		o.before, o.whole = f.Grants, f.Fault == nil && f.Held == nil
	}
	return o
}

func (o *owned) wrote(e *Env, ch *Change) {
	if o == nil {
		return
	}
	k := e.GrantDiff(o.dir)
	f := k.Find(ch.Name)
	if f == nil || f.Fault != nil || !bytes.Equal(f.Content, ch.Text) {
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
			if last := f.Last(); last != nil {
				content = last.Content
			}
		}
		o.err = k.Put(e, f, now, content)
	}
	if hosts, _ := e.Required(); o.err != nil && f.Needed && len(hosts) > 0 {
		fmt.Fprintf(e.Err, "%s: %s counts only once trusted, and that could not be recorded: %v\n", e.Cmd,
			e.Path(ch.Name), o.err)
	} else if f = e.GrantDiff(o.dir).Find(ch.Name); f != nil && f.Needed && f.Held != nil && len(hosts) > 0 {
		was, does, them := "were", "they do", "them"
		n := len(f.News())
		if n == 1 {
			was, does, them = "was", "it does", "it"
		}
		fmt.Fprintf(e.Err, "%s: %s also contains %s that %s not trusted, so %s not count\n"+
			"  hint: permgate trust shows and records %s\n",
			e.Cmd, e.Path(ch.Name), Plural(n, "grant", "grants"), was, does, them)
	}
}

func (o *owned) close() {
	if o != nil && o.unlock != nil {
		o.unlock()
	}
}

// Find returns the entry of a file, nil if it is not there.
func (k *GrantDiff) Find(name string) *Entry {
	for _, f := range k.Entries {
		if f.Path == k.Policy.OS.Canon(name) {
			return f
		}
	}
	return nil
}

// All is what was recorded of a file and what it grants now: another branch may still hold what was trusted once.
func (k *GrantDiff) All(f *Entry) []load.Grant {
	return union(f.Recorded(k.Find(f.Path).trust), f.Grants)
}

// Required names the agent programs whose posture demands trust, and where.
func (e *Env) Required() (hosts []string, from []rules.Pos) {
	for _, h := range hookio.Hosts() {
		if s := e.Policy(h).Posture.ProjectTrust; s.Value == "require" {
			hosts, from = append(hosts, h.Name), append(from, s.Pos)
		}
	}
	return hosts, from
}

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path"

	"github.com/rogpeppe/go-internal/diff"

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

// print lists the files and whether they are trusted.
func (k *ledger) print(e *env, json bool) {
	hosts, from := e.required()
	if json {
		k.printJSON(e, hosts)
		return
	}
	fmt.Fprintln(e.out, e.requiredLine(hosts, from))
	for _, f := range k.entries {
		note := ""
		switch f.state() {
		case stateTrusted:
			note = "on " + f.since()
		case stateChanged:
			note = "since " + f.since()
		case stateNotNeeded:
			if note = "grants nothing"; len(f.Grants) > 0 {
				note = "git does not track it"
			}
		case stateFaulty:
			note = e.fault(f.Fault)
		case stateUntrusted:
			if note = plural(len(f.Grants), "grant", "grants"); f.err != nil {
				note += "; " + f.err.Error()
			}
		}
		fmt.Fprintf(e.out, "%-10s  %s   (%s)\n", f.state(), e.path(f.Path), hookio.Escape(e.short(note)))
	}
	for _, r := range k.gone {
		fmt.Fprintf(e.out, "%-10s  %s   (trusted on %s)\n", stateGone, e.path(r.File), trust.Date(r.When))
	}
	if len(k.entries)+len(k.gone) == 0 {
		fmt.Fprintf(e.out, "no settings or agent definitions in %s\n", e.path(k.policy.Project.Given))
	}
}

// printJSON prints the list as one JSON object.
func (k *ledger) printJSON(e *env, hosts []string) {
	var o object
	o.str("project", k.policy.Project.Given)
	o.strs("required_by", hosts)
	o.list("files", len(k.entries)+len(k.gone), func(i int, o *object) {
		if i >= len(k.entries) {
			r := k.gone[i-len(k.entries)]
			o.str("file", r.File)
			o.str("state", stateGone)
			o.str("trusted", trust.Date(r.When))
			return
		}
		f := k.entries[i]
		o.str("file", f.Path)
		o.str("scope", f.Scope.String())
		o.str("state", f.state())
		o.opt("trusted", f.since())
		if f.Fault != nil {
			o.str("fault", f.Fault.Pos.String()+": "+f.Fault.Msg)
		}
		if f.err != nil {
			o.str("record", f.err.Error())
		}
		o.list("grants", len(f.Grants), func(i int, o *object) {
			g := &f.Grants[i]
			o.str("kind", g.Kind)
			o.str("text", g.Text)
			o.num("line", g.Pos.Line)
			o.num("col", g.Pos.Col)
		})
	})
	e.out.Write(append(o.end(), '\n'))
}

// diff prints what changed since the files were trusted.
func (k *ledger) diff(e *env) int {
	code := exitOK
	var err error
	for _, f := range k.entries {
		switch {
		case f.err != nil:
			err = errors.Join(err, f.err)
		case f.record == nil && !f.Needed:
		case f.record == nil:
			e.printDiff(diff.Diff("/dev/null", nil, e.path(f.Path), f.Content))
			code = exitFindings
		case !bytes.Equal(f.record.Content, f.Content):
			e.printDiff(diff.Diff(e.path(f.Path)+" (trusted on "+f.since()+")", f.record.Content, e.path(f.Path), f.Content))
			code = exitFindings
		}
	}
	for _, r := range k.gone {
		e.printDiff(diff.Diff(e.path(r.File)+" (trusted on "+trust.Date(r.When)+")", r.Content, "/dev/null", nil))
		code = exitFindings
	}
	if err != nil {
		return e.failFile(err)
	}
	return code
}

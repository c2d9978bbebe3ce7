package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
)

// A draft is what init writes, and what of it is there already.
type draft struct {
	policy                *profile.Policy
	project, scope        string
	settings, gate, tests string         // the names of the files; no gate where the profile or scope has none
	missed                []missed       // tests that would fail
	left                  []string       // files that are there
	added                 []profile.Rule // to a settings file that is there
	changes               []*change
}

// files works out the names of the files beside the settings.
func (d *draft) files() {
	folder := filepath.Dir(d.settings)
	d.tests = filepath.Join(folder, policytest.LocalFileName)
	if d.scope == rules.Shared.String() {
		d.tests = filepath.Join(folder, policytest.FileName)
		if d.policy.Gate() != nil {
			d.gate = filepath.Join(folder, "permgate.json")
		}
	}
}

// found says what the policy is made for.
func (d *draft) found(e *env) {
	what := d.policy.Names()
	if what == "" {
		what = "no known tools: only the rules every project needs"
	}
	fmt.Fprintf(e.out, "found: %s\n", what)
}

// plan works out what the files become.
func (d *draft) plan(e *env, p *rules.Policy) error {
	d.changes, d.left, d.added = nil, nil, nil
	own := false
	if d.gate != "" { // what restricts comes first
		if err := d.add(d.gate, d.policy.Gate()); err != nil {
			return err
		}
		own = len(d.left) == 0
	}
	if err := d.planRules(e, p); err != nil {
		return err
	}
	if err := d.planTests(e, own); err != nil {
		return err
	}
	if d.scope != rules.Local.String() {
		return nil
	}
	ch, err := e.exclude(d.project, filepath.Base(filepath.Dir(d.settings)))
	if ch != nil {
		d.changes = append(d.changes, ch)
	}
	return err
}

// planTests plans the tests: a new file, or those of the rules that are added
// behind the ones that are there.
func (d *draft) planTests(e *env, own bool) error {
	if len(d.added) == 0 || !exists(d.tests) {
		return d.add(d.tests, d.policy.Tests(own))
	}
	ch, err := loadText(d.tests)
	if err != nil {
		return err
	}
	text := string(ch.old)
	for _, g := range d.policy.Groups {
		if !slices.ContainsFunc(d.added, g.Has) {
			continue
		}
		f := policytest.Parse("", "@mode default\n"+strings.Join(g.Tests, "\n"))
		for i := range f.Tests {
			if text, _, _, err = policytest.Append(e.path(d.tests), text, &f.Tests[i]); err != nil {
				return err
			}
		}
	}
	ch.text = []byte(text)
	d.changes = append(d.changes, ch)
	return nil
}

// add plans a file that is only written where there is none.
func (d *draft) add(name string, text []byte) error {
	if _, err := os.Lstat(name); err == nil {
		d.left = append(d.left, name)
		return nil
	}
	ch, err := loadText(name)
	if err == nil {
		ch.text = text
		ch.readable(d.scope)
		d.changes = append(d.changes, ch)
	}
	return err
}

// planRules plans the settings: a file of its own, with comments, or the rules
// behind those that are there.
func (d *draft) planRules(e *env, p *rules.Policy) error {
	ch, doc, err := e.openSettings(p, d.scope, d.settings)
	if err != nil {
		return err
	}
	if len(ch.old) == 0 {
		ch.text = d.policy.Settings(filepath.Base(filepath.Dir(d.settings)) == ".claude")
		ch.readable(d.scope)
		d.changes = append(d.changes, ch)
		return nil
	}
	for _, r := range d.policy.Rules() {
		added, err := doc.AddRule(r.List.String(), r.Text)
		if err != nil {
			return err
		}
		if added {
			d.added = append(d.added, r)
		}
	}
	if d.policy.Profile == profile.Strict {
		if err := lockBypass(doc); err != nil {
			return err
		}
	}
	if ch.text = doc.Bytes(); ch.changed() {
		d.changes = append(d.changes, ch)
	} else {
		d.left = append(d.left, d.settings)
	}
	return nil
}

// lockBypass sets the lock of the strict profile, unless a value is there.
func lockBypass(doc *edit.Doc) error {
	section, err := doc.Object("permissions")
	if err != nil || edit.Member(section, "disableBypassPermissionsMode") != nil {
		return err
	}
	return doc.AddMember(section, "disableBypassPermissionsMode", edit.Quote("disable"))
}

// report says what was written and what was not, and runs the tests.
func (d *draft) report(e *env, o *initOptions) int {
	tests := false
	for _, ch := range changed(d.changes) {
		tests = tests || ch.name == d.tests
		if len(ch.old) > 0 && ch.name == d.settings {
			fmt.Fprintf(e.out, "added %s to %s%s\n", plural(len(d.added), "rule", "rules"), e.path(ch.name), ch.kept(e))
			continue
		}
		fmt.Fprintf(e.out, "wrote %s%s\n", e.path(ch.name), ch.kept(e))
	}
	for _, name := range d.left {
		fmt.Fprintf(e.out, "left as it is: %s\n", e.path(name))
	}
	if !tests {
		return exitOK
	}
	d.sayMissed(e)
	t := &testOptions{}
	t.Host = o.host
	if runTests(e, t, []string{d.tests}) == exitFindings {
		e.wrapped("note: ", "a test fails if other settings decide differently; permgate explain shows which")
	}
	return exitOK
}

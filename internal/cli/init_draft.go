package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"permgate/internal/profile"
	"permgate/rules"
)

// A draft is what init writes, and what of it is there already.
type draft struct {
	policy                *profile.Policy
	settings, gate, tests string         // the names of the files
	missing               []profile.Rule // of a settings file that is there
	left                  []string       // files that are there
	changes               []*change
}

// found says what the policy is made for.
func (d *draft) found(e *env) {
	what := d.policy.Names()
	if what == "" {
		what = "nothing that is known here: only what every project needs"
	}
	fmt.Fprintf(e.out, "found: %s\n", what)
}

// plan works out the files that are not there yet. Tests are written only
// where they would pass: with the rules they are about.
func (d *draft) plan(e *env) error {
	d.changes, d.left, d.missing = nil, nil, nil
	add := func(name string, text []byte) error {
		if _, err := os.Lstat(name); err == nil {
			d.left = append(d.left, name)
			return nil
		}
		ch, err := loadText(name)
		if err == nil {
			ch.text = text
			ch.readable(rules.Shared.String())
			d.changes = append(d.changes, ch)
		}
		return err
	}
	if err := add(d.gate, d.policy.Gate()); err != nil { // what restricts comes first
		return err
	}
	own := len(d.left) > 0
	if _, err := os.Lstat(d.settings); err == nil {
		if err := d.compare(e); err != nil {
			return err
		}
	}
	plain := filepath.Base(filepath.Dir(d.settings)) == ".claude"
	if err := add(d.settings, d.policy.Settings(plain)); err != nil || len(d.missing) > 0 {
		return err
	}
	return add(d.tests, d.policy.Tests(!own))
}

// compare finds the rules that the settings file lacks.
func (d *draft) compare(e *env) error {
	_, doc, err := load(e, d.settings)
	if err != nil {
		return err
	}
	for _, r := range d.policy.Rules() {
		if !slices.Contains(doc.Rules(r.List.String()), r.Text) {
			d.missing = append(d.missing, r)
		}
	}
	return nil
}

// report says what was written and what was not, and runs the tests.
func (d *draft) report(e *env, o *initOptions) int {
	for _, ch := range d.changes {
		fmt.Fprintf(e.out, "wrote %s\n", e.path(ch.name))
	}
	for _, name := range d.left {
		fmt.Fprintf(e.out, "left as it is: %s\n", e.path(name))
	}
	if len(d.missing) > 0 {
		fmt.Fprintf(e.out, "no tests were written: they need rules that %s does not hold; to add them:\n", e.path(d.settings))
		for _, r := range d.missing {
			fmt.Fprintf(e.out, "  permgate rules add --scope %s %s %s\n", o.scope, r.List, quoteArg(r.Text))
		}
		return exitOK
	}
	if !slices.ContainsFunc(d.changes, func(ch *change) bool { return ch.name == d.tests }) {
		return exitOK
	}
	t := &testOptions{}
	t.Host = o.host
	if runTests(e, t, []string{d.tests}) == exitFindings {
		e.wrapped("note: ", "a test fails where other settings say something else; permgate explain shows which")
	}
	return exitOK
}

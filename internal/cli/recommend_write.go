package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/hookio/redact"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/rules"
)

// A wanted is what is to be written.
type wanted struct {
	picked []*recommend.Proposal
	more   []string // rules in the place of wider ones
	gone   []string // rules that go
}

func (w *wanted) none() bool { return len(w.picked)+len(w.more)+len(w.gone) == 0 }

// added are the rules that are added.
func (w *wanted) added() []string {
	out := slices.Clone(w.more)
	for _, p := range w.picked {
		out = append(out, p.Rule)
	}
	return out
}

// write changes the settings file, and adds a test of each proposal to the policy tests.
func (r *recommending) write(w *wanted) int {
	tests := ""
	done, code := r.env.write(&r.o.writeOptions, func() ([]*change, error) {
		ch, err := r.settings(w)
		if err != nil {
			return nil, err
		}
		more, err := r.tests(ch, w.picked)
		if more != nil {
			tests = more.name
		}
		return []*change{ch, more}, err
	})
	if !done {
		return code
	}
	for _, l := range [...]struct {
		what  string
		texts []string
	}{{"added to", w.added()}, {"removed from", w.gone}} {
		if len(l.texts) > 0 {
			fmt.Fprintf(r.out, "%s allow in %s: %s\n", l.what, r.path(r.file), hookio.Escape(strings.Join(l.texts, ", ")))
		}
	}
	if tests != "" {
		fmt.Fprintf(r.out, "with a test of each in %s\n", r.path(tests))
	}
	return exitOK
}

// settings is the change of the settings file.
func (r *recommending) settings(w *wanted) (*change, error) {
	ch, doc, err := r.openSettings(r.p, r.o.scope, r.file)
	if err != nil {
		return nil, err
	}
	allow := rules.Allow.String()
	for _, text := range w.gone {
		if _, err := doc.RemoveRule(allow, text); err != nil {
			return nil, err
		}
	}
	texts := w.added()
	for _, text := range texts {
		if _, err := doc.AddRule(allow, text); err != nil {
			return nil, err
		}
	}
	ch.text = doc.Bytes()
	ch.readable(r.o.scope)
	if why := r.void(ch, texts); why != "" {
		return nil, fmt.Errorf("the rules would do nothing in %s: %s", r.path(r.file), why)
	}
	return ch, nil
}

// void says why rules of the file do not count, "" where they do.
func (r *recommending) void(ch *change, texts []string) string {
	p := gate.Policy(callOf(r.host), r.flags(), r.worldWith(ch))
	for _, d := range p.Dropped {
		if d.Pos.File == r.world.OS.Canon(r.file) && slices.Contains(texts, d.Text) {
			a := &allowing{env: r.env, c: &decide.Case{Call: callOf(r.host), Policy: p}, flags: r.flags(), file: r.file}
			return a.uncounted()
		}
	}
	return ""
}

// tests adds a line for each rule that a test can be written for; nil when there is none.
func (r *recommending) tests(ch *change, picked []*recommend.Proposal) (*change, error) {
	name, scope, err := r.testFile()
	if err != nil {
		return nil, err
	}
	out, err := r.openText(r.p, scope.String(), name)
	if err != nil {
		return nil, err
	}
	w := r.worldWith(ch)
	text := string(out.old)
	for _, p := range picked {
		t := r.test(w, p)
		if t == nil {
			continue
		}
		if text, _, _, err = policytest.Append(r.path(name), text, t); err != nil {
			return nil, err
		}
	}
	if text == string(out.old) {
		return nil, nil
	}
	out.text = []byte(text)
	out.readable(scope.String())
	return out, nil
}

// testFile is where tests of the rules belong: with those of one person for rules
// that nobody else has.
func (r *recommending) testFile() (name string, scope rules.Scope, err error) {
	scope = scopeNamed(r.o.scope)
	if scope == rules.Local {
		return filepath.Join(filepath.Dir(r.file), policytest.LocalFileName), scope, nil
	}
	name, err = (&testOptions{user: scope == rules.User}).recordFile(r.env, r.p)
	return name, scope, err
}

// test is a test of a rule: the first of the calls it is for that is allowed with it
// and that a line can express; nil for none.
func (r *recommending) test(w gate.World, p *recommend.Proposal) *policytest.Test {
	runner := policytest.Runner{World: w, Dir: r.p.Project.Given}
	f := r.flags()
	f.Mode = r.o.mode
	for _, call := range p.For() {
		c := gate.Case(call, f, w)
		v := decide.Decide(c)
		if v.Decision != hookio.Allow {
			continue
		}
		t, err := runner.Record(c, v, policytest.Context{Mode: r.o.mode})
		if err != nil {
			continue
		}
		line, err := t.Line()
		if _, secret := redact.Text(line); err == nil && !secret {
			return t
		}
	}
	return nil
}

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/agents"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/policy/algebra"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/internal/policy/profile"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// proposed is the file that rules of a draft are said to be in.
const proposed = "permgate init"

// rules are the draft's, as its settings file would have them.
func (d *draft) rules() []rules.Rule {
	scope := rules.Local
	if d.scope == rules.Shared.String() {
		scope = rules.Shared
	}
	claude := filepath.Base(filepath.Dir(d.settings)) == ".claude"
	var out []rules.Rule
	for i, r := range d.policy.Rules() {
		if rule, err := rules.ParseRule(r.Text, r.List, scope, rules.Pos{File: proposed, Line: i + 1}, claude); err == nil {
			out = append(out, rule)
		}
	}
	return out
}

// trim drops rules without effect: a rule in force covers them or decides before them.
func (d *draft) trim(p *rules.Policy) {
	idle := map[profile.Rule]bool{}
	for _, s := range algebra.Shadows(p.With(d.rules()...)) {
		own := slices.ContainsFunc(s.With, func(r *rules.Rule) bool { return r.Pos.File == proposed })
		if s.By != nil && s.Rule.Pos.File == proposed && s.By.Pos.File != proposed && !own {
			idle[profile.Rule{List: s.Rule.List, Text: s.Rule.Text}] = true
		}
	}
	d.policy.Keep(func(r profile.Rule) bool { return !idle[r] }, nil)
}

// missed is the call of a test that would fail, and what it leads to.
type missed struct{ call, why string }

// try runs the draft's tests without a host and under each one as installed. A test that other settings or the
// project's scripts decide otherwise is dropped.
func (d *draft) try(e *subcmd.Env) {
	lines := strings.Split(string(d.policy.Tests(false)), "\n")
	f := policytest.Parse(d.tests, strings.Join(lines, "\n"))
	failed := map[string]bool{}
	for _, h := range append([]*hookio.Host{nil}, registeredFirst(e)...) {
		r := policytest.Runner{World: e.World, Dir: d.project, Extra: d.rules()}
		with := ""
		if h != nil {
			r.World.Files = installed(e, h)
			r.Flags.Host, with = h.Name, " with --host "+h.Name
		}
		for i := range f.Tests {
			t := &f.Tests[i]
			line := lines[t.Pos.Line-1]
			if failed[line] {
				continue
			}
			res, err := r.Run(t)
			if err == nil && res.Wrong == "" {
				continue
			}
			failed[line] = true
			why := fmt.Sprint(err)
			if err == nil {
				why = "(" + res.Got() + with + "): " + e.Short(res.Verdict.Reason)
			}
			d.missed = append(d.missed, missed{t.Argument, why})
		}
	}
	d.policy.Keep(nil, func(line string) bool { return !failed[line] })
}

func (d *draft) sayMissed(e *subcmd.Env) {
	const most = 3
	for i, m := range d.missed {
		if i == most {
			fmt.Fprintf(e.Out, "and %s\n", subcmd.Plural(len(d.missed)-most, "more", "more"))
			return
		}
		e.Wrapped("no test for ", m.call+" "+m.why)
	}
}

// registeredFirst are all hosts, first those permgate is installed for: a reason should name them.
func registeredFirst(e *subcmd.Env) []*hookio.Host {
	var first, rest []*hookio.Host
	for _, h := range hookio.Hosts() {
		if name, err := e.PostureFile(h, hookio.ForUser); err == nil {
			doc, err := edit.Parse(name, e.ReadText(name))
			if err == nil && edit.Member(&doc.Root, "hosts", h.Name) != nil {
				first = append(first, h)
				continue
			}
		}
		rest = append(rest, h)
	}
	return append(first, rest...)
}

// installed are the files after permgate install for a host, with no removal harmless: that depends on the day's files.
func installed(e *subcmd.Env, h *hookio.Host) load.Files {
	if h.Register == nil { // by hand only
		return e.World.Files
	}
	name, err := e.PostureFile(h, hookio.ForUser)
	if err != nil {
		return e.World.Files
	}
	_, doc, err := subcmd.ReadForChange(e, name)
	if err != nil {
		return e.World.Files
	}
	if _, err := agents.Recommend(h, doc, true); err != nil {
		return e.World.Files
	}
	section, err := doc.Object("hosts", h.Name)
	if err != nil || doc.SetMember(section, "destructive", edit.Quote("strict")) != nil {
		return e.World.Files
	}
	return &subcmd.Preview{Files: e.World.Files, Name: e.World.OS.Canon(name), Text: doc.Bytes()}
}

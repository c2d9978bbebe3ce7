package cli

import (
	"time"

	"github.com/permgate--owner/permgate/decide"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/rules"
)

// A recommending is one run of the command.
type recommending struct {
	*env
	o    *recommendOptions
	host *hookio.Host // whose settings folder is used; nil for none in particular
	p    *rules.Policy
	file string
	from *recordedCalls
}

// run gathers the calls, proposes, and writes what is wanted.
func (o *recommendOptions) run(e *env, args []string) int {
	r := &recommending{env: e, o: o}
	var err error
	if r.host, err = gate.NamedHost(o.Host); err != nil {
		return e.unknownHost(err)
	}
	if o.most < 1 {
		return e.fail("", "--most is %d, and takes a number from 1", o.most)
	}
	if o.unused < 1 {
		return e.fail("", "--unused is %d, and takes a number of days from 1", o.unused)
	}
	r.p = e.policyUnder(r.host, &gate.Flags{Home: o.Home})
	e.printFaults(r.p) // with one of them no rule allows anything
	if r.file, err = e.settingsFile(r.p, r.host, o.scope); err != nil {
		return e.fail("--scope local|shared|user", "%v", err)
	}
	if r.from, err = o.source(e, args); err != nil {
		return e.fail("permgate help recommend shows what it reads", "%v", err)
	}
	calls, err := r.gather()
	if err != nil {
		return e.fail("", "%v", err)
	}
	if !o.json && !o.yes && !o.dryRun {
		return r.choose(calls)
	}
	report, err := calls.Recommend(r.file)
	if err != nil {
		return e.failFile(err)
	}
	calls.Tighten(report, o.unused, e.world.Now)
	return r.answer(report)
}

// answer prints the report, and writes it with --yes.
func (r *recommending) answer(report *recommend.Report) int {
	if r.o.json {
		return r.printJSON(report)
	}
	r.read(report)
	r.all(report)
	r.tighter(report)
	if r.o.dryRun || len(report.Rules) == 0 {
		return exitOK
	}
	return r.write(&wanted{picked: report.Rules})
}

// gather reads and decides the calls.
func (r *recommending) gather() (*recommend.Calls, error) {
	r.needed()
	progress := r.progress()
	defer progress.Clear()
	o := recommend.Options{
		Into: propose.Into{List: rules.Allow, Scope: scopeNamed(r.o.scope), Claude: r.claude()},
		Mode: r.o.mode, Wide: r.o.wide, Rare: r.o.rare, Exact: r.o.yes, Most: r.o.most, Lint: r.lint,
	}
	if o.Into.Scope != rules.User {
		o.Project = r.p.Project.Given
	}
	var err error
	if o.Never, err = r.store().Never(); err != nil {
		return nil, err
	}
	calls := recommend.New(o, r.flags(), r.world)
	return calls, r.from.read(func(c *sessions.Call) error {
		if c.Call != nil {
			r.from.poster.bind(c.Call)
		}
		progress.Show(calls.Read, time.Now())
		return calls.Add(c)
	})
}

// flags are the options of a call that records none.
func (r *recommending) flags() *gate.Flags {
	return &gate.Flags{Host: r.o.Host, State: r.o.State, Home: r.o.Home}
}

// store is where the rules that are not to be proposed again are kept.
func (r *recommending) store() *state.Store { return gate.Sessions(r.flags(), r.world) }

// lint is the settings with rules added to the file.
func (r *recommending) lint(texts []string) (*lint.Input, error) {
	ch, err := r.addRules(r.p, r.o.scope, r.file, rules.Allow, texts...)
	if err != nil {
		return nil, err
	}
	return lint.New(r.worldWith(ch), *r.flags(), callOf(r.host).Host), nil
}

// claude reports whether the file is one that Claude Code reads.
func (r *recommending) claude() bool {
	return (&allowing{o: &allowOptions{scope: r.o.scope}, c: &decide.Case{Policy: r.p}, host: r.host}).claude()
}

package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/cli/verify"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/gate/state"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/recommend"
	"github.com/permgate--owner/permgate/internal/policy/sessions"
	"github.com/permgate--owner/permgate/internal/propose"
	"github.com/permgate--owner/permgate/internal/term"
	"github.com/permgate--owner/permgate/rules"
)

type recommendOptions struct {
	verify.RecordedOptions
	subcmd.WriteOptions
	scope      string
	mode       string
	most       int
	unused     int
	wide, rare bool
	json       bool
}

func recommendCommand() *subcmd.Command {
	var o recommendOptions
	return &subcmd.Command{
		Name:     "recommend",
		Args:     "[FILE...]",
		Operands: "file",
		Short:    "propose rules that would have spared prompts, from recorded calls",
		Long: `Reads recorded calls as permgate replay does (the log, or session files), decides each
again, and proposes the allow rules that would have spared the most prompts: the
exact text, a stem where several calls have one, a folder, a host. --wide also
proposes rules for a whole tool. Each figure is what deciding the calls again with
the rule says.

Never proposed: what no allow rule can or should end (deny rules, destructive and
sensitive calls, writes outside the project), what you refused once, what was asked
in one session only (unless --rare), a rule that lint has an exploit for, and one
that would allow an attack of permgate's own tables.

It also names allow rules of the file that matched no call for 30 days (--unused),
with the older calls that need them, and rules far wider than their use, with
narrower ones that would do for every recorded call.

On a terminal you answer each with one key. --yes takes exact rules only. What is
written also adds a line to the policy tests, as permgate test --record does.
docs/recommend.md explains the keys and what is counted.`,
		Examples: []subcmd.Example{
			{"permgate recommend", "from the log, one key each"},
			{"permgate recommend --host claude --since 30d --dry-run", "from the session files of Claude Code; print only"},
			{"permgate recommend --scope user --yes", "exact rules for all projects, without asking"},
		},
		Flags: func(fs *pflag.FlagSet) {
			o.RecordedOptions.Register(fs)
			fs.StringVar(&o.scope, "scope", rules.Local.String(), "settings file to write to: local, shared or user")
			fs.StringVar(&o.mode, "permission-mode", "", "decide the calls in this mode, not in that of each")
			fs.IntVarP(&o.most, "most", "n", defaultMost, "propose at most `N` rules")
			fs.BoolVar(&o.wide, "wide", false, "propose rules for a whole tool too")
			fs.BoolVar(&o.rare, "rare", false, "propose what was asked in one session only too")
			fs.IntVar(&o.unused, "unused", defaultUnused, "report allow rules that matched nothing for `DAYS`")
			fs.BoolVar(&o.json, "json", false, "print the proposals as JSON and write nothing")
			o.WriteOptions.Register(fs)
			fs.Lookup("dry-run").Usage = "print the proposals and write nothing"
			fs.Lookup("yes").Usage = "write the exact rules without asking on the terminal"
			o.RegisterPlaces(fs)
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

// How many rules are proposed, and after how many days one counts as unused.
const (
	defaultMost   = 20
	defaultUnused = 30
)

type recommending struct {
	*subcmd.Env
	o    *recommendOptions
	host *hookio.Host // whose settings folder is used; nil for none in particular
	p    *rules.Policy
	file string
	from *verify.RecordedCalls
}

func (o *recommendOptions) run(e *subcmd.Env, args []string) int {
	r := &recommending{Env: e, o: o}
	var err error
	if r.host, err = gate.NamedHost(o.Host); err != nil {
		return e.UnknownHost(err)
	}
	switch {
	case o.most < 1:
		return e.Fail("", "--most is %d, and takes a number from 1", o.most)
	case o.unused < 1:
		return e.Fail("", "--unused is %d, and takes a number of days from 1", o.unused)
	}
	r.p = e.PolicyUnder(r.host, &gate.Flags{Home: o.Home})
	verify.PrintFaults(e, r.p) // with one of them no rule allows anything
	if r.file, err = e.SettingsFile(r.p, r.host, o.scope); err != nil {
		return e.Fail("--scope local|shared|user", "%v", err)
	}
	if r.from, err = o.Source(e, args); err != nil {
		return e.Fail("permgate help recommend shows what it reads", "%v", err)
	}
	calls, err := r.gather()
	if err != nil {
		return e.Fail("", "%v", err)
	}
	if !o.json && !o.Yes && !o.DryRun {
		return r.choose(calls)
	}
	report, err := calls.Recommend(r.file)
	if err != nil {
		return e.FailFile(err)
	}
	calls.Tighten(report, o.unused, e.World.Now)
	return r.answer(report)
}

func (r *recommending) answer(report *recommend.Report) int {
	if r.o.json {
		return r.PrintJSON(report)
	}
	r.read(report)
	r.all(report)
	r.tighter(report)
	if r.o.DryRun || len(report.Rules) == 0 {
		return subcmd.ExitOK
	}
	return r.write(&wanted{picked: report.Rules})
}

func (r *recommending) gather() (*recommend.Calls, error) {
	r.Needed()
	progress := r.Waiting()
	defer progress.Clear()
	o := recommend.Options{
		Into: propose.Into{List: rules.Allow, Scope: scopeNamed(r.o.scope), Claude: subcmd.ForClaude(r.host, r.p, r.o.scope)},
		Mode: r.o.mode, Wide: r.o.wide, Rare: r.o.rare, Exact: r.o.Yes, Most: r.o.most, Lint: r.lint,
	}
	if o.Into.Scope != rules.User {
		o.Project = r.p.Project.Given
	}
	var err error
	if o.Never, err = r.store().Never(); err != nil {
		return nil, err
	}
	calls := recommend.New(o, r.flags(), r.World)
	return calls, r.from.Read(func(c *sessions.Call) error {
		if c.Call != nil {
			r.from.Poster.Bind(c.Call)
		}
		progress.Show(calls.Read, time.Now())
		return calls.Add(c)
	})
}

func (r *recommending) flags() *gate.Flags {
	return &gate.Flags{Host: r.o.Host, State: r.o.State, Home: r.o.Home}
}

// store is where the rules that are not to be proposed again are kept.
func (r *recommending) store() *state.Store { return gate.Sessions(r.flags(), r.World) }

// lint is the settings with rules added to the file.
func (r *recommending) lint(texts []string) (*lint.Input, error) {
	ch, err := r.AddRules(r.p, r.o.scope, r.file, rules.Allow, texts...)
	if err != nil {
		return nil, err
	}
	return lint.New(r.WorldWith(ch), *r.flags(), subcmd.CallOf(r.host).Host), nil
}

// A choosing asks about one proposal after the other on the terminal.
type choosing struct {
	*recommending
	x    *recommend.Search
	want wanted
	n    int                 // which proposal it is
	p    *recommend.Proposal // that is asked about; nil when it is answered
	over bool
	err  error
}

func (r *recommending) choose(calls *recommend.Calls) int {
	c := &choosing{recommending: r, x: calls.Search()}
	r.read(calls.Report(r.file))
	for c.n = 1; c.n <= r.o.most && !c.over; c.n++ {
		p, err := c.x.Next()
		if err != nil {
			return r.FailFile(err)
		}
		if p == nil {
			break
		}
		if code := c.ask(p); code != subcmd.ExitOK {
			return code
		}
	}
	report := calls.Report(r.file)
	calls.Tighten(report, r.o.unused, r.World.Now)
	if code := c.tighten(report); code != subcmd.ExitOK {
		return code
	}
	switch {
	case c.n == 1 && len(report.Unused)+len(report.Wide) == 0:
		fmt.Fprintf(r.Out, "\nno rule to propose\n")
		return subcmd.ExitOK
	case len(c.want.picked)+len(c.want.more)+len(c.want.gone) == 0:
		return r.Fail("", "nothing was changed")
	}
	return r.write(&c.want)
}

const keysOf = "y yes, n not now, ! never again, - narrower, + wider, q quit"

func (c *choosing) ask(p *recommend.Proposal) int {
	fmt.Fprintln(c.Out)
	c.p = p
	c.one(c.n, p)
	return c.answered(term.Ask("allow this? ["+keysOf+"] ", c.key))
}

func (c *choosing) tighten(r *recommend.Report) int {
	for _, u := range r.Unused {
		code := c.tighter("remove it?", func() { c.oneUnused(u) }, func() { c.want.gone = append(c.want.gone, u.Rule) })
		if code != subcmd.ExitOK {
			return code
		}
	}
	for _, w := range r.Wide {
		code := c.tighter("write these in its place?", func() { c.oneWide(w) }, func() {
			c.want.gone, c.want.more = append(c.want.gone, w.Rule), append(c.want.more, w.Narrower...)
		})
		if code != subcmd.ExitOK {
			return code
		}
	}
	return subcmd.ExitOK
}

// tighter asks whether a rule goes, unless the user has had enough.
func (c *choosing) tighter(question string, show, yes func()) int {
	if c.over {
		return subcmd.ExitOK
	}
	fmt.Fprintln(c.Out)
	show()
	return c.answered(term.Ask(question+" [y yes, n not now, q quit] ", func(line string) (problem string) {
		switch strings.ToLower(line) {
		case "y", "yes":
			yes()
		case "n", "no":
		case "q":
			c.over = true
		default:
			return "please type y, n or q"
		}
		return ""
	}))
}

func (c *choosing) answered(err error) int {
	if err == nil && c.err != nil {
		return c.FailFile(c.err)
	}
	return c.Answered(err, "run it in a terminal; --yes writes the exact rules, "+
		"--dry-run prints all and writes nothing", "answer on")
}

// key does what a key says; problem has the question asked again.
func (c *choosing) key(line string) (problem string) {
	switch strings.ToLower(line) {
	case "y", "yes":
		c.x.Take(c.p)
		c.want.picked = append(c.want.picked, c.p)
	case "n", "no":
		c.x.Leave(c.p)
	case "!":
		c.x.Leave(c.p)
		c.err = c.store().AddNever(c.p.Rule)
	case "-":
		return c.step(c.x.Narrower(c.p))
	case "+":
		return c.step(c.x.Wider(c.p))
	case "q":
		c.over = true
	default:
		return "please type one of: " + keysOf
	}
	return ""
}

// step shows a narrower or wider rule in the place of the one that is asked about.
func (c *choosing) step(p *recommend.Proposal, why string, err error) (problem string) {
	switch {
	case err != nil:
		c.err = err
		return ""
	case p == nil:
		return hookio.Escape(why)
	}
	more := p.Spared - c.p.Spared
	c.p = p
	c.one(c.n, p)
	if more > 0 {
		c.Wrapped("     ", fmt.Sprintf("this step adds %s: %s", subcmd.Plural(more, "prompt", "prompts"), excerpts(p.Adds)))
	}
	return term.Again
}

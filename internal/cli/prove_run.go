package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/prove"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

// run proves what the options want, and prints the report.
func (o *proveOptions) run(e *env, args []string) int {
	if err := o.misused(args); err != nil {
		return e.fail("permgate help prove shows the forms", "%v", err)
	}
	if _, err := gate.NamedHost(o.Host); err != nil {
		return e.unknownHost(err)
	}
	if err := o.misnamed(e); err != nil {
		return e.fail("permgate help prove shows the options", "%v", err)
	}
	policy, against, err := o.sides(e, true)
	if err != nil {
		return e.fail("permgate help prove shows what --policy and --against take", "%v", err)
	}
	now := *policy
	policy = &now
	o.sharing(e, policy, against)
	for i, w := range [...]*gate.World{policy, against} {
		if err := o.faults(e, w, i == 0); err != nil {
			return e.fail("fix the file: what is decided without it is not what it says", "%v", err)
		}
	}
	e.needed()
	r, err := o.prove(e, policy, against)
	if err != nil {
		return e.fail("", "%v", err)
	}
	return o.print(e, r)
}

// sharedAlso is what is assumed where one side is a git revision.
const sharedAlso = "; your own and local settings are the same on both sides, and what the project shares counts as trusted " +
	"(--as-is looks at what is in force now)"

// sharing gives both sides of such a comparison the same local settings, and takes what the project shares
// now for as trusted as what it shared then: what is looked at is what the project changed.
func (o *proveOptions) sharing(e *env, sides ...*gate.World) {
	o.shared = !o.asIs && o.given("against") && slices.ContainsFunc(sides, func(w *gate.World) bool {
		return w.StandIns != nil && w.StandIns.Revision
	})
	for _, w := range sides {
		if !o.shared {
			return
		}
		s := load.StandIns{}
		if w.StandIns != nil {
			s = *w.StandIns
		}
		for _, f := range e.settingsIn(e.policyUnder(nil, &gate.Flags{}).Project.Given).Files {
			if !s.Whole || s.Revision && f.Scope == rules.Local { // what is there already comes first, and counts
				s.Files = append(s.Files, f)
			}
		}
		s.Whole, w.StandIns = true, &s
	}
}

// faults returns why a file of one side cannot be used, and prints what else is wrong.
func (o *proveOptions) faults(e *env, w *gate.World, show bool) error {
	if w == nil {
		return nil
	}
	for _, f := range gate.Policy(callOf(nil), &o.Flags, *w).Faults {
		if f.Closed {
			return errors.New(e.shownFault(f))
		}
		if show {
			fmt.Fprintf(e.err, "%s: %s\n", e.cmd, e.shownFault(f))
		}
	}
	return nil
}

// misused says what is wrong with the options.
func (o *proveOptions) misused(args []string) error {
	one := 0
	for _, option := range [...]string{"against", "never", "always"} {
		if o.given(option) {
			one++
		}
	}
	switch {
	case len(args) > 0:
		return fmt.Errorf("unexpected operand %s: what to compare with is the value of --against", quoteArg(args[0]))
	case one == 0:
		return errors.New("--against is missing: it names the settings to compare with")
	case one > 1:
		return errors.New("only one of --against, --never and --always can be proven at a time")
	case o.given("never") && o.never == "", o.given("always") && o.always == "":
		return errors.New("--never and --always take a rule, not ''")
	case o.equivalent && !o.given("against"):
		return errors.New("--equivalent compares two policies: it goes with --against")
	}
	return o.formatted()
}

// formatted says what is wrong with --format, --json and --as-is.
func (o *proveOptions) formatted() error {
	if o.asIs && !o.given("against") {
		return errors.New("--as-is compares two policies: it goes with --against")
	}
	if o.json && o.given("format") && o.format != "json" {
		return fmt.Errorf("--json and --format %s contradict each other", hookio.Escape(o.format))
	}
	if o.json {
		o.format = "json"
	}
	switch o.format {
	case "", "text", "json", "markdown":
		return nil
	}
	return fmt.Errorf("unknown format %s; text, json and markdown are known", quoteArg(o.format))
}

// misnamed says which name in the options means nothing: with it a proof would hold for
// calls that there are not.
func (o *proveOptions) misnamed(e *env) error {
	known := func(m rules.Mode) bool { return m.Name == o.Mode }
	if o.Mode != "" && o.Mode != "manual" && !slices.ContainsFunc(rules.Modes[:], known) {
		names := make([]string, len(rules.Modes))
		for i, m := range rules.Modes {
			names[i] = m.Name
		}
		return fmt.Errorf("unknown mode %s; %s are known", quoteArg(o.Mode), strings.Join(names, ", "))
	}
	return cmp.Or(e.namesFolder("cwd", o.Cwd), e.namesFolder("home", o.Home))
}

// namesFolder says why the value of an option is no folder, nil for none.
func (e *env) namesFolder(option, name string) error {
	if name == "" {
		return nil
	}
	info, err := e.world.Files.Stat(e.world.OS.Canon(e.abs(name)))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--%s %s: no such folder", option, quoteArg(name))
	case err == nil && !info.IsDir():
		return fmt.Errorf("--%s %s: not a folder", option, quoteArg(name))
	case err != nil:
		return fmt.Errorf("--%s %s: %w", option, quoteArg(name), err)
	}
	return nil
}

// print prints the report, and returns the exit code.
func (o *proveOptions) print(e *env, r *prove.Report) int {
	hideSecrets(r)
	slices.SortStableFunc(r.Findings, func(a, b prove.Finding) int {
		return cmp.Compare(slices.Index(prove.Kinds[:], a.Kind), slices.Index(prove.Kinds[:], b.Kind))
	})
	switch o.format {
	case "json":
		if code := e.printJSON(r); code != exitOK {
			return code
		}
	case "markdown":
		fmt.Fprint(e.machine(), e.proofTable(o, r))
	default:
		(&proofView{e: e, o: o, paint: e.paint()}).print(r)
		e.sayImplied(o.implied)
	}
	return int(r.Verdict)
}

// prove makes the report.
func (o *proveOptions) prove(e *env, policy, against *gate.World) (*prove.Report, error) {
	o.AllowBypass = true // the calls are those of a session in the mode, as its payloads say
	job := &prove.Job{Flags: &o.Flags, World: *policy, Against: against, Tool: o.tool}
	switch {
	case o.never != "":
		job.Claim, job.Pattern = prove.Never, o.never
	case o.always != "":
		job.Claim, job.Pattern = prove.Always, o.always
	case o.equivalent:
		job.Claim = prove.Equivalent
	}
	c := callOptions{Flags: o.Flags}
	c.imply(e)
	o.implied, job.Bind = c.implied, c.implied.bind
	r, err := job.Run()
	if r != nil {
		r.Version, r.Policy = version(), settingsName(o.policy)
		if against != nil {
			r.Other = settingsName(o.against)
		}
		if o.shared {
			r.Assumes += sharedAlso
		}
	}
	return r, err
}

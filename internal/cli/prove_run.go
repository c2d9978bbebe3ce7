package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/prove"
)

// run proves what the options want, and prints the report.
func (o *proveOptions) run(e *env, args []string) int {
	if err := o.misused(args); err != nil {
		return e.fail("permgate help prove shows the forms", "%v", err)
	}
	if _, err := gate.NamedHost(o.Host); err != nil {
		return e.unknownHost(err)
	}
	policy, against, err := o.sides(e)
	if err != nil {
		return e.fail("permgate help prove shows what --policy and --against take", "%v", err)
	}
	for _, f := range gate.Policy(callOf(nil), &gate.Flags{Home: o.Home}, *policy).Faults {
		fmt.Fprintf(e.err, "%s: %s\n", e.cmd, e.shownFault(f))
	}
	e.needed()
	r, err := o.prove(e, policy, against)
	if err != nil {
		return e.fail("", "%v", err)
	}
	return o.print(e, r)
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
	case o.equivalent && !o.given("against"):
		return errors.New("--equivalent compares two policies: it goes with --against")
	case o.json && o.given("format") && o.format != "json":
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

// sides are the settings that are looked at, and those to compare with, nil for none.
func (o *proveOptions) sides(e *env) (policy, against *gate.World, err error) {
	policy = &e.world
	if o.given("policy") {
		if policy, err = e.settingsOf(o.policy, true); err != nil {
			return nil, nil, fmt.Errorf("--policy %w", err)
		}
	}
	if o.given("against") {
		if against, err = e.settingsOf(o.against, true); err != nil {
			return nil, nil, fmt.Errorf("--against %w", err)
		}
	}
	return policy, against, nil
}

// print prints the report, and returns the exit code.
func (o *proveOptions) print(e *env, r *prove.Report) int {
	hideSecrets(r)
	slices.SortStableFunc(r.Findings, func(a, b prove.Finding) int {
		return cmp.Compare(slices.Index(prove.Kinds[:], a.Kind), slices.Index(prove.Kinds[:], b.Kind))
	})
	switch o.format {
	case "json":
		text, err := json.Marshal(r)
		if err != nil {
			return e.fail("", "%v", err)
		}
		e.machine().Write(append(text, '\n'))
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
	}
	return r, err
}

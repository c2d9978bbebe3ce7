package cli

import (
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/cli/verify"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/internal/policy/policytest"
	"github.com/permgate--owner/permgate/rules"
)

const policyUsage = "permgate policy check DIR"

func policyCommand() *subcmd.Command {
	return &subcmd.Command{
		Name:     "policy",
		Args:     "check DIR",
		Operands: "-",
		Short:    "check a policy before it is rolled out to many machines",
		Long: `permgate policy check DIR looks at a folder of managed settings before they reach the
machines they are meant for. docs/fleet.md describes the whole way.`,
		Examples: []subcmd.Example{{"permgate policy check policy", "lint, tests and proof of the folder policy"}},
		Run: func(e *subcmd.Env, _ []string) int {
			return e.Fail(policyUsage, "policy takes a verb: check")
		},
		Subs: []*subcmd.Command{policyCheckCommand()},
	}
}

type policyOptions struct {
	gate.Flags // --host only
	against    string
}

func policyCheckCommand() *subcmd.Command {
	var o policyOptions
	return &subcmd.Command{
		Name:     "check",
		Args:     "DIR",
		Operands: "file",
		Short:    "lint, test and prove a folder of managed settings",
		Long: `DIR holds managed-settings.json, files in managed-settings.d, or permgate.json, and with
them permissions.test. Three things are looked at: mistakes (as permgate lint, from
warnings on), the tests, and whether anything is looser than before (as permgate prove).
Before means the managed settings of this machine, or what --against names: another
folder, or DIR itself at a git revision. Settings of users and projects are left out, so
that the answer is the same on every machine.

Exit code: 0 if nothing was found, 1 if anything was: a mistake, a test that fails, no
tests, something looser, or that nothing can be proven; 3 on errors.`,
		Examples: []subcmd.Example{
			{"permgate policy check policy --against origin/main", "in CI: what the branch changes"},
			{"permgate policy check /srv/policy", "before it replaces what this machine has"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&o.against, "against", "now", "compare with this `DIR|GITREF`, or now")
			subcmd.RegisterOnly(fs, &o.Flags, "host", "home")
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *policyOptions) run(e *subcmd.Env, args []string) int {
	if _, err := gate.NamedHost(o.Host); err != nil {
		return e.UnknownHost(err)
	}
	if len(args) != 1 {
		return e.Fail(policyUsage, "policy check takes one folder, not %d operands", len(args))
	}
	r, err := verify.OpenRollout(e, args[0])
	if err != nil {
		return e.Fail(policyUsage, "%v", err)
	}
	before, err := r.Before(e, o.against)
	if err != nil {
		return e.Fail("permgate policy check --against origin/main DIR", "--against %v", err)
	}
	p := gate.Policy(subcmd.CallOf(nil), &o.Flags, *r.World)
	fmt.Fprintf(e.Out, "%s: managed settings with hash %s\n", e.Path(r.Dir), p.ManagedHash())
	worst := o.lint(e, r)
	unusable := func(f rules.Fault) bool { return f.Closed && f.Scope == rules.Managed }
	if slices.ContainsFunc(p.Faults, unusable) { // so that nothing else can be said
		return worst
	}
	worst = max(worst, o.test(e, r))
	e.Heading("proof")
	return max(worst, min(verify.NoLooser(e, r, before, o.against, o.Flags), subcmd.ExitFindings))
}

func (o *policyOptions) lint(e *subcmd.Env, r *verify.Rollout) int {
	e.Heading("mistakes")
	l := lintOptions{Flags: o.Flags}
	found := findings(l.inputs(e, r.Files), lint.Warning)
	if len(found) == 0 {
		fmt.Fprintln(e.Out, "nothing found")
	}
	return l.print(e, found)
}

func (o *policyOptions) test(e *subcmd.Env, r *verify.Rollout) int {
	e.Heading("tests")
	if len(r.Tests) == 0 {
		fmt.Fprintf(e.Out, "no tests: write %s, with lines such as: deny Read ~/.ssh/id_ed25519\n",
			e.Path(r.Dir+"/"+policytest.FileName))
		return subcmd.ExitFindings
	}
	under := *e
	under.World = *r.World
	t := verify.TestOptions{}
	t.Flags = o.Flags
	return verify.RunTests(&under, &t, r.Tests)
}

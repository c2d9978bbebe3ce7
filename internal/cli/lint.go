package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type lintOptions struct {
	writeOptions
	gate.Flags
	json, sarif, fix, list bool
	severity               string
}

func lintCommand() *Command {
	var o lintOptions
	return &Command{
		Name:     "lint",
		Args:     "[FILE...]",
		Operands: "file",
		Short:    "find mistakes in the settings files",
		Long: `Checks every settings file read for the working directory: rules that cannot match,
that do not do what they seem to, or that allow more than they say. With operands it
checks only these files, each by its name and place: .claude/settings.local.json is
local, any other name counts as a project's settings.json.

--fix fixes what can be fixed without loosening anything: it shows the change first,
with the calls of the log that it would decide otherwise, and asks. --list lists the
checks; permgate explain ID explains one.

Exit code: 0 if nothing was found, 1 if something was, 3 on errors.`,
		Examples: []Example{
			{"permgate lint", "the files read for this directory"},
			{"permgate lint --severity error .claude/settings.json", "one file, certain errors only"},
			{"permgate lint --fix --dry-run", "the fixes it would make"},
			{"permgate lint --sarif > lint.sarif", "for a code scanner"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.json, "json", false, "print one JSON object for every finding")
			fs.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0")
			fs.BoolVar(&o.fix, "fix", false, "fix what can be fixed")
			fs.BoolVar(&o.list, "list", false, "list the checks")
			fs.StringVar(&o.severity, "severity", "note", "lowest severity to show: note, warning or error")
			fs.StringVar(&o.Host, "host", "", "agent program whose section of permgate.json counts")
			o.writeOptions.register(fs)
		},
		Run: func(e *env, args []string) int { return o.run(e, args) },
	}
}

func (o *lintOptions) run(e *env, args []string) int {
	if o.list {
		printLintChecks(e)
		return exitOK
	}
	least, ok := lint.ParseSeverity(o.severity)
	_, unknown := gate.NamedHost(o.Host)
	switch {
	case !ok:
		return e.fail("permgate lint --severity error",
			"unknown severity %q; note, warning and error are known", hookio.Escape(o.severity))
	case unknown != nil:
		return e.unknownHost(unknown)
	case o.fix && (o.json || o.sarif):
		return e.fail("permgate lint --fix, then permgate lint --json", "--fix prints its changes, not findings")
	case o.json && o.sarif:
		return e.fail("permgate lint --sarif", "use only one of --json and --sarif")
	case (o.dryRun || o.yes) && !o.fix:
		return e.fail("permgate lint --fix --dry-run", "--dry-run and --yes go with --fix")
	}
	for _, name := range args {
		if _, err := e.world.Files.ReadFile(e.abs(name), load.MaxSettings); err != nil {
			return e.fail("", "%s: %v", e.path(e.abs(name)), err)
		}
	}
	if o.fix {
		var changes []*change
		o.first = e.firstOn(&o.Flags)
		done, code := e.write(&o.writeOptions, func() (_ []*change, err error) {
			changes, err = o.mend(e, args, least)
			return changes, err
		})
		if !done {
			return code
		}
		for _, ch := range changes {
			fmt.Fprintf(e.out, "fixed %s%s\n", e.path(ch.name), ch.kept(e))
		}
	}
	return o.print(e, o.find(e, args, least))
}

// inputs is what is looked at.
func (o *lintOptions) inputs(e *env, args []string) []*lint.Input {
	host := callOf(hookio.Lookup(o.Host)).Host
	if len(args) == 0 {
		return []*lint.Input{lint.New(e.world, o.Flags, host)}
	}
	return lint.Only(e.world, o.Flags, host, args)
}

func (o *lintOptions) find(e *env, args []string, least lint.Severity) []lint.Finding {
	var found []lint.Finding
	for _, in := range o.inputs(e, args) {
		for _, f := range lint.Run(in) {
			if f.Check.Severity >= least {
				found = append(found, f)
			}
		}
	}
	return found
}

// mend works out what the files become.
func (o *lintOptions) mend(e *env, args []string, least lint.Severity) ([]*change, error) {
	var out []*change
	for _, in := range o.inputs(e, args) {
		mended, err := lint.FixAll(in, func(f *lint.Finding) bool { return f.Check.Severity >= least })
		if err != nil {
			return nil, err
		}
		for i, f := range in.Files {
			if mended.Files[i].Text == f.Text {
				continue
			}
			ch, err := loadText(f.Name)
			if err != nil {
				return nil, err
			}
			if len(args) == 0 && f.Scope != rules.User && rules.Within(f.Path, in.Policy.Project.Given) { // what was found, not named
				if err := e.elsewhere(in.Policy, f.Scope.String(), ch); err != nil {
					return nil, err
				}
			}
			if string(ch.old) != f.Text {
				return nil, fmt.Errorf("%s: %w", e.path(f.Name), edit.ErrChanged)
			}
			ch.text = []byte(mended.Files[i].Text)
			out = append(out, ch)
		}
	}
	return out, nil
}

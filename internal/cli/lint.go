package cli

import (
	"fmt"

	"github.com/spf13/pflag"

	"permgate/hookio"
	"permgate/internal/edit"
	"permgate/internal/gate"
	"permgate/internal/lint"
	"permgate/internal/term"
	"permgate/rules"
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
		Operands: fileOperands,
		Short:    "find mistakes in the settings files",
		Long: `Looks at every settings file that is read for the working directory: rules that
cannot match, that are not what they seem, or that let through more than they
say. With operands it looks at these files alone, each as the file it is by its
name and place: .claude/settings.local.json is local, one named otherwise counts
as a project's settings.json.

--fix mends what can be mended without a change of meaning to the laxer: it shows
the change first and asks. --list names the checks; permgate explain ID prints one.

Exit code 0 when nothing was found, 1 when something was, 3 on errors.`,
		Examples: []Example{
			{"permgate lint", "what is read for this directory"},
			{"permgate lint --severity error .claude/settings.json", "one file, only what is wrong for certain"},
			{"permgate lint --fix --dry-run", "what would be mended"},
			{"permgate lint --sarif > lint.sarif", "for a code scanner"},
		},
		Flags: func(fs *pflag.FlagSet) {
			fs.BoolVar(&o.json, "json", false, "print one JSON object for every finding")
			fs.BoolVar(&o.sarif, "sarif", false, "print SARIF 2.1.0")
			fs.BoolVar(&o.fix, "fix", false, "mend what can be mended")
			fs.BoolVar(&o.list, "list", false, "list the checks")
			fs.StringVar(&o.severity, "severity", "note", "leave out what is less than this: note, warning or error")
			fs.StringVar(&o.Host, "host", "", "agent program to speak for: its section of permgate.json counts")
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
		return e.fail("permgate lint --severity error", "unknown severity %q; note, warning and error are known", hookio.Escape(o.severity))
	case unknown != nil:
		return e.unknownHost(unknown)
	case o.fix && (o.json || o.sarif):
		return e.fail("permgate lint --fix, then permgate lint --json", "--fix prints what it changes, not findings for a program")
	case (o.dryRun || o.yes) && !o.fix:
		return e.fail("permgate lint --fix --dry-run", "--dry-run and --yes go with --fix")
	}
	for _, name := range args {
		if _, err := e.world.Files.ReadFile(e.abs(name), rules.MaxSettings); err != nil {
			return e.fail("", "%s: %v", e.path(e.abs(name)), err)
		}
	}
	if o.fix {
		var changes []*change
		done, code := e.write(&o.writeOptions, func() (_ []*change, err error) {
			changes, err = o.mend(e, args, least)
			return changes, err
		})
		if !done {
			return code
		}
		for _, ch := range changes {
			fmt.Fprintf(e.out, "mended %s%s\n", e.path(ch.name), ch.kept(e))
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

func (o *lintOptions) print(e *env, found []lint.Finding) int {
	switch {
	case o.sarif:
		e.out.Write(append(sarif(e, found), '\n'))
	case o.json:
		for i := range found {
			e.out.Write(append(lintObject(e, &found[i]).end(), '\n'))
		}
	default:
		for i := range found {
			e.lintFinding(&found[i])
		}
		if len(found) > 0 {
			fmt.Fprintf(e.out, "%s\n", summary(found))
		}
	}
	if len(found) > 0 {
		return exitFindings
	}
	return exitOK
}

// lintFinding prints a finding with its line.
func (e *env) lintFinding(f *lint.Finding) {
	paint := e.paint()
	fmt.Fprintf(e.out, "%s: %s: %s: %s\n", lintPlace(e, f), paint(lintColour(f), f.Check.Severity.String()), f.Check.ID, hookio.Escape(e.short(f.Text)))
	columns := 120
	if term.Is(e.out) {
		columns = e.width(4)
	}
	if line, carets := f.Source(columns); line != "" {
		fmt.Fprintf(e.out, "    %s\n    %s\n", line, paint(lintColour(f), carets))
	}
	if f.Exploit != "" {
		e.wrapped("  lets through: ", hookio.Escape(f.Exploit))
	}
	e.wrapped("  instead: ", hookio.Escape(e.short(f.Instead)))
}

func lintColour(f *lint.Finding) hookio.Decision {
	switch f.Check.Severity {
	case lint.Error:
		return hookio.Deny
	case lint.Warning:
		return hookio.Ask
	}
	return hookio.Pass
}

// lintPlace is file:line:col, or the file.
func lintPlace(e *env, f *lint.Finding) string {
	p := f.Pos
	p.File = e.path(f.File.Name)
	return p.String()
}

// summary is the last line: how many, and how many --fix mends.
func summary(found []lint.Finding) string {
	n := 0
	for i := range found {
		if found[i].Edit != nil {
			n++
		}
	}
	s := plural(len(found), "finding", "findings")
	if n > 0 {
		s += fmt.Sprintf("; permgate lint --fix mends %d", n)
	}
	return s
}

// lintObject is a finding for programs.
func lintObject(e *env, f *lint.Finding) *object {
	o := &object{}
	o.str("check", f.Check.ID)
	o.str("severity", f.Check.Severity.String())
	o.str("file", f.File.Name)
	if f.Pos.Line > 0 {
		o.num("line", f.Pos.Line)
		o.num("col", f.Pos.Col)
		if f.End > 0 {
			o.num("end", f.End)
		}
	}
	o.str("text", hookio.Escape(f.Text))
	o.str("instead", hookio.Escape(f.Instead))
	if f.Exploit != "" {
		o.str("exploit", hookio.Escape(f.Exploit))
	}
	o.boolean("fixable", f.Edit != nil)
	return o
}

// printLintChecks lists the checks.
func printLintChecks(e *env) {
	fmt.Fprint(e.out, "What permgate lint looks for in settings files:\n\n")
	for _, c := range lint.Checks() {
		fmt.Fprintf(e.out, "  %-24s %-8s %s\n", c.ID, c.Severity, c.Title)
	}
	fmt.Fprint(e.out, `
error    leaves open what it seems to close, or asks and refuses more than it should
warning  has no effect, or another one than it seems
note     works, but could be said better

permgate explain ID prints why, what to do instead, and examples.
`)
}

// explainLint prints one check of settings files.
func explainLint(e *env, c *lint.Check, json bool) int {
	if json {
		var o object
		o.str("id", c.ID)
		o.str("severity", c.Severity.String())
		o.str("title", c.Title)
		o.str("why", c.Why)
		o.str("instead", c.Fix)
		for _, x := range [...]struct {
			name string
			list []lint.Example
		}{{"reports", c.Fails}, {"passes", c.Passes}} {
			o.list(x.name, len(x.list), func(i int, o *object) {
				o.str("file", x.list[i].Name())
				o.str("text", x.list[i].Text)
				o.opt("at", x.list[i].At)
				o.opt("fixed", x.list[i].Fixed)
			})
		}
		e.out.Write(append(o.end(), '\n'))
		return exitOK
	}
	fmt.Fprintf(e.out, "%s   %s\n", c.ID, c.Severity)
	e.wrapped("  ", c.Title)
	e.wrapped("  why: ", c.Why)
	e.wrapped("  instead: ", c.Fix)
	e.heading("reported")
	for i := range c.Fails {
		e.lintExample(&c.Fails[i])
	}
	e.heading("not reported")
	for i := range c.Passes {
		e.lintExample(&c.Passes[i])
	}
	return exitOK
}

// lintExample prints an example, and what --fix makes of it.
func (e *env) lintExample(x *lint.Example) {
	fmt.Fprintf(e.out, "  %s: %s\n", x.Name(), hookio.Escape(x.Text))
	if x.Fixed != "" {
		fmt.Fprintf(e.out, "    with --fix: %s\n", hookio.Escape(x.Fixed))
	}
}

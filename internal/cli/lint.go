package cli

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/cli/subcmd"
	"github.com/permgate--owner/permgate/internal/edit"
	"github.com/permgate--owner/permgate/internal/gate"
	"github.com/permgate--owner/permgate/internal/policy/lint"
	"github.com/permgate--owner/permgate/rules"
	"github.com/permgate--owner/permgate/rules/load"
)

type lintOptions struct {
	subcmd.WriteOptions
	gate.Flags
	json, sarif, fix, list bool
	severity               string
}

func lintCommand() *subcmd.Command {
	var o lintOptions
	return &subcmd.Command{
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
		Examples: []subcmd.Example{
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
			o.WriteOptions.Register(fs)
		},
		Run: func(e *subcmd.Env, args []string) int { return o.run(e, args) },
	}
}

func (o *lintOptions) run(e *subcmd.Env, args []string) int {
	if o.list {
		printLintChecks(e)
		return subcmd.ExitOK
	}
	least, ok := lint.ParseSeverity(o.severity)
	_, unknown := gate.NamedHost(o.Host)
	switch {
	case !ok:
		return e.Fail("permgate lint --severity error",
			"unknown severity %q; note, warning and error are known", hookio.Escape(o.severity))
	case unknown != nil:
		return e.UnknownHost(unknown)
	case o.fix && (o.json || o.sarif):
		return e.Fail("permgate lint --fix, then permgate lint --json", "--fix prints its changes, not findings")
	case o.json && o.sarif:
		return e.Fail("permgate lint --sarif", "use only one of --json and --sarif")
	case (o.DryRun || o.Yes) && !o.fix:
		return e.Fail("permgate lint --fix --dry-run", "--dry-run and --yes go with --fix")
	}
	for _, name := range args {
		if _, err := e.World.Files.ReadFile(e.Abs(name), load.MaxSettings); err != nil {
			return e.Fail("", "%s: %v", e.Path(e.Abs(name)), err)
		}
	}
	if o.fix {
		var changes []*subcmd.Change
		o.First = firstOn(e, &o.Flags)
		done, code := e.Write(&o.WriteOptions, func() (_ []*subcmd.Change, err error) {
			changes, err = o.mend(e, args, least)
			return changes, err
		})
		if !done {
			return code
		}
		for _, ch := range changes {
			fmt.Fprintf(e.Out, "fixed %s%s\n", e.Path(ch.Name), ch.Kept(e))
		}
	}
	inputs := o.inputs(e, args)
	code := o.print(e, findings(inputs, least))
	prose := len(args) == 0 && !o.json && !o.sarif
	if names := strings.Join(lint.SkillCommands(inputs[0]), ", "); prose && names != "" {
		e.Wrapped("note: ", e.Short("commands in the text of "+names+
			" run when it is loaded; disableSkillShellExecution in settings.json switches that off"))
	}
	return code
}

func (o *lintOptions) inputs(e *subcmd.Env, args []string) []*lint.Input {
	host := subcmd.CallOf(hookio.Lookup(o.Host)).Host
	if len(args) == 0 {
		return []*lint.Input{lint.New(e.World, o.Flags, host)}
	}
	return lint.Only(e.World, o.Flags, host, args)
}

func findings(inputs []*lint.Input, least lint.Severity) (found []lint.Finding) {
	for _, in := range inputs {
		for _, f := range lint.Run(in) {
			if f.Check.Severity >= least {
				found = append(found, f)
			}
		}
	}
	return found
}

func (o *lintOptions) mend(e *subcmd.Env, args []string, least lint.Severity) ([]*subcmd.Change, error) {
	var out []*subcmd.Change
	for _, in := range o.inputs(e, args) {
		mended, err := lint.FixAll(in, func(f *lint.Finding) bool { return f.Check.Severity >= least })
		if err != nil {
			return nil, err
		}
		for i, f := range in.Files {
			if mended.Files[i].Text == f.Text {
				continue
			}
			ch, err := subcmd.LoadText(f.Name)
			if err != nil {
				return nil, err
			}
			if len(args) == 0 && f.Scope != rules.User && rules.Within(f.Path, in.Policy.Project.Given) { // what was found, not named
				if err := e.Elsewhere(in.Policy, f.Scope.String(), ch); err != nil {
					return nil, err
				}
			}
			if string(ch.Old) != f.Text {
				return nil, fmt.Errorf("%s: %w", e.Path(f.Name), edit.ErrChanged)
			}
			ch.Text = []byte(mended.Files[i].Text)
			out = append(out, ch)
		}
	}
	return out, nil
}

func (o *lintOptions) print(e *subcmd.Env, found []lint.Finding) int {
	switch {
	case o.sarif:
		e.PrintObject(sarif(e, found))
	case o.json:
		for i := range found {
			e.PrintObject(lintObject(e, &found[i]))
		}
	default:
		for i := range found {
			lintFinding(e, &found[i])
		}
		if len(found) > 0 {
			fmt.Fprintf(e.Out, "%s\n", summary(found))
		}
	}
	if len(found) > 0 {
		return subcmd.ExitFindings
	}
	return subcmd.ExitOK
}

func lintFinding(e *subcmd.Env, f *lint.Finding) {
	paint := e.Paint()
	fmt.Fprintf(e.Out, "%s: %s: %s: %s\n", lintPlace(e, f), paint(lintColour(f), f.Check.Severity.String()),
		f.Check.ID, hookio.Escape(e.Short(f.Text)))
	columns := 120
	if width := e.Width(); width > 0 {
		columns = width - 4
	}
	if line, carets := f.Source(columns); line != "" {
		fmt.Fprintf(e.Out, "    %s\n    %s\n", line, paint(lintColour(f), carets))
	}
	if f.Exploit != "" {
		e.Wrapped("  also allows: ", hookio.Escape(f.Exploit))
	}
	e.Wrapped("  instead: ", hookio.Escape(e.Short(f.Instead)))
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

func lintPlace(e *subcmd.Env, f *lint.Finding) string {
	p := f.Pos
	p.File = e.Path(f.File.Name)
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
	s := subcmd.Plural(len(found), "finding", "findings")
	if n > 0 {
		s += fmt.Sprintf("; permgate lint --fix mends %d", n)
	}
	return s
}

func lintObject(e *subcmd.Env, f *lint.Finding) *subcmd.Object {
	o := &subcmd.Object{}
	o.Add("check", f.Check.ID, "severity", f.Check.Severity, "file", e.World.OS.Native(f.File.Name))
	if f.Pos.Line > 0 {
		o.Add("line", f.Pos.Line, "col", f.Pos.Col)
		if f.End > 0 {
			o.Add("end", f.End)
		}
	}
	o.Add("text", hookio.Escape(f.Text), "instead", hookio.Escape(f.Instead))
	o.Add("exploit", subcmd.Opt(hookio.Escape(f.Exploit)), "fixable", f.Edit != nil)
	return o
}

func printLintChecks(e *subcmd.Env) {
	fmt.Fprint(e.Out, "What permgate lint looks for in settings files:\n\n")
	for _, c := range lint.Checks() {
		fmt.Fprintf(e.Out, "  %-24s %-8s %s\n", c.ID, c.Severity, c.Title)
	}
	fmt.Fprint(e.Out, `
error    leaves something open, or asks or denies more than it should
warning  has no effect, or a different one than it seems
note     works, and allows more than it seems to

permgate explain ID prints the reason, what to do instead, and examples.
`)
}

// sarif is findings in the form code scanners read: SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
func sarif(e *subcmd.Env, found []lint.Finding) *subcmd.Object {
	o := subcmd.NewObject("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0")
	o.List("runs", 1, func(_ int, run *subcmd.Object) {
		run.Add("tool", sarifTool(), "columnKind", "unicodeCodePoints")
		run.List("results", len(found), func(i int, o *subcmd.Object) { sarifResult(e, o, &found[i]) })
	})
	return o
}

func sarifText(text string) *subcmd.Object { return subcmd.NewObject("text", hookio.Escape(text)) }

func sarifTool() *subcmd.Object {
	checks := lint.Checks()
	driver := subcmd.NewObject("name", "permgate", "version", Version())
	driver.List("rules", len(checks), func(i int, o *subcmd.Object) {
		c := checks[i]
		o.Add("id", c.ID, "shortDescription", sarifText(c.Title), "fullDescription", sarifText(c.Why),
			"help", sarifText(c.Fix), "defaultConfiguration", subcmd.NewObject("level", c.Severity))
	})
	return subcmd.NewObject("driver", driver)
}

func sarifResult(e *subcmd.Env, o *subcmd.Object, f *lint.Finding) {
	index := slices.IndexFunc(lint.Checks(), func(c *lint.Check) bool { return c.ID == f.Check.ID })
	text := f.Advice()
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	o.Add("ruleId", f.Check.ID, "ruleIndex", index, "level", f.Check.Severity, "message", sarifText(text))
	o.List("locations", 1, func(_ int, o *subcmd.Object) {
		at := subcmd.NewObject("artifactLocation", sarifFile(e, f.File.Name))
		if p := f.Pos; p.Line > 0 {
			r := lint.Region{Line: p.Line, Col: p.Col, EndLine: p.Line, EndCol: max(f.End, p.Col+1)}
			at.Add("region", sarifRegion(r))
		}
		o.Add("physicalLocation", at)
	})
	fixed, err := lint.Fix(f.File, []lint.Finding{*f})
	if f.Edit == nil || err != nil {
		return
	}
	region, text := lint.Difference(f.File.Text, fixed)
	o.List("fixes", 1, func(_ int, o *subcmd.Object) {
		o.Add("description", sarifText(f.Instead))
		o.List("artifactChanges", 1, func(_ int, o *subcmd.Object) {
			o.Add("artifactLocation", sarifFile(e, f.File.Name))
			o.List("replacements", 1, func(_ int, o *subcmd.Object) {
				o.Add("deletedRegion", sarifRegion(region), "insertedContent", subcmd.NewObject("text", text))
			})
		})
	})
}

func sarifRegion(r lint.Region) *subcmd.Object {
	return subcmd.NewObject("startLine", r.Line, "startColumn", r.Col, "endLine", r.EndLine, "endColumn", r.EndCol)
}

// sarifFile is a relative reference below the working directory, else a file URI.
func sarifFile(e *subcmd.Env, name string) *subcmd.Object {
	if rest, ok := e.Below(name, e.World.Cwd); ok {
		return subcmd.NewObject("uri", (&url.URL{Path: rest}).String())
	}
	u := url.URL{Scheme: "file", Path: e.World.OS.Slashes(e.World.OS.Native(name))}
	if !path.IsAbs(u.Path) {
		u.Path = "/" + u.Path
	}
	return subcmd.NewObject("uri", u.String())
}

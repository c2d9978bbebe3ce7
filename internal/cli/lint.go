package cli

import (
	"fmt"
	"net/url"
	"path"
	"strings"

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

func (o *lintOptions) print(e *env, found []lint.Finding) int {
	switch {
	case o.sarif:
		e.machine().Write(append(sarif(e, found), '\n'))
	case o.json:
		for i := range found {
			e.machine().Write(append(lintObject(e, &found[i]).end(), '\n'))
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
	fmt.Fprintf(e.out, "%s: %s: %s: %s\n", lintPlace(e, f), paint(lintColour(f), f.Check.Severity.String()),
		f.Check.ID, hookio.Escape(e.short(f.Text)))
	columns := 120
	if width := e.width(); width > 0 {
		columns = width - 4
	}
	if line, carets := f.Source(columns); line != "" {
		fmt.Fprintf(e.out, "    %s\n    %s\n", line, paint(lintColour(f), carets))
	}
	if f.Exploit != "" {
		e.wrapped("  also allows: ", hookio.Escape(f.Exploit))
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
	o.add("check", f.Check.ID, "severity", f.Check.Severity, "file", f.File.Name)
	if f.Pos.Line > 0 {
		o.add("line", f.Pos.Line, "col", f.Pos.Col)
		if f.End > 0 {
			o.num("end", f.End)
		}
	}
	o.add("text", hookio.Escape(f.Text), "instead", hookio.Escape(f.Instead))
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
error    leaves something open, or asks or denies more than it should
warning  has no effect, or a different one than it seems
note     works, and allows more than it seems to

permgate explain ID prints the reason, what to do instead, and examples.
`)
}

// sarif is findings in the form code scanners read: SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html).
func sarif(e *env, found []lint.Finding) []byte {
	var o object
	o.add("$schema", "https://json.schemastore.org/sarif-2.1.0.json", "version", "2.1.0")
	o.list("runs", 1, func(_ int, run *object) {
		run.add("tool", sarifTool(), "columnKind", "unicodeCodePoints")
		run.list("results", len(found), func(i int, o *object) { sarifResult(e, o, &found[i]) })
	})
	return o.end()
}

// sarifText is the message object that the format has for every text.
func sarifText(text string) []byte {
	var o object
	o.str("text", hookio.Escape(text))
	return o.end()
}

func sarifTool() []byte {
	checks := lint.Checks()
	var tool, driver object
	driver.add("name", "permgate", "version", version())
	driver.list("rules", len(checks), func(i int, o *object) {
		c := checks[i]
		o.add("id", c.ID, "shortDescription", sarifText(c.Title), "fullDescription", sarifText(c.Why),
			"help", sarifText(c.Fix))
		var level object
		level.str("level", c.Severity.String())
		o.raw("defaultConfiguration", level.end())
	})
	tool.raw("driver", driver.end())
	return tool.end()
}

func sarifResult(e *env, o *object, f *lint.Finding) {
	o.str("ruleId", f.Check.ID)
	for i, c := range lint.Checks() {
		if c.ID == f.Check.ID {
			o.num("ruleIndex", i)
		}
	}
	o.str("level", f.Check.Severity.String())
	text := f.Text + "; instead: " + f.Instead
	if f.Exploit != "" {
		text += "; also allows: " + f.Exploit
	}
	o.raw("message", sarifText(text))
	o.list("locations", 1, func(_ int, o *object) {
		var at object
		at.raw("artifactLocation", sarifFile(e, f.File.Name))
		if f.Pos.Line > 0 {
			at.raw("region", sarifRegion(lint.Region{Line: f.Pos.Line, Col: f.Pos.Col, EndLine: f.Pos.Line,
				EndCol: max(f.End, f.Pos.Col+1)}))
		}
		o.raw("physicalLocation", at.end())
	})
	fixed, err := lint.Fix(f.File, []lint.Finding{*f})
	if f.Edit == nil || err != nil {
		return
	}
	region, text := lint.Difference(f.File.Text, fixed)
	o.list("fixes", 1, func(_ int, o *object) {
		o.raw("description", sarifText(f.Instead))
		o.list("artifactChanges", 1, func(_ int, o *object) {
			o.raw("artifactLocation", sarifFile(e, f.File.Name))
			o.list("replacements", 1, func(_ int, o *object) {
				o.raw("deletedRegion", sarifRegion(region))
				var content object
				content.str("text", text)
				o.raw("insertedContent", content.end())
			})
		})
	})
}

func sarifRegion(r lint.Region) []byte {
	var o object
	o.add("startLine", r.Line, "startColumn", r.Col, "endLine", r.EndLine, "endColumn", r.EndCol)
	return o.end()
}

// sarifFile is a file below the working directory as a relative reference,
// any other as a file URI.
func sarifFile(e *env, name string) []byte {
	u := url.URL{Scheme: "file", Path: name}
	if rest, ok := strings.CutPrefix(name, strings.TrimSuffix(e.world.Cwd, "/")+"/"); ok {
		u = url.URL{Path: rest}
	} else if !path.IsAbs(name) {
		u.Path = "/" + name
	}
	var o object
	o.str("uri", u.String())
	return o.end()
}

package cli

import (
	"fmt"

	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/lint"
)

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
error    leaves something open, or asks or denies more than it should
warning  has no effect, or a different one than it seems
note     works, but could be clearer

permgate explain ID prints the reason, what to do instead, and examples.
`)
}

package cli

import (
	"fmt"

	"permgate/hookio"
	"permgate/internal/lint"
)

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

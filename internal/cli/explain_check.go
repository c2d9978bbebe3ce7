package cli

import (
	"fmt"

	"github.com/permgate--owner/permgate/bashsafety"
	"github.com/permgate--owner/permgate/hookio"
	"github.com/permgate--owner/permgate/internal/policy/lint"
)

// A checkText is what explain says of a check, of shell texts or of settings files.
type checkText struct{ id, severity, title, why, instead string }

func (c *checkText) fill(o *object) {
	o.str("id", c.id)
	o.str("severity", c.severity)
	o.str("title", c.title)
	o.str("why", c.why)
	o.opt("instead", c.instead)
}

func (c *checkText) print(e *env) {
	fmt.Fprintf(e.out, "%s   %s\n", c.id, c.severity)
	e.wrapped("  ", c.title)
	e.wrapped("  why: ", c.why)
	if c.instead != "" {
		e.wrapped("  instead: ", c.instead)
	}
}

// explainCheck prints one check of the shell analysis.
func explainCheck(e *env, c *bashsafety.Check, json bool) int {
	text := checkText{c.ID, c.Severity.String(), c.Title, c.Why, c.Instead}
	if json {
		var o object
		text.fill(&o)
		o.strs("reports", c.Fails)
		o.strs("passes", c.Passes)
		e.machine().Write(append(o.end(), '\n'))
		return exitOK
	}
	text.print(e)
	e.heading("reported")
	for _, s := range c.Fails {
		fmt.Fprintf(e.out, "  %s\n", hookio.Escape(s))
	}
	e.heading("not reported")
	for _, s := range c.Passes {
		fmt.Fprintf(e.out, "  %s\n", hookio.Escape(s))
	}
	return exitOK
}

// explainLint prints one check of settings files.
func explainLint(e *env, c *lint.Check, json bool) int {
	text := checkText{c.ID, c.Severity.String(), c.Title, c.Why, c.Fix}
	if json {
		var o object
		text.fill(&o)
		fillLintExamples(&o, "reports", c.Fails)
		fillLintExamples(&o, "passes", c.Passes)
		e.machine().Write(append(o.end(), '\n'))
		return exitOK
	}
	text.print(e)
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

func fillLintExamples(o *object, key string, list []lint.Example) {
	o.list(key, len(list), func(i int, o *object) {
		o.str("file", list[i].Name())
		o.str("text", list[i].Text)
		o.opt("at", list[i].At)
		o.opt("fixed", list[i].Fixed)
	})
}

// lintExample prints an example, and what --fix makes of it.
func (e *env) lintExample(x *lint.Example) {
	fmt.Fprintf(e.out, "  %s: %s\n", x.Name(), hookio.Escape(x.Text))
	if x.Fixed != "" {
		fmt.Fprintf(e.out, "    with --fix: %s\n", hookio.Escape(x.Fixed))
	}
}

func findCheck(id string) *bashsafety.Check {
	for _, c := range bashsafety.Checks() {
		if c.ID == id {
			return c
		}
	}
	return nil
}

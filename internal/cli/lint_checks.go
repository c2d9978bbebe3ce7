package cli

import (
	"fmt"

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

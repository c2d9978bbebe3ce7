package cli

import (
	"fmt"

	"github.com/permgate--owner/permgate/internal/lint"
)

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

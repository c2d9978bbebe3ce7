package bashsafety

import (
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/interp"
)

// Analyze says what the bash text would do. It never fails: what cannot be
// analysed becomes a Doubt. The work is bounded by budgets, and the same text
// always gives the same Analysis.
func Analyze(text string, env Env) *Analysis {
	a, whole := interp.Bash(text, env)
	if whole {
		checks.Run(a)
	}
	return a
}

// AnalyzePowerShell says what a PowerShell text would run. Cmdlets have a table
// of their own, programs are in the tables of bash. Nothing is proven to only
// read.
func AnalyzePowerShell(text string, env Env) *Analysis {
	a, whole := interp.PowerShell(text, env)
	if whole {
		checks.RunPowerShell(a)
	}
	return a
}

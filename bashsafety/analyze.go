package bashsafety

import (
	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/checks"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
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

// AnalyzeWindows says what a text would run in PowerShell or, where that is not known for certain, in bash or
// PowerShell: what both do not read alike is a doubt.
func AnalyzeWindows(text string, env Env, certain bool) *Analysis {
	a := AnalyzePowerShell(text, env)
	if certain {
		return a
	}
	other := Analyze(text, env)
	other.HasPowerShell = true
	both := analysis.Subcommand{Structural: true, Span: shell.Span{Start: 0, End: len(text)}}
	for i := range other.Subcommands {
		other.Subcommands[i].ReadOnly = false // type README.md prints it in the other shell
	}
	for i := range a.Subcommands {
		both.Effects = append(both.Effects, a.Subcommands[i].Effects...)
	}
	other.Subcommands = append(other.Subcommands, both)
	if !commands.AlikeEverywhere(text) || len(a.Findings)+len(a.Doubts) > len(other.Findings)+len(other.Doubts) {
		d := analysis.DoubtParserDiff.At(shell.Span{Start: 0, End: len(text)}, "whether bash or PowerShell runs it is not known")
		d.Hides = shell.HidesAll
		other.AddDoubt(d)
	}
	return other
}

// AnalyzePowerShell says what a PowerShell text would run. Cmdlets have a table
// of their own, programs are in the tables of bash.
func AnalyzePowerShell(text string, env Env) *Analysis {
	a, whole := interp.PowerShell(text, env)
	if whole {
		checks.RunPowerShell(a)
	}
	return a
}

// Package remote recognises the sentences of other languages that delete or send:
// requests, programs, commands of databases; and finds programs for the checks.
package remote

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/analysis"
	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// RunningAt reports the subcommands that fit.
func RunningAt(s *analysis.Analysis, fits func(i int, sub *analysis.Subcommand) bool) []analysis.Finding {
	var all []analysis.Finding
	for i := range s.Subcommands {
		if sub := &s.Subcommands[i]; fits(i, sub) {
			all = append(all, analysis.Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// RunningTools reports the programs that fit, run by themselves or by a launcher.
func RunningTools(s *analysis.Analysis, fits func(*analysis.Tool) bool) []analysis.Finding {
	var all []analysis.Finding
	for i := range s.Tools {
		if t := &s.Tools[i]; fits(t) {
			all = append(all, analysis.Finding{Sub: t.Sub, Span: s.Subcommands[t.Sub].Span})
		}
	}
	return all
}

// Named reports the subcommands whose program and words fit.
func Named(s *analysis.Analysis, fits func(name string, argv []shell.Word) bool) []analysis.Finding {
	return RunningAt(s, func(_ int, sub *analysis.Subcommand) bool {
		return len(sub.Argv) > 0 && !sub.Structural && fits(sub.Program, sub.Argv)
	})
}

// AnyWord reports whether one of the words is in argv, whatever its case.
func AnyWord(argv []shell.Word, words ...string) bool {
	for i := range argv {
		for _, w := range words {
			if strings.EqualFold(argv[i].Text, w) {
				return true
			}
		}
	}
	return false
}

// Losing reports the subcommands that lose something of a family, where they are the command
// itself or else also as words of a program that may run them: doppler run -- tofu destroy.
func Losing(s *analysis.Analysis, of commands.LossFamily, itself bool) []analysis.Finding {
	if s.Losses&(1<<of) == 0 {
		return nil
	}
	return RunningTools(s, func(t *analysis.Tool) bool {
		own := len(t.Args)+1 == len(s.Subcommands[t.Sub].Argv)
		if t.Losses&(1<<of) == 0 || itself && !own {
			return false
		}
		args := t.Args
		if in := s.Subcommands[t.Sub].StdinText; in != nil && strings.EqualFold(t.Name, "osascript") { // as that of -e
			args = append(slices.Clone(args), shell.Word{Text: "-e", Known: true, Single: true}, *in)
		}
		loses, bare := commands.Loses(of, t.Name, args)
		return loses && (own || !bare)
	})
}

// ArgsInEnvironment finds terraform where the text sets a variable that it adds
// to its arguments: TF_CLI_ARGS_apply=-destroy terraform apply.
func ArgsInEnvironment(s *analysis.Analysis) []analysis.Finding {
	return RunningTools(s, func(t *analysis.Tool) bool {
		known := t.Losses&(1<<commands.OfInfra) != 0 && shell.Listed("terraform tofu terragrunt", t.Name)
		return known && strings.Contains(s.Text, "TF_CLI_ARGS") &&
			shell.ContainsAny(s.Text, "-destroy", "-auto-approve")
	})
}

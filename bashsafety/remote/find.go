package remote

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/interp"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// RunningAt reports the subcommands that fit.
func RunningAt(s *interp.Analysis, fits func(i int, sub *interp.Subcommand) bool) []interp.Finding {
	var all []interp.Finding
	for i := range s.Subcommands {
		if sub := &s.Subcommands[i]; fits(i, sub) {
			all = append(all, interp.Finding{Sub: i, Span: sub.Span})
		}
	}
	return all
}

// RunningTools reports the programs that fit, run by themselves or by a launcher.
func RunningTools(s *interp.Analysis, fits func(*interp.Tool) bool) []interp.Finding {
	var all []interp.Finding
	for i := range s.Tools {
		if t := &s.Tools[i]; fits(t) {
			all = append(all, interp.Finding{Sub: t.Sub, Span: s.Subcommands[t.Sub].Span})
		}
	}
	return all
}

// Named reports the subcommands whose program and words fit.
func Named(s *interp.Analysis, fits func(name string, argv []shell.Word) bool) []interp.Finding {
	return RunningAt(s, func(_ int, sub *interp.Subcommand) bool {
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

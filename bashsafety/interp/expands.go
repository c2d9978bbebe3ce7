package interp

import (
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// Expands reports whether the patterns of a subcommand find, when the text runs,
// what they find on the disk as it is now. Whatever may run before it or at the
// same time has to be proven to only read, and nothing in the text may touch how
// the shell reads patterns.
func (a *Analysis) Expands(at int) bool {
	if len(a.Doubts) > 0 || a.Lingers != "" || a.TouchesGlobs() {
		return false
	}
	for i := range a.Subcommands {
		if a.mayRunFirst(i, at) && a.Subcommands[i].Unproven() != "" {
			return false
		}
	}
	return true
}

// mayRunFirst reports whether a subcommand may have run when another one starts.
// Where the text is not straight, with loops or jobs, every one may, that one too.
func (a *Analysis) mayRunFirst(i, at int) bool {
	return !a.straight || i < at || i > at && a.Subcommands[i].besides(at)
}

// besides reports whether a later subcommand may run before an earlier one or at
// the same time: it reads its output, or is in one of its words.
func (s *Subcommand) besides(earlier int) bool {
	return slices.Contains(s.From, earlier) ||
		slices.ContainsFunc(s.Via, func(via string) bool { return shell.Among("$() <() >() coproc", via) })
}

// TouchesGlobs reports whether a text may change how patterns are expanded.
func (a *Analysis) TouchesGlobs() bool {
	for i := range a.Subcommands {
		sub := &a.Subcommands[i]
		if sub.switchesGlobs() {
			return true
		}
		for j := range sub.Argv {
			if namesGlobs(sub.Argv[j].Text) {
				return true
			}
		}
		for j := range sub.Assigns {
			if namesGlobs(sub.Assigns[j].Name) {
				return true
			}
		}
	}
	return namesGlobs(a.Text)
}

// namesGlobs reports whether a text speaks of what switches the options of the
// shell's patterns.
func namesGlobs(text string) bool {
	return shell.ContainsAny(text, "GLOBIGNORE", "BASHOPTS", "SHELLOPTS", "shopt", "setopt", "emulate", "noglob",
		"dotglob", "nullglob", "failglob", "extglob", "globstar", "nocaseglob")
}

// switchesGlobs reports whether a command is set, or a shell that is started,
// with options that may be about patterns.
func (s *Subcommand) switchesGlobs() bool {
	if s.Program != "set" && !isShell(commands.TableName(s.Program)) || len(s.Argv) == 0 {
		return false
	}
	if s.Program == "fish" {
		return true
	}
	for i := 1; i < len(s.Argv); i++ {
		w := &s.Argv[i]
		switch {
		case !w.Known:
			return !w.Single || shell.LiteralPrefix(w) == ""
		case w.Text == "--", !shell.StartsWithAny(w.Text, "-", "+"):
			return false // operands
		case strings.Trim(w.Text[1:], "ceiluvxo") != "":
			return true
		case !strings.Contains(w.Text, "o"):
			continue
		}
		if i++; i >= len(s.Argv) || !harmlessOption(s.Argv[i].Text) {
			return true
		}
	}
	return false
}

// harmlessOption names options of set -o that have nothing to do with patterns.
func harmlessOption(name string) bool {
	return shell.Among("errexit nounset pipefail xtrace verbose errtrace", name)
}

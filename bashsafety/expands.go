package bashsafety

import "strings"

// Expands reports whether the patterns of a subcommand find, when the text runs,
// what they find on the disk as it is now. Whatever may run before it or at the
// same time has to be proven to only read, and nothing in the text may touch how
// the shell reads patterns.
func (s *Script) Expands(at int) bool {
	if len(s.Doubts) > 0 || s.Lingers != "" || s.touchesGlobs() || !s.straight && s.Subcommands[at].Unproven() != "" {
		return false
	}
	for i := range s.Subcommands {
		o := &s.Subcommands[i]
		if i == at || s.straight && i > at && !o.besides(at) {
			continue
		}
		if o.Unproven() != "" {
			return false
		}
	}
	return true
}

// besides reports whether a later subcommand may run before an earlier one or at
// the same time: it reads its output, or stands in one of its words.
func (s *Subcommand) besides(earlier int) bool {
	for _, i := range s.From {
		if i == earlier {
			return true
		}
	}
	for _, via := range s.Via {
		switch via {
		case "$()", "<()", ">()", "coproc":
			return true
		}
	}
	return false
}

// globWords are what switches the options of the shell's patterns, wherever a
// text speaks of it.
var globWords = [...]string{
	"GLOBIGNORE", "BASHOPTS", "SHELLOPTS", "shopt", "setopt", "emulate", "noglob", "dotglob", "nullglob",
	"failglob", "extglob", "globstar", "nocaseglob",
}

// touchesGlobs reports whether a text may change how patterns are expanded.
func (s *Script) touchesGlobs() bool {
	for i := range s.Subcommands {
		sub := &s.Subcommands[i]
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
	return namesGlobs(s.Text)
}

func namesGlobs(text string) bool {
	for _, word := range globWords {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// switchesGlobs reports whether a command is set, or a shell that is started,
// with options that may be about patterns.
func (s *Subcommand) switchesGlobs() bool {
	switch {
	case s.Program != "set" && !isShell(tableName(s.Program)), len(s.Argv) == 0:
		return false
	case s.Program == "fish":
		return true
	}
	for i := 1; i < len(s.Argv); i++ {
		w := &s.Argv[i]
		switch {
		case !w.Known:
			return !w.Single || literalPrefix(w) == ""
		case w.Text == "--" || w.Text == "" || w.Text[0] != '-' && w.Text[0] != '+':
			return false // operands
		case strings.Trim(w.Text[1:], "ceiluvxo") != "":
			return true
		case strings.Contains(w.Text, "o"):
			if i++; i >= len(s.Argv) || !harmlessOption(s.Argv[i].Text) {
				return true
			}
		}
	}
	return false
}

// harmlessOption names options of set -o that have nothing to do with patterns.
func harmlessOption(name string) bool {
	switch name {
	case "errexit", "nounset", "pipefail", "xtrace", "verbose", "errtrace":
		return true
	}
	return false
}

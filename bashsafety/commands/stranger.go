package commands

import (
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// strangerFacts is all that is said of a program without a table: an unquoted
// unknown word may bring along any option.
func strangerFacts(argv []shell.Word) (d Facts) {
	ended := false
	for i := range argv[1:] {
		w := &argv[i+1]
		ended = ended || w.Known && w.Text == "--"
		if !ended && !w.Single && mayBeOption(w) {
			d.Narrow = append(d.Narrow, "an unquoted expansion could become an option")
			return d
		}
	}
	return d
}

// strangerReads takes the words of a program without a table that look like a
// path, and the values of its options that do, for files it reads.
func strangerReads(argv []shell.Word, cwd *shell.CwdState) []shell.Effect {
	var all []shell.Effect
	for i := range argv[1:] {
		w := argv[i+1]
		if opt := strings.HasPrefix(w.Text, "-"); opt {
			_, value, ok := strings.Cut(w.Text, "=")
			if !ok {
				continue
			}
			w = shell.Suffix(&w, len(w.Text)-len(value))
		}
		if w.Known && strings.ContainsAny(w.Text, "./") && !strings.ContainsAny(w.Text, " \t\n:") {
			all = append(all, shell.EffectsOf(shell.Read, &w, cwd)...)
		}
	}
	return all
}

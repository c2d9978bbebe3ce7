package oracle

import (
	"slices"
	"testing"
)

// A tongue is what the oracle has to know of a shell besides how it is started.
type tongue struct {
	shell string // its name
	posix bool   // it has nothing that is bash's own: the generator leaves that out
	also  []rule // what the generator writes besides its own grammar
	null  string // programs it runs by themselves, for a redirect without a command, and -p after time

	path  func(t testing.TB) string     // where the program is, nil: the name is looked up
	lacks func() func(text string) bool // what finds texts that say nothing, as the shell does not have what is in them
}

// tongues are the shells the analysis is held against. All of them are read as bash.
var tongues = [...]tongue{
	{shell: "bash", also: slices.Concat(listGrammar[:], nestedGrammar[:], bashGrammar[:], bashForms[:])},
	{shell: "dash", also: slices.Concat(listGrammar[:], nestedGrammar[:]), posix: true, lacks: bashisms},
	{shell: "zsh", also: slices.Concat(listGrammar[:], nestedGrammar[:], zshGrammar[:], zshForms[:]), null: "cat more pager"},
	{shell: "bash32", also: slices.Concat(listGrammar[:], nestedGrammar[:], bash32Grammar, bashForms[:]), path: bash32, lacks: since4},
	{shell: "bash53", also: slices.Concat(listGrammar[:], nestedGrammar[:], bashGrammar[:], bashForms[:]), path: bash53},
}

// tongueOf returns the row of a shell.
func tongueOf(t testing.TB, shell string) tongue {
	t.Helper()
	for _, row := range tongues {
		if row.shell == shell {
			return row
		}
	}
	t.Fatalf("no shell %s", shell)
	return tongue{}
}

// program is what Start is given.
func (row *tongue) program(t testing.TB) string {
	t.Helper()
	if row.path == nil {
		return row.shell
	}
	return row.path(t)
}

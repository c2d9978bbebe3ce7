package checks

import (
	"slices"
	"strings"

	"permgate/bashsafety/interp"
	"permgate/bashsafety/remote"
	"permgate/bashsafety/shell"
)

// The tables whose rows are about programs, a bit each.
const (
	ofDatabases uint8 = 1 << iota
	ofResets
	ofSecrets
	ofClients
	ofSenders
)

// tablesOf returns the tables with a row about a program. Their rows are lists,
// in which a name with a blank finds two.
func tablesOf(name string) uint8 {
	if strings.Contains(name, " ") {
		return ^uint8(0)
	}
	return tableIndex(name)
}

// formed reports the subcommands that have one of the forms of a table.
func formed(s *interp.Analysis, of uint8, forms []remote.Form) []interp.Finding {
	return remote.RunningTools(s, func(t *interp.Tool) bool {
		return t.Tables&of != 0 && slices.ContainsFunc(forms, func(f remote.Form) bool {
			return shell.Listed(f.Names, t.Name) && f.Fits(t.Args)
		})
	})
}

//go:generate go test . -run Index -update

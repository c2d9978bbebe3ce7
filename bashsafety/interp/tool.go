package interp

import "github.com/permgate--owner/permgate/bashsafety/shell"

// A Tool is a program that a subcommand runs: its own, or one among the words
// of a launcher or of a program that no table knows.
type Tool struct {
	Sub  int
	Name string
	Args []shell.Word
	// Losses are the families of losses that the program has, Tables the tables of
	// the checks that know it, a bit each.
	Losses uint32
	Tables uint16
}

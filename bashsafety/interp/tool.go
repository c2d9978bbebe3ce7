package interp

import "github.com/permgate--owner/permgate/bashsafety/shell"

// A Tool is a program that a subcommand runs: its own, or one among the words
// of a launcher or of a program that no table knows.
type Tool struct {
	Sub  int
	Name string
	Args []shell.Word
	// Deletions are the tables of deletions that know the program, Tables those of
	// the checks, a bit each.
	Deletions uint32
	Tables    uint16
}

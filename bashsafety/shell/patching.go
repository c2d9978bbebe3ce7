package shell

// A Patching is a patch that a command applies. It says which files are written; the Path of its
// Write is not known.
type Patching struct {
	// File is the Read of the patch, nil where the text itself holds it or prints it.
	File *Effect
	// Text is the patch where Known is set and there is no File.
	Text  string
	Known bool
	// From lists the subcommands, by index, whose output the patch is.
	From  []int
	Dir   string // where the command works, absolute; "" when not known
	Under string // folder the names are put below
	// Strip is how many leading components names lose, -1 for all but the last. Unless Given, the
	// program guesses for a patch without git's headers.
	Strip int
	Given bool

	Input bool // the patch comes in on standard input
}

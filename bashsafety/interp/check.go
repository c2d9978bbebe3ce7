package interp

import "github.com/permgate--owner/permgate/bashsafety/shell"

// Severity says how bad what a check found is. The zero value is none: a check
// must choose.
type Severity uint8

const (
	Suspicious   Severity = iota + 1 // hides what it does
	Destructive                      // destroys data
	Catastrophic                     // destroys the machine or hands it over
)

// String is the name of the severity.
func (s Severity) String() string {
	return [...]string{"none", "suspicious", "destructive", "catastrophic"}[s]
}

// About says what a finding of a check is about. The zero value is everything
// that no other value names: machines, accounts, programs that run.
type About uint8

const (
	AboutElse  About = iota
	AboutFiles       // files of the user
	AboutGit         // a git repository
)

// A Check recognises one thing a shell text must be asked about in every mode.
// It is data: its prose becomes documentation and the reason an agent reads,
// its examples are its test and fuzz seeds.
type Check struct {
	ID      string // stable, kebab-case, never reused
	Title   string // at most 60 runes, no full stop
	Why     string // what goes wrong
	Instead string // what would be accepted instead, after "try"; itself free of findings
	// Names are the words of Title and of Instead that a prompt replaces by what
	// the command deletes; empty for none.
	Names    [2]string
	Severity Severity
	About    About
	Trees    bool     // all it finds is that folders are deleted with everything in them, see Analysis.Removes
	Fails    []string // commands it must report
	Passes   []string // look-alikes it must leave alone
	Find     func(*Analysis) []Finding
}

// A Finding is one place where a check fired. Sub is the index of the
// subcommand, -1 when the text as a whole is meant.
type Finding struct {
	Check *Check
	Sub   int
	Span  shell.Span
}

package bashsafety

// An inner is a command that a command runs.
type inner struct {
	kind innerKind
	via  string // "sudo", "xargs", "sh -c"
	argv []Word // innerArgv: the command
	text Word   // innerText: shell text; a hole when it is not literal
	// strip marks the wrappers that are taken off for every list (timeout time nice nohup stdbuf).
	strip bool
	// remote marks text or argv that runs on another machine or in a container,
	// or a string inside the program of another language: seen by deny rules and
	// checks only, without effects, and a text that does not parse is no doubt.
	remote bool
	// assigns are the variables the launcher sets (env A=1 cmd, sudo A=1 cmd).
	assigns []Assign
	// dir is the directory the command runs in when it is not the launcher's
	// (env -C, sudo -D, find -execdir); a hole when it is not known.
	dir *Word
	// more marks an argv that gets further, unknown words appended (xargs, find -exec {}).
	more bool
}

type innerKind uint8

const (
	innerArgv  innerKind = iota + 1 // argv is run as it stands
	innerText                       // text is shell source, analysed anew
	innerStdin                      // a shell or interpreter that reads its program from standard input
)

// A description is what the tables say of one argv. The zero value says: an
// unknown program, nothing proven.
type description struct {
	effects  []Effect
	inner    []inner
	narrow   []string
	doubts   []Doubt
	alt      [][]Word
	readOnly bool
	// known is set when the program has a table entry.
	known bool
	// closed is set when no option in any release of the program executes or
	// writes, so that an unknown unquoted word can do no harm as an option.
	closed bool
	// valueAt lists the positions in argv that are values of options. narrow
	// already speaks of every hole that could be an option.
	valueAt []int
	// chdir is the new directory of cd and pushd; nil for everything else.
	chdir *Word
}

// describe looks argv up in the command tables. argv[0] is a known command
// word; cwd resolves paths. It is the only door from the walker to the tables.
func describe(argv []Word, cwd *cwdState, home string) description { return description{} }

// A cwdState is what is known of the working directory at a point of a text.
type cwdState struct {
	// dirs are the directories the command may run in, absolute and clean; more
	// than one after a cd that may have failed. Empty means unknown.
	dirs []string
	// moved is set once any cd was seen.
	moved bool
}

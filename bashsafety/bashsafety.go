// Package bashsafety says what a shell text would run, read and write, without
// running it. Everything is parsed as bash. It knows no file system, no rules
// and no decisions; paths are joined lexically with the tracked cd.
//
// What it cannot know is never left out: an unknown word is a hole, an unknown
// construct a Doubt.
package bashsafety

import "mvdan.cc/sh/v3/syntax"

// Limits of one analysis. They are budgets of work, never of time, and are
// checked before the text is parsed.
const (
	MaxBytes       = 64 << 10
	MaxNesting     = 100
	MaxSubcommands = 500
)

// An Env is what the analysis may assume about the shell it speaks of.
type Env struct {
	Cwd  string // absolute; "" when unknown
	Dir  string // folder the text starts in, as if it went there first: absolute, or not known; "" is Cwd
	Home string // absolute; "" when unknown
	// Temp is the value of $TMPDIR, where that is a temporary folder; "" when
	// unknown. TempUnset says that the variable is not set.
	Temp      string
	TempUnset bool
	// Script finds the scripts a runner's command names; nil looks at none.
	Script func(ScriptRef) []ScriptText
}

// A Script is what a shell text would do.
type Script struct {
	Text        string
	Subcommands []Subcommand // every command that would run, wherever it stands, in source order
	Doubts      []Doubt      // what the text does not say for certain
	Findings    []Finding    // checks that fired
	// Lingers says how the text may change what later texts do in the same
	// shell, "" when nothing is known that would.
	Lingers string
	Scripts []ScriptText // scripts of the project that were looked at, or why they were not

	straight bool // what stands behind a command runs behind it: no loop, function, trap or background job

	env   Env            // what Analyze was given; checks compare with Home
	twice bool           // a script of the project runs more than once and is listed once
	files []*syntax.File // every text that was parsed, the outermost first, nil when it declares no function; checks look for structure there
}

// A Span is a byte range [Start, End) of the text given to Analyze. Commands
// inside evaluated text (sh -c '...') carry the span of the word that holds them.
type Span struct{ Start, End int }

// HoleMark stands for an unknown part in Word.Text. NUL occurs in no argument.
const HoleMark = "\x00"

// A Word is one argument as the program would receive it, or a hole.
type Word struct {
	// Text is the exact argument when Known. Otherwise every unknown part is
	// HoleMark, so the literal prefix is the text before the first mark. For a
	// Glob the text is a pattern: * ? [ are meta, literal ones are escaped by \.
	Text   string
	Known  bool
	Single bool // exactly one argument, whatever its value; false: any number, none included
	Glob   bool // an unquoted pattern the shell expands against the disk
	Quoted bool // any part of the word was quoted
	Number bool // the unknown argument is an integer: $?, $((x)), ${#x}
	// Integers is set when every unknown part is one: "$((x)),$((y))p".
	Integers bool
	NoDash   bool // no argument the unknown word makes starts with -: $(git merge-base a b)
	Pipe     bool // the argument is a process substitution alone: <(ls)
	// Down is set when every unknown part is a name or a path without "..", so
	// that the word stays below the folder its literal beginning names: what a loop
	// over *.go holds, numbers.
	Down bool
	// Temp is set when the word starts with what mktemp printed, and goes on with a
	// literal path below it, if at all: "$(mktemp -d)/out".
	Temp bool
	// globLen is the length of the pattern the shell expands in the place of the
	// word, 0 for none. What the tables make of a word stands for other names, and
	// its Text has another length.
	globLen int32
	Span    Span
}

// An Assign is one NAME=value before a command, or alone.
type Assign struct {
	Name  string
	Value Word
}

// A Subcommand is one command a shell text would execute.
type Subcommand struct {
	Span Span
	// Argv is the command after the stripped wrappers (timeout time nice nohup
	// stdbuf) were taken off; Argv[0] is the command word as spelled.
	Argv []Word
	// Outer is the command with the stripped wrappers on; nil when there were none.
	Outer []Word
	// Alt are further spellings for deny and ask: git without its global
	// options, a program by base name is not one of them (see Program).
	Alt [][]Word
	// Same are spellings that mean exactly the same: an alias of PowerShell by the
	// name of its cmdlet. Allow rules read them as well.
	Same [][]Word
	// Program is the base name of a known command word, "" when it is dynamic.
	Program string
	// Via names what leads here, outermost first: "sudo", "xargs", "sh -c", "$()".
	Via     []string
	Assigns []Assign // assignments in front; their values are known or holes
	Effects []Effect
	// Narrow holds the reasons why a patterned allow rule must not cover this
	// command: options that execute or write, unsafe git globals, assignments
	// that are not inert, holes that could be such options.
	Narrow []string
	// Hidden is set when a reason of Narrow is about the environment, which the
	// words of the command do not show.
	Hidden bool
	// ReadOnly is set when the tables prove that the command only reads, for a
	// launcher: beside what it runs, which are Subcommands of their own. A zero
	// value proves nothing.
	ReadOnly bool
	// Launcher is set when the command runs another one that is a Subcommand of its own.
	Launcher bool
	// Remote is set when the command runs on another machine or in a container
	// (ssh, docker exec), or is text found inside the program of another
	// language. It needs no allow rule of its own and has no local effects;
	// deny rules and checks see it.
	Remote bool
	// Script is where the command was read when it stands in a script of the
	// project (Env.Script), nil for those of the text. It needs no allow rule of
	// its own; deny and ask rules, checks and effects see it.
	Script *Origin
	// From lists the Subcommands, by index, whose output this one reads through a
	// pipe: for a | b | c the commands of a and b are in c's list.
	From []int
	// Dirs are the directories it may run in, absolute and clean; none: not known.
	Dirs []string
	// Fed is set when its standard input is not that of the text: a pipe, a
	// redirect, a here-document.
	Fed bool
	// Again is set for what stands in a loop or in the background: it may run
	// after what is listed behind it.
	Again bool
	// Structural marks words that only bind or leave a loop: a bare assignment,
	// [[ ]], (( )), a function declaration, break. They run no program.
	Structural bool

	call *call // what the tables say; nil where they know nothing
	// removes is set for a Remove-Item that does nothing but delete what its words name.
	removes bool
}

// An EffectKind says what an Effect does.
type EffectKind uint8

const (
	Read  EffectKind = iota + 1
	Write            // creates, changes, renames, links, changes mode, owner or times
	Delete
	Execute   // runs Path as a program or script
	Source    // reads Path into the running shell
	Network   // talks to Path, a URL or host as written
	Privilege // becomes another user
	GitChange // a git command that is not read-only, in directory Path
	GitRead   // a read-only git command, in directory Path, after a cd or -C
	// Unknown is a program text or option that is not understood: it may do
	// anything the program can. It voids every proof and no rule of the user.
	Unknown
	// Looks is what a program is told to look for below a directory: Path is the
	// pattern. That it reads there is an effect of its own.
	Looks
)

// An Effect is one thing a subcommand would do. Path is absolute and clean
// when Known; otherwise it holds HoleMark or is "".
type Effect struct {
	Kind  EffectKind
	Path  string
	Known bool
	// Raw is the absolute path before .. was taken out of it, "" where there is
	// no .. in it: behind a symlink the kernel finds another place than Path. It
	// is there too for a path that starts with two slashes, which on Windows is
	// another machine's.
	Raw  string
	Glob bool // Path is a pattern
	// Expands is what the shell makes of the pattern on the disk, nil for every
	// other pattern.
	Expands *Expansion
	// Silent is set when the program prints nothing of what the file holds, and
	// takes it nowhere; InPlace when it changes what lies below Path where it is.
	// See the fields of Command by these names.
	Silent, InPlace bool
	Files           bool   // a folder is not read, see Command.Files
	Dots            bool   // a wildcard of Path also matches a dot at the start of a name
	Redirect        bool   // through a redirect of the shell, not an operand
	Recursive       bool   // the whole tree below Path
	Key             bool   // a Read of a key or credential file that the program itself uses and shows to no one
	Loads           bool   // a Read of what can hold code, which the program runs
	Temp            bool   // the path is one that mktemp made, or lies below it; not Known then
	Below           string // folder that a path which is not Known surely lies below, absolute; "" when there is none
	Span            Span
}

// An Expansion is a pattern that the shell expands, absolute and as written. The
// paths are what it finds or, when that is copied or moved, the base names of it
// in the folder Into.
type Expansion struct{ Pattern, Into string }

// A Doubt is a place where the text may do something the analysis cannot see.
// Step 2 asks about it.
type Doubt struct {
	ID   string // stable, kebab-case: "parse-error", "dynamic-command", "parser-diff"
	Msg  string // lower case, no full stop; what, then what to do instead
	Span Span
	// Hides says how much may be hidden in the place.
	Hides Hiding
}

// A Hiding says what a Doubt may hide. The zero value is the strictest.
type Hiding uint8

const (
	HidesAll     Hiding = iota // anything: commands, writes, what a check would find
	HidesNothing               // no command and no write: only what a value or a file read is stays unknown
)

// Severity says how bad what a check found is. The zero value is none: a check
// must choose.
type Severity uint8

const (
	Suspicious   Severity = iota + 1 // hides what it does
	Destructive                      // destroys data
	Catastrophic                     // destroys the machine or hands it over
)

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
	Instead string // what would be accepted instead, behind "try"; itself free of findings
	// Names are the words of Title and of Instead that a prompt replaces by what
	// the command deletes; empty for none.
	Names    [2]string
	Severity Severity
	About    About
	Trees    bool     // all it finds is that folders are deleted with everything in them, see Script.Removes
	Fails    []string // commands it must report
	Passes   []string // look-alikes it must leave alone
	Find     func(*Script) []Finding
}

// A Finding is one place where a check fired. Sub is the index of the
// subcommand, -1 when the text as a whole is meant.
type Finding struct {
	Check *Check
	Sub   int
	Span  Span
}

package shell

import (
	"slices"
	"strings"
)

// Limits of one analysis: budgets of work, never of time, checked before the text is parsed.
const (
	MaxBytes       = 64 << 10
	MaxNesting     = 100
	MaxSubcommands = 500
)

// A Span is a byte range [Start, End) of the text. Commands in evaluated text (sh -c '...') have
// that of the word around them.
type Span struct{ Start, End int }

// Contains reports whether another range lies in this one.
func (s Span) Contains(in Span) bool { return s.Start <= in.Start && in.End <= s.End }

// HoleMark is an unknown part in Word.Text. NUL occurs in no argument.
const HoleMark = "\x00"

// A Word is one argument as the program would receive it, or a hole.
type Word struct {
	// Text is the argument when Known. Otherwise every unknown part is HoleMark, so the text before
	// the first is certain. For a Glob it is a pattern: * ? [ are meta, literal ones escaped by \;
	// after a meta character several slashes may become one, as in bash.
	Text   string
	Known  bool
	Single bool // exactly one argument, whatever its value; false: any number, none included
	Glob   bool // an unquoted pattern the shell expands against the disk
	Quoted bool // any part of the word was quoted
	Number bool // the unknown argument is an integer: $?, $((x)), ${#x}
	// Integers is set when every unknown part is one: "$((x)),$((y))p".
	Integers bool
	// Numeric is set when every unknown part is integers, or nothing: n=$(wc -l <f).
	Numeric bool
	NoDash  bool // no argument the unknown word makes starts with -: $(git merge-base a b)
	// Tokens is set when every unknown part is a number, or words without blanks, patterns and a
	// leading -: no further word is an option.
	Tokens bool
	Pipe   bool // the argument is a process substitution alone: <(ls)
	// Down is set when every unknown part is a name or path without "..": the word stays below the
	// folder it begins with.
	Down bool
	// NoSlash is set when no unknown part holds a slash but as all of it: it may be "..".
	NoSlash bool
	// Temp is set when the word is what mktemp printed, perhaps with a literal path below:
	// "$(mktemp -d)/out".
	Temp bool
	// List is set where the word is one of the names that a command of the text finds, and nothing else; it is not Known
	// then.
	List *Listing
	// Alone is set when that may also be nothing, so that a longer word is anywhere.
	Alone bool
	// GlobLen is the length of the pattern that the shell expands for the word, 0 for none. A word
	// that the tables make of it means other names, and has another length.
	GlobLen int32
	Span    Span
}

// An Assign is one NAME=value before a command, or alone.
type Assign struct {
	Name  string
	Value Word
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
	// Unknown is a program text or option that is not understood and may do anything the program
	// can. It voids every proof and no rule of the user.
	Unknown
	// Looks is the pattern that a program looks for below a directory, which it reads by an effect
	// of its own.
	Looks
)

// An Effect is one thing a subcommand would do. Path is absolute and clean when Known, else "" or
// with a HoleMark.
type Effect struct {
	Kind  EffectKind
	Path  string
	Known bool
	// Raw is the absolute path with its .., "" without any: through a symlink the kernel finds
	// another place. It is there too for //, another machine on Windows.
	Raw  string
	Glob bool // Path is a pattern
	// Expands is what the shell makes of the pattern on the disk, nil for others.
	Expands *Expansion
	// Silent is set when what the file holds is neither printed nor taken anywhere; InPlace when a
	// tree is changed where it is. See Command.
	Silent, InPlace bool
	Files           bool      // a folder is not read, see Command.Files
	Dots            bool      // a wildcard of Path also matches a dot at the start of a name
	Redirect        bool      // through a redirect of the shell, not an operand
	Append          bool      // a Write at the end of what is there
	Recursive       bool      // the whole tree below Path
	Key             bool      // a Read of a key or credential file that the program itself uses and shows to no one
	Loads           bool      // a Read of what can hold code, which the program runs
	Temp            bool      // the path is one that mktemp made, or lies below it; not Known then
	Below           string    // folder that a path which is not Known is surely below, absolute; "" if none
	Top             string    // a folder; Path is below the top of its work tree, and not below the folder
	Patch           *Patching // a Write of what a patch names; the path is not known then
	List            *Listing  // the path is one of these names; it is not Known then
	Named           bool      // a word of which no literal says what it is spells the path
	Inert           bool      // a Write of settings by which nothing runs
	Mounts          bool      // a Read of what a container gets of the machine: its root, a home, a system folder
	Extra           bool      // a Write that is not what the program is for: sort -o, awk's print >
	// Contents says what a write of a folder puts there, nil where the words name it.
	Contents *Contents
	// Itself is set for a write to how a folder can be used: mode, owner, mounts; Replaces where
	// Path itself becomes another file or link.
	Itself, Replaces bool
	Span             Span
}

// A Listing is what a command of the text finds on the disk and names, or more than that: nothing else is among it.
type Listing struct {
	Dir    string   // where it runs, absolute
	Starts []string // what it looks below, as it was given them; they are named as well
	Name   string   // pattern of the last component of each name, "" for any
	// Files is set where only plain files are found, Folders where only folders are. Neither is reached through a symlink.
	Files, Folders bool
	Tracked        bool // nothing but what git tracks
	Top            bool // the names begin at the top of the work tree, which Dir has to be then
	Flat           bool // what is in Dir alone
	Null           bool // a NUL ends each name, and not a newline
	// Split is set where who reads the names takes them apart at blanks, or means more than a name by other characters.
	Split bool
	// Fed is set where it is not known yet which names those are that a launcher gets on its standard input, or how a
	// text that holds them all is taken apart.
	Fed bool
}

// A Written is a text that the analysed text itself may put into a file.
type Written struct {
	Text   string
	Whole  bool // the file holds just that, not only a part of it
	Hidden bool // the file holds what cannot be read
}

// An Expansion is a pattern that the shell expands, absolute and as written, and where the names it
// finds are put in the folder Into.
type Expansion struct{ Pattern, Into string }

// A Doubt is a place where the text may do what the analysis cannot see. Step 2 asks about it.
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

// AllKnown reports whether all words are known.
func AllKnown(argv []Word) bool {
	return !slices.ContainsFunc(argv, func(w Word) bool { return !w.Known })
}

const MaxPath = 1024 // bytes of a directory that names are put after; a longer one is unknown

// JoinText is the text of some words with blanks between them.
func JoinText(words []Word) string {
	texts := make([]string, len(words))
	for i := range words {
		texts[i] = words[i].Text
	}
	return strings.Join(texts, " ")
}

// Printf is what printf makes of a format that has %s and of its values: as long as there are more it begins again.
func Printf(format string, values []Word) string {
	var out strings.Builder
	const percent = "\x01" // a control character is a doubt
	format = strings.ReplaceAll(format, "%%", percent)
	for first := true; first || len(values) > 0; first = false {
		for i, part := range strings.Split(format, "%s") {
			if i > 0 && len(values) > 0 {
				out.WriteString(values[0].Text)
				values = values[1:]
			}
			out.WriteString(strings.ReplaceAll(part, percent, "%"))
		}
	}
	return out.String()
}

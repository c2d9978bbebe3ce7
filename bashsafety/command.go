package bashsafety

import (
	"path"
	"strings"
)

// A Command is what is known of one program: its option grammar, what its
// operands are, and which options run or write something. It is data; adding a
// program is adding a literal to one cmd_ file.
//
// Lists of options are blank-separated. A field that starts with "-" is a run
// of one-letter options ("-abc"); any other field is one long option without
// its dashes.
type Command struct {
	// Names are base names, the usual one first. A subcommand's may hold * for
	// any run of characters ("describe-*"); one without comes before it.
	Names []string
	Title string // what it does, lower case, no full stop

	Flags     string // harmless options without a value
	Values    string // harmless options with a value
	OptValues string // harmless options whose value must be attached: --color[=when]
	Opts      []Opt  // options that matter
	Style     Style
	Operands  Operands

	// ReadOnly is set when the program only reads unless an option or operand
	// below says otherwise.
	ReadOnly bool
	// Closed is set when no option of any release executes or writes.
	Closed bool
	// Full is set when every option of the program and its subcommands is listed:
	// one that is not may do anything, and a patterned allow rule does not cover it.
	Full bool
	// Silent are options that make the program print nothing of what its files hold
	// and take it nowhere, "*" when it never does; Loud are those that print it all
	// the same. The zero value prints everything.
	Silent, Loud string
	// Files is set when a folder among the operands is an error: nothing below it is read.
	Files bool
	// InPlace is set when the program, given a folder to change, changes files of
	// its own kind in it and leaves them where they are.
	InPlace bool
	// Tells are options and verbs that, as the only argument, print something
	// about the program and end it: "--version -V".
	Tells string
	// Subs are the subcommands: the first operand selects one.
	Subs []Command
	// Also are further subcommands, shared with other commands; Subs come before them.
	Also []Command

	// tokens reports whether the call prints nothing but tokens: words without
	// blanks and pattern characters of which none starts with -.
	tokens func(*call) bool
	// Stdin is set when the program obeys its standard input.
	Stdin *StdinProgram
	// scripts says how the program is told which script of the project to run,
	// nil when it runs none; see Env.Script.
	scripts *scriptRunner

	// more says what the fields cannot: it runs after them, a subcommand's own
	// before the program's.
	more func(*call)

	Examples []Example
}

// An Example is a command and what the tables say of it; it is a test and a
// fuzz seed. Want is a blank-separated list in any order:
//
//	ro            proven to read only
//	narrow        a patterned allow rule must not cover it
//	doubt:ID      a Doubt
//	load:PATH     a read whose file can hold code that is run
//	read:PATH write:PATH delete:PATH exec:PATH source:PATH net:URL priv:USER
//	gitread:DIR gitchange:DIR unknown:?  effects; paths below /w are shown
//	              relative, ? is what is not known, /** a whole tree
//	VIA>COMMAND   a command it runs: sh text in quotes, - for standard input, ...
//	              where unknown words are appended
//	VIA>>COMMAND  one that only deny rules and checks see: it runs elsewhere or
//	              inside the program of another language
type Example struct{ Cmd, Want string }

// An Opt is one option that matters.
type Opt struct {
	Names string // as in Command.Flags: "-o output"
	Arg   Arg
	Does  Act
}

// An Arg says whether an option takes a value. The zero value takes none.
type Arg uint8

const (
	NoArg  Arg = iota
	HasArg     // the rest of the word, or the next one
	OptArg     // the rest of the word or nothing
)

// A Style says how a program reads its options. The zero value is getopt_long
// with permutation: options may follow operands, -- ends them.
type Style uint8

const (
	StopAtOperand Style = 1 << iota // the first operand ends the options
	SingleDash                      // long options with one dash: -run X, -name=value
	NoOptions                       // every word is an operand
	Apart                           // the program's own options end where the subcommand starts
	ShortEquals                     // -o=value is -o value, as pflag and argparse read it
)

// Operands says what the words that are not options are.
type Operands uint8

const (
	Words         Operands = iota // no files
	Reads                         // files that are read
	ReadsTree                     // directories, read with everything below
	PatternReads                  // a pattern, then files that are read
	PatternTree                   // a pattern, then trees that are read, else the working directory
	Writes                        // files that are created or changed
	Deletes                       // files that are deleted
	Copies                        // sources, then one destination
	Moves                         // sources that vanish, then one destination
	Links                         // targets, then one link name
	ModeWrites                    // a mode or owner, then files that are changed
	ReadThenWrite                 // an input, then an output
	ReadsToCwd                    // files that are read; writes go into the working directory
	Scripts                       // one script that is run, then its arguments
	URLs                          // hosts or URLs
)

// An Act is what the presence of an option means.
type Act uint8

const (
	Executes      Act = iota + 1 // the value, or something the option implies, is run
	WritesValue                  // the value is a file the option writes beside the program's purpose
	OutputsValue                 // the value is the file the program is there to write
	ReadsValue                   // the value is a file that is read
	UsesKey                      // the value is a key or credential file that the program itself uses and shows to no one
	WritesInPlace                // the operands are changed
	Changes                      // the program changes something that is no file operand
	Unsafe                       // loads configuration or code, or lifts a guard
	LoadsValue                   // the value is configuration that can hold code: read and run, harmless in the project
	Recurses                     // operands are whole trees
	GivesPattern                 // the operands hold no pattern
	ReadsPattern                 // the value is a file of patterns; the operands hold none
	TargetDir                    // the value is the destination directory
	WorkDir                      // the value is the directory the program works in
	Prints                       // the operands are left alone: output goes to standard output
	Asks                         // only lists or checks: nothing is changed
	Sends                        // the value is a URL or host
)

// Commands returns every command the tables know, family by family.
func Commands() []*Command {
	var all []*Command
	for _, family := range families {
		for i := range family {
			all = append(all, &family[i])
		}
	}
	return all
}

// An entry is where the index finds a program.
type entry struct {
	family, i int    // its place in families; family is -1 when no table has it
	as        string // its name without what versions and variants add
	// folded is set when only the name in lower case is found: a file system that
	// folds case runs rm for RM, and bash for Bash; elsewhere there is no such program.
	folded bool
}

// find looks a program up by its base name. It names no table, so that the
// tables' own functions may ask it. The index is generated: a walk over the
// tables would touch every page of them.
func find(name string) entry {
	plain := variantName(name)
	if family, i := index(plain); family >= 0 {
		return entry{family, i, plain, false}
	}
	if lower := variantName(strings.ToLower(name)); lower != plain {
		if family, i := index(lower); family > 0 { // builtins, the first family, are found by their exact name
			return entry{family, i, lower, true}
		}
	}
	return entry{-1, 0, plain, false}
}

// command is the literal in the tables, nil when they do not know the program.
func (e *entry) command() *Command {
	if e.family < 0 {
		return nil
	}
	return &families[e.family][e.i]
}

// sub finds a subcommand by name, else by a pattern of names.
func (c *Command) sub(name string) *Command {
	for _, fits := range [...]func(pattern, name string) bool{sameName, likeName} {
		for _, list := range [...][]Command{c.Subs, c.Also} {
			for i := range list {
				for _, n := range list[i].Names {
					if fits(n, name) {
						return &list[i]
					}
				}
			}
		}
	}
	return nil
}

func sameName(pattern, name string) bool { return pattern == name }

// likeName reports whether a name fits a pattern with * for any run of characters.
func likeName(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// hasSubs reports whether an operand selects a subcommand.
func (c *Command) hasSubs() bool { return len(c.Subs)+len(c.Also) > 0 }

// risky reports whether an option of the command executes or writes.
func (c *Command) risky() bool {
	if c.Closed {
		return false
	}
	for i := range c.Opts {
		switch c.Opts[i].Does {
		case Executes, WritesValue, OutputsValue, WritesInPlace, Changes, Unsafe, LoadsValue:
			return true
		}
	}
	for _, list := range [...][]Command{c.Subs, c.Also} {
		for i := range list {
			if list[i].risky() {
				return true
			}
		}
	}
	return false
}

// families are the tables; the index speaks of them by their place here.
var families = [...][]Command{
	builtinCommands, coreCommands, textCommands, mediaCommands, runCommands, gitCommands, netCommands, archiveCommands,
	devCommands, codeCommands, sysCommands, hostCommands, containerCommands, cloudCommands, databaseCommands,
	packageCommands, serviceCommands, terminalCommands, convertCommands, javaCommands, taskCommands,
	toolCommands, buildCommands, generateCommands, nodeCommands, pythonCommands, goCommands, lookCommands,
}

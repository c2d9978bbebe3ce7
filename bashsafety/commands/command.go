// Package commands knows programs: how each reads its options, what its operands
// are, and what it reads, writes, deletes and runs. Its tables are data; Describe
// looks one command up in them.
package commands

import (
	"path"
	"slices"
	"strings"

	"github.com/permgate--owner/permgate/bashsafety/shell"
)

// A Command is what is known of one program: its option grammar, what its
// operands are, and which options run or write something. It is data; adding a
// program is adding a literal to one file.
//
// Lists of options are blank-separated. A field that starts with "-" is a run
// of one-letter options ("-abc"); any other field is one long option without
// its dashes.
type Command struct {
	// Names are base names, blank-separated, the usual one first. A subcommand's
	// may hold * for any run of characters ("describe-*"); one without comes before it.
	Names string
	Title string // what it does, lower case, no full stop

	Flags     string // harmless options without a value
	Values    string // harmless options with a value
	OptValues string // harmless options whose value must be attached: --color[=when]
	Opts      []Opt  // options that matter

	// What takes one byte is together: alone it would take eight, a thousand times.

	Style    Style
	Parser   Parser // of the program, its subcommands have the same
	Operands Act
	// Net says what the words are to the network; a subcommand has its program's.
	Net Net
	// ReadOnly is set when the program only reads unless an option or operand
	// below says otherwise.
	ReadOnly bool
	// ReadsSome is set when only some calls read: forms and refine take the proof from all
	// others. With ReadsIfAsked every option that Asks makes one.
	ReadsSome    bool
	ReadsIfAsked bool
	// Bare is set when a form that only reads has no operands; with KnownWords it
	// has no word that is not known.
	Bare       bool
	KnownWords bool
	// RunsRest is set when the operands are a command that is run.
	RunsRest bool
	// OwnOperands is set when an operand that selects no subcommand is one of the
	// program itself.
	OwnOperands bool
	// Parameters is set when an option that is not listed is a parameter: a
	// subcommand that reads reads with any.
	Parameters bool
	// Local is set when its effects are all it does: it asks no other machine and runs
	// no other program except the hooks and filters of the repository a git command
	// changes. Refine takes it from the forms that do more, see bound.
	Local bool
	// Contains is set when all it does is to run its operands in a container that
	// is there: they are proven by themselves.
	Contains bool
	// NoRiskyOptions is set when no option of any release executes or writes.
	NoRiskyOptions bool
	// AllOptionsListed is set when every option of the program and its subcommands is listed:
	// one that is not may do anything, and a patterned allow rule does not cover it.
	AllOptionsListed bool
	// Shortens is set when long options may be shortened and no release has one that is
	// not listed. Of all others a name that only begins like a listed one is unknown.
	Shortens bool
	// Files is set when a folder among the operands is an error: nothing below it is read.
	Files bool
	// InPlace is set when the program, given a folder to change, changes files of
	// its own kind in it and leaves them where they are.
	InPlace bool

	// Forms say what calls of some words do.
	Forms []Form
	// InfoFlags are options and verbs that, as the only argument, print something
	// about the program and end it: "--version -V".
	InfoFlags string
	// Subs are the subcommands: the first operand selects one.
	Subs []Command
	// Also are further subcommands, shared with other commands; Subs come before them.
	Also []Command

	// Special is what hardly any program has, see Rare.
	Special *Special

	// refine says what the fields cannot: it runs after them, a subcommand's own
	// before the program's.
	refine func(*Invocation)
}

// A Special holds what one program in a hundred has.
type Special struct {
	// Tokens reports whether the call prints nothing but tokens: words without
	// blanks and pattern characters, none starting with -.
	Tokens func(*Invocation) bool
	// Integers reports whether the call prints nothing but integers, one on a line.
	Integers func(*Invocation) bool
	// Stdin is set when the program obeys its standard input.
	Stdin *StdinProgram
	// Project says in which forms the program runs nothing but code of the project
	// and the tools installed for it; nil if none.
	Project *Running
	// Endless reports whether the call may print without an end.
	Endless func(*Invocation) bool
	// Language shows what a text in the program's own language runs; see ObeysValue.
	Language func(c *Invocation, text *shell.Word)
	// Files are options whose value is a file in that language.
	Files string
	// Fed shows what the text on standard input runs that is data otherwise: sed e.
	Fed func(c *Invocation, text *shell.Word)
	// Scripts says how the program is told which script of the project to run,
	// nil when it runs none; see Env.Script.
	Scripts *ScriptRunner
	// Credentials are the forms that print a password, a key or a token.
	Credentials []Credential
	// Environments are the forms that run a command in an environment, see refineEnvironment.
	Environments []Environment
	// Losses say by which words the program takes away what is elsewhere.
	Losses []Loss
	// Agent is set for the programs of agents.
	Agent *Agent
	// SharesHome are the names in whose containers or machines the home, or the folder one is in, is the one of this
	// machine unless somebody changed that.
	SharesHome string
	// EndsWith are options that, as the only word after the subcommand, print how that is used.
	EndsWith string
	// rewrite makes the words the program reads of those it is given, where it puts
	// others in their place before it reads on: env -S.
	rewrite func(*Command, []shell.Word) []shell.Word
}

// nothingSpecial is what most programs have of it. It is only read.
var nothingSpecial Special

// Rare returns what hardly any program has; all of it is zero in the others. No one changes it.
func (m *Command) Rare() *Special {
	if m.Special == nil {
		return &nothingSpecial
	}
	return m.Special
}

// A Running says how a program runs code of the project it works in, or tools that are installed
// there, and nothing from anywhere else. Forms that Bind or Unbind say in which calls.
type Running struct {
	By    RunBy
	Named bool   // the operands name tasks or programs, and may so say that something is published
	Not   string // long options it must not have behind a verb, where none are read
}

// RunBy says how the code is found.
type RunBy uint8

const (
	RunsHere  RunBy = 1 << iota // by the folder the program works in
	RunsFile                    // the words name a file, which is an effect
	RunsInner                   // the words are a command that is judged by its own row: python -m pytest
	RunsTool                    // the same, for a program that is installed where it is not there
	RunsTask                    // the words name a task of the project, which is shown as a command: mise run
)

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
	StopAtOperand       Style = 1 << iota // the first operand ends the options
	SingleDash                            // long options with one dash: -run X, -name=value
	NoOptions                             // every word is an operand
	ProgramOptionsFirst                   // the program's own options end where the subcommand starts
	ShortEquals                           // -o=value is -o value, as pflag and argparse read it
	// DashValues: an option that needs a value takes the next word, whatever that starts with. So do getopt, git's
	// parse-options, curl and ripgrep; nopt and yargs do not.
	DashValues
)

// A Parser is the kind of option parser a program has, by what it reads as an option
// beyond Style. The zero value is getopt's kin, and every kind that is not known: of
// these each word is read as the table says, and besides as any parser may take it, see
// readOtherwise. What no such reading shows, only the literal can say.
type Parser uint8

const (
	// ArgFiles: @FILE means the words in the file, options among them. The JDK's
	// tools, LLVM and binutils, rustc, tsc, protoc, GHC; argparse where it is told to
	// (pytest, mypy); ruff.
	ArgFiles    Parser = 1 << iota
	AnyCase            // -P is -p: tsc, Perl's Getopt::Long
	EveryLetter        // after one dash every letter is an option, also where one takes a value: yargs, minimist, mri
	Plus               // + means one dash: Perl's Getopt::Long
	Permutes           // with StopAtOperand, which keeps the options of an inner command apart: options follow operands, too
)

// An Act is what is done with the words of a call, or by it: by its operands, by an
// option that is given, or by a Form that it is of.
type Act uint8

const (
	Words Act = iota // nothing: operands that are no files, a harmless option

	Reads   // files that are read
	Writes  // files that the program is there to write: created or changed
	Deletes // files that are deleted
	Sends   // hosts or URLs

	ReadsTree     // of operands alone: directories, read with everything below
	PatternReads  // a pattern, then files that are read
	PatternTree   // a pattern, then trees that are read, else the working directory
	Copies        // sources, then one destination
	Moves         // sources that vanish, then one destination
	Links         // targets, then one link name
	ModeWrites    // a mode or owner, then files that are changed
	ReadThenWrite // an input, then an output
	Scripts       // one script that is run, then its arguments

	Executes      // the value, or something the option implies, is run
	WritesValue   // the value is a file the option writes besides the program's purpose
	ReadsNames    // the value is a file that is read, and it names files that are read
	UsesKey       // the value is a key or credential file that the program uses and shows to no one
	WritesInPlace // the operands are changed
	Changes       // the program changes something that is no file operand
	Unsafe        // loads configuration or code, or lifts a guard
	LoadsValue    // the value is configuration that can hold code: read and run, harmless in the project
	Recurses      // operands are whole trees
	GivesPattern  // the operands hold no pattern
	ReadsPattern  // the value is a file of patterns; the operands hold none
	TargetDir     // the value is the destination directory
	WorkDir       // the value is the directory the program works in
	Prints        // the operands are left alone: output goes to standard output
	Asks          // only lists or checks: nothing is changed
	RunsText      // the value, or each operand, is shell text that is run, as a command of its own
	RunsName      // the value is the name of a program that is run, and no word more
	ObeysWords    // of forms alone: every word of the call is text in such a language
	ObeysValue    // the value is text in a language of the program's own, see Special.Language
	SetsKey       // the value is KEY=VALUE of the configuration, which may name what is run

	Proves     // of forms alone: the call only reads
	Binds      // of forms alone, where a row has a Project: only such calls run nothing but its code
	Hides      // the call prints nothing of what its files hold, and takes it nowhere
	Disproves  // the call may do more than read
	Unbinds    // the call may run what is not the project's, or change more than its words say
	Narrows    // no patterned allow rule covers the call
	Doubts     // nobody can say what the call does
	Rewrites   // what the program would read it writes: files of its own kind
	Unpacks    // folders, of which any file may be written
	Configures // a file in the home that later calls obey
	Runs       // a command: the words from there on
	MayRun     // the same where it may be no command: deny rules and checks see it
	RunsThere  // the same on another machine, or in a container
	MayRunText // shell text, if it is one
	TextThere  // shell text that is run there
	RunsInput  // what comes in on standard input is run
	MayRunFed  // the same where it may be no command
	Wraps      // Runs, and every rule sees the command as if the program were not in front
	InputThere // the same on another machine, or in a container
)

// All returns every command the tables know, family by family.
func All() []*Command {
	var all []*Command
	for _, family := range families {
		for i := range family.rows {
			all = append(all, &family.rows[i])
		}
	}
	return all
}

// An Entry is where the index finds a program.
type Entry struct {
	family family
	As     string // its name without what versions and variants add
	// folded is set when only the name in lower case is found: a file system that
	// folds case runs rm for RM, and bash for Bash; elsewhere there is no such program. So is
	// py, which is another program where it is not Python's launcher on Windows.
	folded bool
}

// Find looks a program up by its base name. It names no table, so that the
// tables' own functions may ask it. The index is generated: a walk over the
// tables would touch every page of them.
func Find(name string) Entry {
	plain := VariantName(name)
	if family := indexed(plain); family != 0 {
		return Entry{family, plain, plain == "python" && !strings.HasPrefix(name, "python")}
	}
	if lower := VariantName(strings.ToLower(name)); lower != plain {
		if family := indexed(lower); family > ofBuiltins {
			return Entry{family, lower, true}
		}
	}
	if at := strings.IndexByte(plain, '@'); at > 0 { // npx codex@latest
		if family := indexed(plain[:at]); family == ofAgents {
			return Entry{family, plain[:at], false}
		}
	}
	return Entry{As: plain}
}

// Known reports whether a table has the program.
func (e *Entry) Known() bool { return e.family != 0 }

// Program reports whether a table has it, and as more than a builtin of the shell.
func (e *Entry) Program() bool { return e.family > ofBuiltins }

// command is the literal in the tables, nil when they do not know the program.
func (e *Entry) command() *Command {
	rows := families[e.family].rows
	for i := range rows {
		if rows[i].Named(e.As) {
			return &rows[i]
		}
	}
	return nil
}

// sub finds a subcommand by name, else by a pattern of names.
func (m *Command) sub(name string) *Command {
	for _, fits := range [...]func(m *Command, name string) bool{(*Command).Named, (*Command).like} {
		for _, list := range [...][]Command{m.Subs, m.Also} {
			for i := range list {
				if fits(&list[i], name) {
					return &list[i]
				}
			}
		}
	}
	return nil
}

// Name is the usual name.
func (m *Command) Name() string {
	if end := strings.IndexByte(m.Names, ' '); end >= 0 {
		return m.Names[:end]
	}
	return m.Names
}

// Named reports whether name is among the names, which are not taken for patterns.
func (m *Command) Named(name string) bool { return shell.Among(m.Names, name) }

// Is reports whether name is the usual name.
func (m *Command) Is(name string) bool {
	rest, ok := strings.CutPrefix(m.Names, name)
	return ok && (rest == "" || rest[0] == ' ')
}

// like reports whether one of the names is a pattern that name fits.
func (m *Command) like(name string) bool {
	return strings.Contains(m.Names, "*") &&
		slices.ContainsFunc(strings.Fields(m.Names), func(n string) bool { return LikeName(n, name) })
}

// LikeName reports whether a name fits a pattern with * for any run of characters.
func LikeName(pattern, name string) bool {
	if !strings.Contains(pattern, "*") {
		return false
	}
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// HasSubs reports whether an operand selects a subcommand.
func (m *Command) HasSubs() bool { return len(m.Subs)+len(m.Also) > 0 }

func (m *Command) risky() bool {
	if m.NoRiskyOptions {
		return false
	}
	for i := range m.Opts {
		switch m.Opts[i].Does {
		case Executes, WritesValue, Writes, WritesInPlace, Changes, Unsafe, LoadsValue,
			RunsName, ObeysValue, SetsKey:
			return true
		}
	}
	for _, list := range [...][]Command{m.Subs, m.Also} {
		for i := range list {
			if list[i].risky() {
				return true
			}
		}
	}
	return false
}

// A family is the place of a table in families, as the index has it. 0 is of a program
// that no table has.
type family uint8

// The families that are looked up in a way of their own: builtins by their exact name,
// agents also by the name of a release.
const (
	ofBuiltins family = 1
	ofAgents   family = 46
)

//go:generate go test . -run Index -update
//go:generate go test . -run CommandsDoc -update

// families are the tables, each the programs of one kind.
var families = [...]struct {
	rows []Command
	// offline is set when no program that only reads talks to the network but where an
	// effect says so. In the others a row says so: StaysHere.
	offline bool
	// launches is set when the programs launch or interpret what they are given.
	launches bool
}{
	{},
	{rows: builtinCommands, offline: true},
	{rows: coreCommands, offline: true},
	{rows: textCommands, offline: true},
	{rows: mediaCommands},
	{rows: runCommands, offline: true, launches: true},
	{rows: namespaceCommands, launches: true},
	{rows: sudoCommands, launches: true},
	{rows: xargsCommands, offline: true, launches: true},
	{rows: watchCommands, launches: true},
	{rows: traceCommands, launches: true},
	{rows: surroundCommands, launches: true},
	{rows: machineCommands, launches: true},
	{rows: gitCommands, offline: true},
	{rows: curlCommands},
	{rows: wgetCommands},
	{rows: httpieCommands},
	{rows: sshCommands},
	{rows: rsyncCommands},
	{rows: opensslCommands},
	{rows: netCommands},
	{rows: ArchiveCommands},
	{rows: devCommands},
	{rows: codeCommands, launches: true},
	{rows: sysCommands},
	{rows: hostCommands},
	{rows: containerCommands},
	{rows: cloudCommands},
	{rows: databaseCommands},
	{rows: packageCommands},
	{rows: serviceCommands},
	{rows: terminalCommands},
	{rows: convertCommands},
	{rows: javaCommands},
	{rows: taskCommands},
	{rows: toolCommands},
	{rows: buildCommands},
	{rows: generateCommands},
	{rows: nodeCommands},
	{rows: pythonCommands},
	{rows: goCommands},
	{rows: lookCommands},
	{rows: UnpackCommands},
	{rows: envCommands, offline: true, launches: true},
	{rows: shellCommands, offline: true, launches: true},
	{rows: emulatorCommands, launches: true},
	{rows: agentCommands},
	{rows: environmentCommands, launches: true},
}

// A StdinProgram says that a program obeys what comes in on its standard
// input, as psql does: the same text after -c is read by the option table, so
// that it has to be read here too. testdata/stdin has examples of each.
type StdinProgram struct {
	// Only are the names of the Command it is true of, blank-separated; "" is all.
	Only string
	// Like is the option whose value is a text of the same kind, or "" if no such
	// text is told apart: then a patterned allow rule covers no input.
	Like string
	// Unless are options under which the program does not obey its standard
	// input, as in Command.Flags.
	Unless string
	// DashIsData is set when the operand - takes standard input for a file.
	DashIsData bool
	// Operands is how many operands the program takes and still obeys; one more
	// holds what it does. NoLimit where they never do.
	Operands int
	// Escape starts the lines that are commands where there are operands: all
	// others are data. "" where every line is a command.
	Escape string
}

// NoLimit is a StdinProgram's Operands when no operand holds commands.
const NoLimit = -1

// Runs reports whether a program is in a table of launchers and interpreters, or its
// literal says that it runs or obeys what it is given.
func (e *Entry) Runs() bool {
	if families[e.family].launches {
		return true
	}
	m := e.command()
	if m == nil {
		return false
	}
	obeys := m.Rare().Stdin != nil || slices.ContainsFunc(m.Forms, func(f Form) bool {
		return f.If == "" && (f.Does == Narrows || f.Does == ObeysWords)
	})
	return obeys || m.RunsRest || m.Operands == Scripts
}

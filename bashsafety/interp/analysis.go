package interp

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/permgate--owner/permgate/bashsafety/commands"
	"github.com/permgate--owner/permgate/bashsafety/shell"
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
	Script func(commands.ScriptRef) []ScriptText
	// Secret reports whether a path that is read holds keys or tokens; nil knows
	// of none.
	Secret func(*shell.Effect) bool
	// BSD is set where programs take no options after their operands, as on macOS.
	BSD bool
	// Exported reports whether a variable may be in the environment the shell starts
	// with; nil says nothing of it. It is asked only about what a text assigns.
	Exported func(name string) bool
}

// An Analysis is what a shell text would do.
type Analysis struct {
	Text        string
	Subcommands []Subcommand  // every command that would run, wherever it is, in source order
	Doubts      []shell.Doubt // what the text does not say for certain
	Findings    []Finding     // checks that fired
	// Lingers says how the text may change what later texts do in the same
	// shell, "" when nothing is known that would.
	Lingers string
	Scripts []ScriptText // scripts of the project that were looked at, or why they were not

	straight bool // what follows a command runs after it: no loop, function, trap or background job

	Tools         []Tool // the programs the subcommands may run, for checks
	HasPowerShell bool   // some of it is PowerShell

	Env   Env  // what Analyze was given; checks compare with Home
	twice bool // a script of the project runs more than once and is listed once
	// Files are the texts that were parsed, the outermost first, nil for one that
	// declares no function and has no loop; checks look for structure there.
	Files []*syntax.File
}

// A Subcommand is one command a shell text would execute.
type Subcommand struct {
	Span shell.Span
	// Argv is the command after the stripped wrappers (timeout time nice nohup
	// stdbuf) were taken off; Argv[0] is the command word as spelled.
	Argv []shell.Word
	// Outer is the command with the stripped wrappers on; nil when there were none.
	Outer []shell.Word
	// Alt are further spellings for deny and ask: git without its global
	// options, a program by base name is not one of them (see Program).
	Alt [][]shell.Word
	// Same are spellings that mean exactly the same: an alias of PowerShell by the
	// name of its cmdlet. Allow rules read them as well.
	Same [][]shell.Word
	// Program is the base name of a known command word, "" when it is dynamic.
	Program string
	// Via names what leads here, outermost first: "sudo", "xargs", "sh -c", "$()".
	Via     []string
	Assigns []shell.Assign // assignments in front; their values are known or holes
	Effects []shell.Effect
	// PatternBlockers holds the reasons why a patterned allow rule must not cover this
	// command: options that execute or write, unsafe git globals, assignments
	// that are not inert, holes that could be such options.
	PatternBlockers []string
	// Hidden is set when a reason of PatternBlockers is about the environment, which the
	// words of the command do not show.
	Hidden bool
	// ReadOnly is set when the tables prove that the command only reads, for a
	// launcher: apart from what it runs, which are Subcommands of their own. A zero
	// value proves nothing.
	ReadOnly bool
	// Launcher is set when the command runs another one that is a Subcommand of its own.
	Launcher bool
	// Remote is set when the command runs on another machine or in a container
	// (ssh, docker exec), or is text found inside the program of another
	// language. It needs no allow rule of its own and has no local effects;
	// deny rules and checks see it.
	Remote bool
	// Contained is set when it is Remote because it runs in a container that is
	// there, as the words say it, and no shell between.
	Contained bool
	// Script is where the command was read when it is in a script of the
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
	// Code is set when it is given program text of a language that is not read
	// here: the text may name files.
	Code bool
	// Again is set for what is in a loop or in the background: it may run
	// after what is listed after it.
	Again bool
	// spawned is set for a job in the background of a loop whose number of rounds
	// is not known: it may be started without end.
	spawned bool
	// redirected is set when a redirect that writes took ReadOnly away, and nothing else.
	redirected bool
	// ahead is how many subcommands before it in the list it may run before: those of
	// the statement that has it in a redirect.
	ahead int
	// endless is set for what is in a loop whose rounds are not counted.
	endless bool
	// Structural marks words that only bind or leave a loop: a bare assignment,
	// [[ ]], (( )), a function declaration, break. They run no program.
	Structural bool

	As        string               // the name by which the tables know Program
	Tables    uint16               // the tables of the checks that may name either, a bit each
	Call      *commands.Invocation // what the tables say; nil where they know nothing
	Away      []shell.Effect       // redirects of a command that runs elsewhere
	StdinText *shell.Word          // the text on its standard input, if that is in the text
	// removes is set for a Remove-Item that does nothing but delete what its words name.
	removes bool
}

// HoldsSecret reports whether an effect reads what a secret holds.
func (a *Analysis) HoldsSecret(e shell.Effect) bool {
	if !ReadsContent(&e) {
		return false
	}
	if p := e.Path; strings.HasPrefix(p, "/proc/") && strings.HasSuffix(p, "/environ") {
		return true
	}
	return a.Env.Secret != nil && a.Env.Secret(&e)
}

// ReadsContent reports whether an effect shows what a file holds. A key is read
// to sign in with.
func ReadsContent(e *shell.Effect) bool { return e.Kind == shell.Read && !e.Key && !e.Silent }
